import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("flatMap, switchToLatest, merge, append, catch, retry")
struct CombiningTests {
    @Test("flatMap delivers every value of every inner publisher, within any demand")
    func flatMap() {
        for demand in [Subscribers.Demand.unlimited, .max(1), .max(7)] {
            let subscriber = RecordingSubscriber<Int, Never>(
                initialDemand: demand, demandForValue: { _ in demand == .unlimited ? .none : .max(1) })
            (0..<50).publisher.flatMap { outer in (0..<20).publisher.map { outer * 20 + $0 } }.subscribe(subscriber)
            #expect(subscriber.values.sorted() == Array(0..<1_000))
            #expect(subscriber.isFinished)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("flatMap with maxPublishers has no more inner publishers than that at a time")
    func maxPublishers() {
        let emitters = Mutex<[Emitter<Int, Never>]>([])
        let subscriber = RecordingSubscriber<Int, Never>()
        (0..<5).publisher.flatMap(maxPublishers: .max(2)) { _ in
            AnyPublisher<Int, Never>.create { emitter in
                emitters.withLock { $0.append(emitter) }
                return Disposable()
            }
        }.subscribe(subscriber)
        for ended in 0..<5 {
            let running = emitters.withLock { $0 }
            #expect(running.count == min(5, ended + 2))
            running[ended].onNext(ended)
            running[ended].onComplete()
        }
        #expect(subscriber.values == [0, 1, 2, 3, 4])
        #expect(subscriber.isFinished)
    }

    @Test("Inner publishers on many threads lose nothing, and signals never overlap")
    func contended() {
        for _ in 0..<raceCount {
            let pool = DispatchQueue(label: "concurrent", attributes: .concurrent)
            let subscriber = RecordingSubscriber<Int, Never>()
            (0..<8).publisher.flatMap { outer in
                (0..<50).publisher.map { outer * 50 + $0 }.subscribe(on: pool)
            }.subscribe(subscriber)
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.values.sorted() == Array(0..<400))
            for outer in 0..<8 {
                let own = subscriber.values.filter { $0 / 50 == outer }
                #expect(own == own.sorted())
            }
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("Two failures that race end the stream once, and nothing follows")
    func racingFailures() {
        for _ in 0..<raceCount {
            let emitters = Mutex<[Emitter<Int, TestError>]>([])
            let subscriber = RecordingSubscriber<Int, TestError>()
            (0..<2).publisher.setFailureType(to: TestError.self).flatMap { _ in
                AnyPublisher<Int, TestError>.create { emitter in
                    emitters.withLock { $0.append(emitter) }
                    return Disposable()
                }
            }.subscribe(subscriber)
            let both = emitters.withLock { $0 }
            race(
                both.map { emitter in
                    {
                        emitter.onNext(1)
                        emitter.onError(.expected)
                        emitter.onNext(2)
                    }
                })
            #expect(subscriber.completion != nil)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("switchToLatest cancels what it leaves, and nothing of that follows")
    func switchToLatest() {
        let inners = Mutex<[Emitter<Int, Never>]>([])
        let outers = Mutex<Emitter<Int, Never>?>(nil)
        let cancelled = Counter()
        let subscriber = RecordingSubscriber<Int, Never>()
        AnyPublisher<Int, Never>.create { emitter in
            outers.withLock { $0 = emitter }
            return Disposable()
        }.map { _ in
            AnyPublisher<Int, Never>.create { emitter in
                inners.withLock { $0.append(emitter) }
                return Disposable { cancelled.increment() }
            }
        }.switchToLatest().subscribe(subscriber)
        outers.withLock { $0 }?.onNext(0)
        inners.withLock { $0[0] }.onNext(1)
        outers.withLock { $0 }?.onNext(1)
        #expect(cancelled.count == 1)
        inners.withLock { $0[0] }.onNext(2)
        inners.withLock { $0[1] }.onNext(3)
        outers.withLock { $0 }?.onComplete()
        #expect(subscriber.completion == nil)
        inners.withLock { $0[1] }.onComplete()
        #expect(subscriber.values == [1, 3])
        #expect(subscriber.isFinished)
    }

    @Test("switchToLatest forwards nothing after the outer failure")
    func switchAfterFailure() {
        for _ in 0..<raceCount {
            let inners = Mutex<Emitter<Int, TestError>?>(nil)
            let outers = Mutex<Emitter<Int, TestError>?>(nil)
            let subscriber = RecordingSubscriber<Int, TestError>()
            AnyPublisher<Int, TestError>.create { emitter in
                outers.withLock { $0 = emitter }
                return Disposable()
            }.map { _ in
                AnyPublisher<Int, TestError>.create { emitter in
                    inners.withLock { $0 = emitter }
                    return Disposable()
                }
            }.switchToLatest().subscribe(subscriber)
            outers.withLock { $0 }?.onNext(0)
            let (inner, outer) = (inners.withLock { $0 }, outers.withLock { $0 })
            race({ for value in 0..<20 { inner?.onNext(value) } }, { outer?.onError(.expected) })
            #expect(subscriber.completion != nil)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("merge delivers both, append one behind the other, within any demand")
    func mergeAndAppend() {
        for demand in [Subscribers.Demand.unlimited, .max(1)] {
            let returned: @Sendable (Int) -> Subscribers.Demand = { _ in demand == .unlimited ? .none : .max(1) }
            let merged = RecordingSubscriber<Int, Never>(initialDemand: demand, demandForValue: returned)
            (0..<10).publisher.merge(with: (10..<20).publisher).subscribe(merged)
            #expect(merged.values.sorted() == Array(0..<20))
            #expect(merged.isFinished)
            let appended = RecordingSubscriber<Int, Never>(initialDemand: demand, demandForValue: returned)
            (0..<10).publisher.append(10..<20).prepend(-2, -1).subscribe(appended)
            #expect(appended.values == Array(-2..<20))
            #expect(appended.isFinished)
            #expect(merged.violations.isEmpty && appended.violations.isEmpty)
        }
    }

    @Test("A demand that spans the seam of append is honoured exactly")
    func seam() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(3))
        (0..<2).publisher.append(2..<10).subscribe(subscriber)
        #expect(subscriber.values == [0, 1, 2])
        subscriber.request(.max(2))
        #expect(subscriber.values == [0, 1, 2, 3, 4])
        #expect(subscriber.violations.isEmpty)
    }

    @Test("catch and replaceError go on behind a failure, with the demand that is left")
    func catching() {
        let failing = (0..<2).publisher.setFailureType(to: TestError.self).append(Fail(error: .expected))
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(3))
        failing.catch { _ in (7..<10).publisher }.subscribe(subscriber)
        #expect(subscriber.values == [0, 1, 7])
        subscriber.request(.unlimited)
        #expect(subscriber.values == [0, 1, 7, 8, 9])
        #expect(subscriber.isFinished)
        let replaced = RecordingSubscriber<Int, Never>()
        failing.replaceError(with: -1).subscribe(replaced)
        #expect(replaced.values == [0, 1, -1])
    }

    @Test("200,000 retries that fail at once take no stack, and the last failure is the stream's")
    func retries() {
        let attempts = Counter()
        let subscriber = RecordingSubscriber<Int, TestError>()
        Deferred { () -> Fail<Int, TestError> in
            attempts.increment()
            return Fail(error: .expected)
        }.retry(200_000).subscribe(subscriber)
        #expect(attempts.count == 200_001)
        #expect(subscriber.completion != nil)
        #expect(!subscriber.isFinished)
    }
}

@Suite("Synchronous operators")
struct SynchronousTests {
    @Test("A chain delivers the same within any demand")
    func chain() {
        for demand in [Subscribers.Demand.unlimited, .max(1), .max(3)] {
            let subscriber = RecordingSubscriber<Int, any Error>(
                initialDemand: demand, demandForValue: { _ in demand == .unlimited ? .none : .max(1) })
            (0..<100).publisher.map { $0 * 2 }.filter { $0 % 3 != 0 }.compactMap { $0 > 10 ? $0 : nil }
                .tryMap { $0 + 1 }.prefix(20).subscribe(subscriber)
            let expected = (0..<100).map { $0 * 2 }.filter { $0 % 3 != 0 && $0 > 10 }.map { $0 + 1 }.prefix(20)
            #expect(subscriber.values == Array(expected))
            #expect(subscriber.isFinished)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("tryMap ends with what the closure throws, and cancels the upstream")
    func tryMap() {
        let subscriber = RecordingSubscriber<Int, any Error>()
        (0..<10).publisher.tryMap { value in
            if value == 3 { throw TestError.expected }
            return value
        }.subscribe(subscriber)
        #expect(subscriber.values == [0, 1, 2])
        #expect(subscriber.completion != nil && !subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("reduce and collect deliver on demand, behind the end")
    func reduce() {
        let sum = RecordingSubscriber<Int, Never>(initialDemand: .none)
        (1...100).publisher.reduce(0, +).subscribe(sum)
        #expect(sum.values.isEmpty)
        sum.request(.none)
        #expect(sum.values.isEmpty)
        sum.request(.max(1))
        #expect(sum.values == [5050])
        #expect(sum.isFinished)
        let all = RecordingSubscriber<[Int], Never>()
        Empty<Int, Never>().collect().subscribe(all)
        #expect(all.values == [[]])
    }

    @Test("One-by-one requests over 200,000 elements take no stack")
    func oneByOne() {
        let count = Counter()
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(1),
            onValue: { subscriber, _ in
                count.increment()
                subscriber.request(.max(1))
            })
        (0..<200_000).publisher.subscribe(subscriber)
        #expect(count.count == 200_000)
        #expect(subscriber.isFinished)
    }

    @Test("A cancel inside a value keeps back everything that would follow, on every source")
    func cancelInValue() {
        for source in [
            (0..<5).publisher.eraseToAnyPublisher(), Just(1).eraseToAnyPublisher(),
            (0..<5).publisher.flatMap { Just($0) }.eraseToAnyPublisher(),
            Just(0).append(1, 2).eraseToAnyPublisher(),
            (0..<5).publisher.reduce(0, +).eraseToAnyPublisher(),
        ] {
            let subscriber = RecordingSubscriber<Int, Never>(onValue: { subscriber, _ in subscriber.cancelInSignal() })
            source.subscribe(subscriber)
            #expect(subscriber.values.count == 1)
            #expect(subscriber.completion == nil)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("An array literal behind values whose type is still open gives its elements, and is not taken for one value")
    func arrayLiterals() async throws {
        // It is enough that it compiles.
        let counts = RecordingSubscriber<Int, Never>()
        (1...1).publisher.map { [$0] }.append([[2, 3], [4]]).prepend([[]]).map { $0.count }.subscribe(counts)
        #expect(counts.values == [0, 1, 2, 1])
        // Those that are worked out at once stay what they are.
        let (one, many) = (Just(1).append([2]).prepend([0]), [1].publisher.append([2]).prepend([0]))
        #expect(one == Publishers.Sequence(sequence: [0, 1, 2]) && many == one)
        func isText(_ value: Any) -> Bool { value is String }
        #expect(isText(try await (1...1).publisher.zip(Just("a")) { $1 }.append(["b"]).lastValue))
    }

    @Test("The groups of groupBy end in the order in which they have begun")
    func groupsEndInOrder() {
        let subject = PassthroughSubject<Int, Never>()
        let ended = Recorded<[Int]>([])
        let sink = subject.groupBy { $0 }.flatMap { group in
            group.handleEvents(receiveCompletion: { _ in ended.update { $0.append(group.key) } })
        }.sink { _ in }
        let keys = (0..<100).map { ($0 * 37) % 100 }
        for key in keys { subject.send(key) }
        subject.send(completion: .finished)
        #expect(ended.value == keys)
        sink.cancel()
    }
}
