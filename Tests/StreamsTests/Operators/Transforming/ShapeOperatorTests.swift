import Streams
import StreamsTesting
import Testing

@Suite("Values in other shapes")
struct ShapeOperatorTests {
    private func values<P: Publisher>(_ publisher: P) -> [P.Output] {
        let subscriber = RecordingSubscriber<P.Output, P.Failure>(
            initialDemand: .max(1), demandForValue: { _ in .max(1) })
        publisher.subscribe(subscriber)
        #expect(subscriber.violations.isEmpty)
        return subscriber.values
    }

    @Test("replaceNil, key paths, assertNoFailure")
    func small() {
        #expect(values([1, nil, 3].publisher.replaceNil(with: 9)) == [1, 9, 3])
        #expect(values(["ab"].publisher.map(\.count)) == [2])
        #expect(values(["ab"].publisher.map(\.count, \.isEmpty)).map { "\($0)" } == ["(2, false)"])
        #expect(values(["ab"].publisher.map(\.count, \.isEmpty, \.utf8.count)).map { "\($0)" } == ["(2, false, 2)"])
        #expect(values(Just(1).setFailureType(to: TestError.self).assertNoFailure()) == [1])
    }

    @Test("encode and decode go through the coder, and fail as it does")
    func coding() {
        struct Coder: TopLevelEncoder, TopLevelDecoder {
            func encode<T: Encodable>(_ value: T) throws -> String { "<\(value)>" }
            func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T {
                guard let value = Int(input.dropFirst().dropLast()) as? T else { throw TestError.expected }
                return value
            }
        }
        #expect(values([1, 2].publisher.encode(encoder: Coder())) == ["<1>", "<2>"])
        let subscriber = RecordingSubscriber<Int, any Error>()
        ["<1>", "<x>", "<3>"].publisher.decode(type: Int.self, decoder: Coder()).subscribe(subscriber)
        #expect(subscriber.values == [1])
        #expect(subscriber.end == .failed(.expected))
    }

    @Test("Optional, Result and Record are publishers")
    func publishers() {
        #expect(values(Optional(1).publisher) == [1])
        #expect(values(Int?.none.publisher) == [])
        #expect(values(Result<Int, TestError>.success(1).publisher) == [1])
        let failed = RecordingSubscriber<Int, TestError>(initialDemand: .none)
        Result<Int, TestError>.failure(.expected).publisher.subscribe(failed)
        #expect(failed.end == .failed(.expected))
        let record = Record<Int, TestError> {
            $0.receive(1)
            $0.receive(2)
            $0.receive(completion: .failure(.expected))
        }
        let subscriber = RecordingSubscriber<Int, TestError>()
        record.subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
        #expect(subscriber.end == .failed(.expected))
    }

    @Test("Operators without closures are equal when their upstreams are")
    func equality() {
        let values = [1, 2].publisher
        #expect(values.prefix(2).dropFirst() == values.prefix(2).dropFirst())
        #expect(values.prefix(2) != values.prefix(3))
        #expect(Just(1).count() == Just(1).count())
    }

    @Test("max keeps the first of equal values, as min does")
    func firstOfEquals() {
        let pairs = [(1, "a"), (1, "b")].publisher
        #expect(values(pairs.max { $0.0 < $1.0 }.map(\.1)) == ["a"])
        #expect(values(pairs.min { $0.0 < $1.0 }.map(\.1)) == ["a"])
    }

