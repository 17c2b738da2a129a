import Streams
import StreamsTesting
import Testing

// Programs as one writes them for Combine, each with the output that Combine documents: they compile with no more than
// another import. What a program prints it writes to `out` here.

/// What a program has printed.
private final class Output: Sendable {
    private let text = Recorded("")
    var all: String { text.value }
    func callAsFunction(_ value: some Any & Sendable, terminator: String = " ") {
        let piece = "\(value)\(terminator)"
        text.update { $0 += piece }
    }
}

private enum SampleError: Error { case bad, worse }

@Suite("Programs written for Combine")
struct CombinePrograms {
    private func run(_ expected: String, _ program: (Output) -> AnyCancellable) {
        let out = Output()
        let cancellable = program(out)
        #expect(out.all == expected)
        cancellable.cancel()
    }

    private func finish(_ out: Output) -> @Sendable (Subscribers.Completion<any Error>) -> Void {
        { completion in
            switch completion {
            case .finished: out("finished", terminator: "")
            case .failure(let error): out("failed(\(error))", terminator: "")
            }
        }
    }

    @Test("Mapping: map, key paths, tryMap, mapError, scan, tryScan, setFailureType")
    func mapping() {
        run("5 4 3 2 1 0 ") { out in (0...5).publisher.map { 5 - $0 }.sink { out($0) } }
        run("3 5 ") { out in ["one", "three"].publisher.map(\.count).sink { out($0) } }
        run("V VI failed(bad)") { out in
            [5, 6, 0].publisher.tryMap { number -> String in
                guard let numeral = [5: "V", 6: "VI"][number] else { throw SampleError.bad }
                return numeral
            }.sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
        run("failed(worse)") { out in
            Fail<Int, SampleError>(error: .bad).mapError { _ -> any Error in SampleError.worse }
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
        run("0 1 3 6 10 15 ") { out in (0...5).publisher.scan(0) { $0 + $1 }.sink { out($0) } }
        run("1 3 failed(bad)") { out in
            [1, 2, 9].publisher.tryScan(0) { sum, value in
                if value == 9 { throw SampleError.bad }
                return sum + value
            }.sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
        run("1 failed(bad)") { out in
            Just(1).setFailureType(to: SampleError.self).append(Fail(error: .bad)).mapError { $0 as any Error }
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
    }

    @Test("Filtering: filter, compactMap, removeDuplicates, replaceEmpty, replaceError, replaceNil")
    func filtering() {
        run("2 4 ") { out in [1, 2, 3, 4, 5].publisher.filter { $0 % 2 == 0 }.sink { out($0) } }
        run("One Three ") { out in
            (0...4).publisher.compactMap { [1: "One", 3: "Three"][$0] }.sink { out($0) }
        }
        run("0 1 2 3 4 0 ") { out in
            [0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 0].publisher.removeDuplicates().sink { out($0) }
        }
        run("1.0 2.0 -1.0 3.0 ") { out in [1.0, 2.0, nil, 3.0].publisher.replaceNil(with: -1).sink { out($0) } }
        run("nan ") { out in Empty<Double, Never>().replaceEmpty(with: .nan).sink { out($0) } }
        run("(replaced) ") { out in
            Fail<String, SampleError>(error: .bad).replaceError(with: "(replaced)").sink { out($0) }
        }
    }

    @Test("Reducing: collect, reduce, ignoreOutput, count, min, max")
    func reducing() {
        run("[0, 1, 2, 3, 4, 5] ") { out in (0...5).publisher.collect().sink { out($0) } }
        run("[0, 1] [2, 3] [4] ") { out in (0...4).publisher.collect(2).sink { out($0) } }
        run("55 ") { out in (0...10).publisher.reduce(0) { $0 + $1 }.sink { out($0) } }
        run("finished") { out in
            (1...5).publisher.ignoreOutput().sink(
                receiveCompletion: { _ in out("finished", terminator: "") }, receiveValue: { _ in })
        }
        run("11 ") { out in (0...10).publisher.count().sink { out($0) } }
        run("-1 100 ") { out in
            let numbers = [-1, 0, 10, 5, 100].publisher
            return AnyCancellable([numbers.min().sink { out($0) }, numbers.max().sink { out($0) }].joined())
        }
    }

    @Test("Matching: contains, allSatisfy")
    func matching() {
        run("true ") { out in [-1, 5, 10, 5].publisher.contains(5).sink { out($0) } }
        run("true ") { out in (0...10).publisher.contains { $0 > 9 }.sink { out($0) } }
        run("false ") { out in [-1, 0, 10, 5].publisher.allSatisfy { $0 >= 0 }.sink { out($0) } }
        run("failed(bad)") { out in
            [1, 2].publisher.tryAllSatisfy { if $0 == 2 { throw SampleError.bad } else { true } }
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
    }

    @Test("Sequence operations: dropFirst, drop(while:), prefix, first, last, output, append, prepend")
    func sequences() {
        run("6 7 8 9 10 ") { out in (1...10).publisher.dropFirst(5).sink { out($0) } }
        run("3 1 ") { out in [-62, -1, 3, 1].publisher.drop { $0 <= 0 }.sink { out($0) } }
        run("0 1 ") { out in (0...10).publisher.prefix(2).sink { out($0) } }
        run("0 1 2 3 4 ") { out in (0...10).publisher.prefix { $0 < 5 }.sink { out($0) } }
        run("-10 ") { out in (-10...10).publisher.first().sink { out($0) } }
        run("9 ") { out in [1, 3, 9, 2].publisher.first { $0 > 5 }.sink { out($0) } }
        run("10 ") { out in (-10...10).publisher.last().sink { out($0) } }
        run("3 ") { out in (0...10).publisher.output(at: 3).sink { out($0) } }
        run("1 1 2 ") { out in [1, 1, 2, 2, 2, 3].publisher.output(in: 0..<3).sink { out($0) } }
        run("0 1 2 255 510 ") { out in (0...2).publisher.append(255, 510).sink { out($0) } }
        run("0 1 255 ") { out in [255].publisher.prepend(0, 1).sink { out($0) } }
    }

    @Test("Combining: combineLatest, zip, merge, flatMap, switchToLatest")
    func combining() {
        run("(1, 2) (2, 2) (3, 2) (3, 3) ") { out in
            let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
            let sink = first.combineLatest(second).sink { out("\($0)") }
            first.send(1)
            second.send(2)
            first.send(2)
            first.send(3)
            second.send(3)
            return sink
        }
        run("(1, \"A\") (2, \"B\") ") { out in
            let (numbers, letters) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
            let sink = numbers.zip(letters).sink { out("\($0)") }
            numbers.send(1)
            numbers.send(2)
            letters.send("A")
            numbers.send(3)
            letters.send("B")
            return sink
        }
        run("1 40 90 -1 ") { out in
            let (a, b, c) = (
                PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()
            )
            let sink = a.merge(with: b, c).sink { out($0) }
            a.send(1)
            b.send(40)
            c.send(90)
            a.send(-1)
            return sink
        }
        run("1 1 2 1 2 3 ") { out in (1...3).publisher.flatMap { (1...$0).publisher }.sink { out($0) } }
        run("1 2 4 ") { out in
            let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
            let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
            let sink = outer.switchToLatest().sink { out($0) }
            outer.send(first)
            first.send(1)
            first.send(2)
            outer.send(second)
            first.send(3)
            second.send(4)
            return sink
        }
    }

    @Test("Failures: catch, tryCatch, retry, assertNoFailure")
    func failures() {
        run("5 4 3 2 1 -1 finished") { out in
            [5, 4, 3, 2, 1, 0, 9].publisher
                .tryMap { value -> Int in
                    if value == 0 { throw SampleError.bad }
                    return value
                }
                .catch { _ in Just(-1) }.setFailureType(to: (any Error).self)
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
        run("failed(worse)") { out in
            Fail<Int, SampleError>(error: .bad).tryCatch { _ -> Just<Int> in throw SampleError.worse }
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
        run("try try try failed(bad)") { out in
            Deferred { () -> Fail<Int, any Error> in
                out("try")
                return Fail(error: SampleError.bad)
            }.retry(2).sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
    }

    @Test("Sharing: multicast, share, autoconnect, makeConnectable")
    func sharing() {
        run("a1 b1 a2 b2 ") { out in
            let subject = PassthroughSubject<Int, Never>()
            let shared = subject.multicast { PassthroughSubject() }
            let sinks = [shared.sink { out("a\($0)") }, shared.sink { out("b\($0)") }]
            let connection = shared.connect()
            subject.send(1)
            subject.send(2)
            return AnyCancellable((sinks + [AnyCancellable(connection)]).joined())
        }
        run("1 1 ") { out in
            let subject = PassthroughSubject<Int, Never>()
            let shared = subject.share()
            let sinks = [shared.sink { out($0) }, shared.sink { out($0) }]
            subject.send(1)
            return AnyCancellable(sinks.joined())
        }
    }

    @Test("Subjects: a current value, a passthrough, a future, a record")
    func subjects() {
        run("0 1 2 ") { out in
            let subject = CurrentValueSubject<Int, Never>(0)
            let sink = subject.sink { out($0) }
            subject.value = 1
            subject.send(2)
            return sink
        }
        run("7 finished") { out in
            Future<Int, any Error> { promise in promise(.success(7)) }
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
        run("1 2 failed(bad)") { out in
            Record<Int, SampleError>(output: [1, 2], completion: .failure(.bad)).mapError { $0 as any Error }
                .sink(receiveCompletion: finish(out), receiveValue: { out($0) })
        }
    }

    @Test("Demand: a subscriber that asks for three values gets three")
    func demand() {
        final class Three: Subscriber {
            typealias Input = Int
            typealias Failure = Never
            let out: Output
            init(_ out: Output) { self.out = out }
            func receive(subscription: any Subscription) { subscription.request(.max(3)) }
            func receive(_ input: Int) -> Subscribers.Demand {
                out(input)
                return .none
            }
            func receive(completion: Subscribers.Completion<Never>) { out("finished") }
        }
        let out = Output()
        (1...9).publisher.subscribe(Three(out))
        #expect(out.all == "1 2 3 ")
    }

    @Test("Assigning and storing: assign(to:on:), store(in:), Subscribers.Sink and Assign")
    func assigning() {
        final class Label: Sendable {
            private let state = Recorded("")
            var text: String {
                get { state.value }
                set { state.set(newValue) }
            }
        }
        let label = Label()
        var cancellables: Set<AnyCancellable> = []
        ["a", "b"].publisher.assign(to: \.text, on: label).store(in: &cancellables)
        #expect(label.text == "b")
        Just("c").subscribe(Subscribers.Assign(object: label, keyPath: \.text))
        #expect(label.text == "c")
        let out = Output()
        Just(1).subscribe(Subscribers.Sink(receiveCompletion: { _ in out("end") }, receiveValue: { out($0) }))
        #expect(out.all == "1 end ")
    }
}

extension [AnyCancellable] {
    /// All of them as one.
    fileprivate func joined() -> CompositeDisposable {
        let all = CompositeDisposable()
        for cancellable in self { all.add(cancellable) }
        return all
    }
}
