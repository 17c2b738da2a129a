import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

enum TestError: Error, Hashable {
    case expected, overflow
}

/// How often something happened.
final class Counter: Sendable {
    private let value = Atomic(0)
    func increment() { value.add(1, ordering: .relaxed) }
    var count: Int { value.load(ordering: .relaxed) }
}

@Suite("create")
struct CreateTests {
    @Test("A callback that fires twice is a stream of two values")
    func twice() {
        let subscriber = RecordingSubscriber<String, TestError>()
        AnyPublisher<String, TestError>.create { emitter in
            emitter.onNext("degraded")
            emitter.onNext("final")
            emitter.onComplete()
            return Disposable()
        }.subscribe(subscriber)
        #expect(subscriber.values == ["degraded", "final"])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("The disposable runs once: on completion, failure or cancel, on arrival when cancelled in the factory")
    func disposal() {
        for end in 0..<4 {
            let disposed = Counter()
            let subscriber = RecordingSubscriber<Int, TestError>(
                onValue: { subscriber, _ in subscriber.cancelInSignal() })
            AnyPublisher<Int, TestError>.create { emitter in
                switch end {
                case 0: emitter.onComplete()
                case 1: emitter.onError(.expected)
                case 2: emitter.onNext(1)
                default: break
                }
                return Disposable { disposed.increment() }
            }.subscribe(subscriber)
            subscriber.cancel()
            subscriber.cancel()
            #expect(disposed.count == 1, "case \(end)")
        }
    }

    @Test("What is sent after the end is dropped")
    func afterEnd() {
        let subscriber = RecordingSubscriber<Int, TestError>()
        AnyPublisher<Int, TestError>.create { emitter in
            emitter.onNext(1)
            emitter.onComplete()
            emitter.onNext(2)
            emitter.onError(.expected)
            emitter.onComplete()
            #expect(emitter.isCancelled)
            return Disposable()
        }.subscribe(subscriber)
        #expect(subscriber.values == [1])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("Completion waits behind values that are kept, and nothing is sent before demand")
    func completionWaits() {
        let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .none)
        AnyPublisher<Int, TestError>.create { emitter in
            for value in 1...3 { emitter.onNext(value) }
            emitter.onComplete()
            emitter.onNext(4)
            return Disposable()
        }.subscribe(subscriber)
        #expect(subscriber.values.isEmpty)
        subscriber.request(.max(2))
        #expect(subscriber.values == [1, 2])
        #expect(subscriber.completion == nil)
        subscriber.request(.max(1))
        #expect(subscriber.values == [1, 2, 3])
        #expect(subscriber.isFinished)
    }

    @Test("Each strategy keeps what it says of values without demand")
    func strategies() {
        func kept(_ strategy: BackpressureStrategy<TestError>) -> ([Int], failed: Bool) {
            let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .max(1))
            AnyPublisher<Int, TestError>.create(strategy) { emitter in
                for value in 1...5 { emitter.onNext(value) }
                return Disposable()
            }.subscribe(subscriber)
            let failed = subscriber.completion != nil
            subscriber.request(.unlimited)
            return (subscriber.values, failed)
        }
        #expect(kept(.unbounded) == ([1, 2, 3, 4, 5], failed: false))
        #expect(kept(.buffer(2)) == ([1, 4, 5], failed: false))
        #expect(kept(.latest) == ([1, 5], failed: false))
        #expect(kept(.dropNewest) == ([1], failed: false))
        #expect(kept(.fail(.overflow)) == ([1], failed: true))
    }

    @Test("Every subscriber has a run of the factory of its own")
    func perSubscriber() {
        let runs = Counter()
        let publisher = AnyPublisher<Int, Never>.create { emitter in
            runs.increment()
            emitter.onNext(runs.count)
            return Disposable()
        }
        let first = RecordingSubscriber<Int, Never>()
        let second = RecordingSubscriber<Int, Never>()
        publisher.subscribe(first)
        publisher.subscribe(second)
        #expect(first.values == [1])
        #expect(second.values == [2])
    }

    @Test("Values sent while one is being delivered follow it, on the same thread and without recursion")
    func reentrant() {
        let emitters = Mutex<Emitter<Int, Never>?>(nil)
        let subscriber = RecordingSubscriber<Int, Never>(onValue: { _, value in
            if value < 100_000 { emitters.withLock { $0 }?.onNext(value + 1) }
        })
        AnyPublisher<Int, Never>.create { emitter in
            emitters.withLock { $0 = emitter }
            emitter.onNext(1)
            return Disposable()
        }.subscribe(subscriber)
        #expect(subscriber.values.count == 100_000)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A closure learns of all demand, what came before it included")
    func onRequest() {
        let demands = Mutex<[Subscribers.Demand]>([])
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2), demandForValue: { _ in .max(1) })
        AnyPublisher<Int, Never>.create { emitter in
            emitter.onRequest { demand in demands.withLock { $0.append(demand) } }
            emitter.onNext(1)
            return Disposable()
        }.subscribe(subscriber)
        subscriber.request(.max(5))
        #expect(demands.withLock { $0 } == [.max(2), .max(1), .max(5)])
    }

    @Test("A subscriber and its closures are released by a cancel, though the emitter and subscription are kept")
    func release() {
        final class Token: Sendable {}
        let emitters = Mutex<Emitter<Int, Never>?>(nil)
        weak var released: Token?
        do {
            let token = Token()
            released = token
            AnyPublisher<Int, Never>.create { emitter in
                emitters.withLock { $0 = emitter }
                return Disposable()
            }.sink { _ in withExtendedLifetime(token) {} }.cancel()
        }
        #expect(released == nil)
        emitters.withLock { $0 }?.onNext(1)
    }
}