    @Test("groupBy delivers a publisher for each key; window one for each stretch")
    func groups() {
        let lines = Recorded<[String]>([])
        let groups = CompositeDisposable()
        let sink = (1...5).publisher.groupBy { $0 % 2 }.sink { group in
            groups.add(
                group.sink(
                    receiveCompletion: { _ in lines.update { $0.append("\(group.key)|") } },
                    receiveValue: { value in lines.update { $0.append("\(group.key):\(value)") } }))
        }
        #expect(lines.value.filter { !$0.hasSuffix("|") } == ["1:1", "0:2", "1:3", "0:4", "1:5"])
        #expect(Set(lines.value.suffix(2)) == ["0|", "1|"])
        sink.cancel()

        let (subject, boundary) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Void, Never>())
        let windows = RecordingSubscriber<[Int], TestError>()
        subject.window(by: boundary).flatMap { $0.collect() }.subscribe(windows)
        subject.send(1)
        subject.send(2)
        boundary.send()
        subject.send(3)
        subject.send(completion: .finished)
        #expect(windows.values == [[1, 2], [3]])
        #expect(windows.isFinished)
        #expect(!boundary.hasSubscribers)
    }

    @Test("No index is too large for output(at:) and output(in:)")
    func largestIndex() {
        let subject = PassthroughSubject<Int, Never>()
        let (at, closed, through) = (
            RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>()
        )
        subject.output(at: .max).subscribe(at)
        subject.output(in: 1 ... .max).subscribe(closed)
        subject.output(in: ...Int.max).subscribe(through)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: .finished)
        #expect([at.values, closed.values, through.values] == [[], [2, 3], [1, 2, 3]])
        #expect(at.isFinished && closed.isFinished && through.isFinished)
    }

    @Test("zip and combineLatest of any number of publishers of any types")
    func anyArity() {
        let numbers = (1...2).publisher.eraseToAnyPublisher()
        let words = ["a", "b"].publisher.eraseToAnyPublisher()
        let flags = [true, false].publisher.eraseToAnyPublisher()
        #expect(
            values(Publishers.zip(numbers, words, flags, numbers, words).map { "\($0)\($1)\($2)\($3)\($4)" })
                == ["1atrue1a", "2bfalse2b"])
        #expect(values(Publishers.combineLatest(numbers, words).map { "\($0)\($1)" }) == ["2a", "2b"])
        // A tuple of a pack, which this was, has no such key path where the value's type is open.
        _ = Publishers.zip(numbers, words).map(\.1).sink(receiveCompletion: { _ in }, receiveValue: { _ = "\($0)" })
        let (n, w, f) = (numbers, words, flags)
        #expect(values(Publishers.zip(n, w, f).map { "\($0)" }) == ["(1, \"a\", true)", "(2, \"b\", false)"])
        #expect(values(Publishers.zip(n, w, f, n).map { "\($3)" }) == ["1", "2"])
        #expect(values(Publishers.combineLatest(n, w, f).map { "\($0)" }).last == "(2, \"b\", false)")
        #expect(values(Publishers.combineLatest(n, w, f, n).map { "\($3)" }).last == "2")
        let zipped = [
            values(Publishers.zip(n, w, f, n, w, f).map { "\($0)" }),
            values(Publishers.zip(n, w, f, n, w, f, n).map { "\($0)" }),
            values(Publishers.zip(n, w, f, n, w, f, n, w).map { "\($0)" }),
            values(Publishers.zip(n, w, f, n, w, f, n, w, f).map { "\($0)" }),
        ]
        let latest = [
            values(Publishers.combineLatest(n, w, f, n, w).map { "\($0)" }),
            values(Publishers.combineLatest(n, w, f, n, w, f).map { "\($0)" }),
            values(Publishers.combineLatest(n, w, f, n, w, f, n).map { "\($0)" }),
            values(Publishers.combineLatest(n, w, f, n, w, f, n, w).map { "\($0)" }),
            values(Publishers.combineLatest(n, w, f, n, w, f, n, w, f).map { "\($0)" }),
        ]
        func expect(_ results: [[String]], from count: Int, at place: KeyPath<[String], String?>, _ triple: [String]) {
            let all = triple + triple + triple
            for (count, rows) in zip(count..., results) {
                #expect(rows.count == 2)
                #expect(rows[keyPath: place] == "(\(all.prefix(count).joined(separator: ", ")))")
            }
        }
        expect(zipped, from: 6, at: \.first, ["1", "\"a\"", "true"])
        expect(latest, from: 5, at: \.last, ["2", "\"b\"", "false"])
    }

    @Test("print, debug and checkpoint tell what passes")
    func debugging() {
        let lines = Recorded<[String]>([])
        _ = values(Just(1).debug("a") { line in lines.update { $0.append(line) } })
        #expect(lines.value.contains("a: receive value: (1)"))
        #expect(lines.value.contains("a: receive finished"))
        #expect(lines.value.contains("a: request max: (1)"))
        let subscriber = RecordingSubscriber<Int, TracedFailure>()
        Fail<Int, TestError>(error: .expected).checkpoint("load").checkpoint("show").subscribe(subscriber)
        guard case .failure(let failure) = subscriber.completion else {
            Issue.record("It did not fail")
            return
        }
        #expect(failure.trace.count == 2)
        #expect(failure.trace[0].hasPrefix("load (StreamsTests/ShapeOperatorTests.swift:"))
        #expect(failure.failure as? TestError == .expected)
    }

    @Test("Published delivers the present value, then each new one")
    func published() {
        final class Model {
            @Published var count = 1
        }
        let model = Model()
        let subscriber = RecordingSubscriber<Int, Never>()
        model.$count.subscribe(subscriber)
        model.count = 2
        model.count += 5
        #expect(subscriber.values == [1, 2, 7])
        #expect(model.count == 7)
    }
}
