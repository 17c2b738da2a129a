import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("create, demand")
struct CreateDemandTests {
    private typealias Created = AnyPublisher<Int, TestError>

    /// A stream of `create`, and what sends into it.
    private func started(
        _ strategy: BackpressureStrategy<TestError>, _ subscriber: RecordingSubscriber<Int, TestError>
    ) throws -> Emitter<Int, TestError> {
        let emitters = Recorded<Emitter<Int, TestError>?>(nil)
        Created.create(strategy) { emitter in
            emitters.update { $0 = emitter }
            return Disposable()
        }.subscribe(subscriber)
        return try #require(emitters.value)
    }

    @Test("What is requested inside a value counts for what is sent inside it")
    func requestedInsideValue() throws {
        let strategies: [BackpressureStrategy<TestError>] = [
            .unbounded, .buffer(1), .latest, .dropNewest, .fail(.overflow),
        ]
        for strategy in strategies {
            let emitters = Recorded<Emitter<Int, TestError>?>(nil)
            let subscriber = RecordingSubscriber<Int, TestError>(
                initialDemand: .max(1),
                onValue: { subscriber, value in
                    guard value == 1 else { return }
                    subscriber.request(.max(10))
                    for value in 2...5 { emitters.value?.send(value) }
                })
            let emitter = try started(strategy, subscriber)
            emitters.update { $0 = emitter }
            emitter.send(1)
            #expect(subscriber.values == [1, 2, 3, 4, 5])
            #expect(subscriber.completion == nil)
            #expect(emitter.requested == .max(6))
        }
    }

    @Test("A closure for requests that is set inside a value is called behind it, and what it sends is delivered")
    func listenerInsideValue() throws {
        let emitters = Recorded<Emitter<Int, TestError>?>(nil)
        let next = Mutex(1)
        let inside = Mutex(false)
        let wasInside = Mutex(false)
        let mostKept = Mutex(0)
        let subscriber = RecordingSubscriber<Int, TestError>(
            onValue: { subscriber, value in
                inside.withLock { $0 = true }
                defer { inside.withLock { $0 = false } }
                let kept = next.withLock { $0 } - value
                mostKept.withLock { $0 = max($0, kept) }
                guard value == 0, let emitter = emitters.value else { return }
                emitter.onRequest { _ in
                    if inside.withLock({ $0 }) { wasInside.withLock { $0 = true } }
                    while emitter.requested > .none, next.withLock({ $0 < 1_000 }) {
                        let value = next.withLock { next in
                            next += 1
                            return next - 1
                        }
                        emitter.send(value)
                    }
                }
            })
        let emitter = try started(.unbounded, subscriber)
        emitters.update { $0 = emitter }
        emitter.send(0)
        #expect(subscriber.values == Array(0..<1_000))
        #expect(!wasInside.withLock { $0 })
        #expect(mostKept.withLock { $0 } == 1)
    }

    @Test("The value in flight is no demand for what is sent inside it")
    func valueInFlight() throws {
        let emitters = Recorded<Emitter<Int, TestError>?>(nil)
        let subscriber = RecordingSubscriber<Int, TestError>(
            initialDemand: .max(1),
            onValue: { _, value in
                #expect(emitters.value?.requested == Subscribers.Demand.none)
                if value == 1 { for value in 2...4 { emitters.value?.send(value) } }
            })
        let emitter = try started(.buffer(1), subscriber)
        emitters.update { $0 = emitter }
        emitter.send(1)
        #expect(subscriber.values == [1])
        subscriber.request(.max(1))
        #expect(subscriber.values == [1, 4])
        subscriber.request(.max(1))
        #expect(subscriber.values == [1, 4])
    }

    @Test("Returned demand goes to what was kept before what is sent next")
    func returnedDemand() throws {
        let emitters = Recorded<Emitter<Int, TestError>?>(nil)
        let subscriber = RecordingSubscriber<Int, TestError>(
            initialDemand: .max(1), demandForValue: { $0 == 1 ? .max(1) : .none },
            onValue: { _, value in if value == 1 { for value in 2...3 { emitters.value?.send(value) } } })
        let emitter = try started(.unbounded, subscriber)
        emitters.update { $0 = emitter }
        emitter.send(1)
        emitter.send(4)
        emitter.onComplete()
        emitter.send(5)
        #expect(subscriber.values == [1, 2])
        subscriber.request(.unlimited)
        #expect(subscriber.values == [1, 2, 3, 4])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("What is dropped of a full buffer is the oldest value without demand")
    func dropsUnrequested() throws {
        let emitters = Recorded<Emitter<Int, TestError>?>(nil)
        let subscriber = RecordingSubscriber<Int, TestError>(
            initialDemand: .max(1),
            onValue: { subscriber, value in
                guard value == 1 else { return }
                subscriber.request(.max(2))
                for value in 2...5 { emitters.value?.send(value) }
            })
        let emitter = try started(.latest, subscriber)
        emitters.update { $0 = emitter }
        emitter.send(1)
        #expect(subscriber.values == [1, 2, 3])
        subscriber.request(.unlimited)
        #expect(subscriber.values == [1, 2, 3, 5])
    }

    @Test("A source that sends while something is requested stops with the demand, also inside a value")
    func requestedFalls() throws {
        let emitters = Recorded<Emitter<Int, TestError>?>(nil)
        let next = Counter()
        let subscriber = RecordingSubscriber<Int, TestError>(
            initialDemand: .max(1),
            onValue: { subscriber, value in
                guard value == 0, let emitter = emitters.value else { return }
                subscriber.request(.max(3))
                while emitter.requested > .none, next.count < 100 {
                    next.increment()
                    emitter.send(next.count)
                }
            })
        let emitter = try started(.fail(.overflow), subscriber)
        emitters.update { $0 = emitter }
        emitter.send(0)
        #expect(subscriber.values == [0, 1, 2, 3])
        #expect(subscriber.completion == nil)
    }

    /// A source that makes numbers as long as some are requested, and stops by itself only at a hundred thousand.
    private func numbers(_ next: Counter) -> AnyPublisher<Int, Never> {
        .create { emitter in
            emitter.onRequest { _ in
                while emitter.requested > .none, next.count < 100_000 {
                    next.increment()
                    emitter.send(next.count)
                }
            }
            return Disposable()
        }
    }

    @Test("A pull source delivers what a subscriber asks for one by one, and stops with it")
    func pullSource() {
        let next = Counter()
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(1), demandForValue: { $0 < 1_000 ? .max(1) : .none })
        numbers(next).subscribe(subscriber)
        #expect(next.count == 1_000)
        #expect(subscriber.values == Array(1...1_000))
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A pull source that is asked for everything inside a value is cancelled in time")
    func pullSourceWithoutEnd() {
        let next = Counter()
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(1),
            onValue: { subscriber, value in
                if value == 1 { subscriber.request(.unlimited) }
                if value == 5 { subscriber.cancelInSignal() }
            })
        numbers(next).subscribe(subscriber)
        #expect(next.count == 5)
        #expect(subscriber.values == Array(1...5))
        #expect(subscriber.violations.isEmpty)
    }

    @Test("Nothing is requested any more after a completion, a failure or a cancel")
    func requestedAfterEnd() throws {
        let subscriber = RecordingSubscriber<Int, TestError>()
        let emitter = try started(.unbounded, subscriber)
        #expect(emitter.requested == .unlimited)
        emitter.onComplete()
        #expect(emitter.requested == .none)
        let waiting = RecordingSubscriber<Int, TestError>(initialDemand: .none)
        let kept = try started(.unbounded, waiting)
        kept.send(1)
        kept.onError(.expected)
        waiting.request(.max(5))
        #expect(kept.requested == .none)
        let cancelled = RecordingSubscriber<Int, TestError>()
        let left = try started(.unbounded, cancelled)
        cancelled.cancel()
        #expect(left.requested == .none)
    }

    @Test("An overflow comes behind the values that have been requested, and what was kept is dropped")
    func overflowBehindRequested() {
        let subject = PassthroughSubject<Int, TestError>()
        let subscriber = RecordingSubscriber<Int, TestError>(
            initialDemand: .none,
            onValue: { subscriber, value in
                guard value == 1 else { return }
                subscriber.request(.max(2))
                for value in 2...5 { subject.send(value) }
            })
        subject.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .overflow }).subscribe(subscriber)
        subject.send(1)
        subscriber.request(.max(1))
        #expect(subscriber.values == [1, 2, 3])
        guard case .failure(.overflow) = subscriber.completion else {
            Issue.record("\(String(describing: subscriber.completion))")
            return
        }
    }

    @Test("The closure of onRequest is called once at a time, whoever requests")
    func serialRequests() {
        for _ in 0..<raceCount {
            let inside = Atomic(0)
            let overlaps = Counter()
            let told = Recorded(Subscribers.Demand.none)
            let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .none)
            AnyPublisher<Int, Never>.create { emitter in
                emitter.onRequest { demand in
                    if inside.add(1, ordering: .acquiringAndReleasing).newValue > 1 { overlaps.increment() }
                    told.update { $0 += demand }
                    inside.subtract(1, ordering: .acquiringAndReleasing)
                }
                return Disposable()
            }.subscribe(subscriber)
            race(
                { for _ in 0..<10 { subscriber.request(.max(1)) } },
                { for _ in 0..<10 { subscriber.request(.max(2)) } })
            #expect(overlaps.count == 0)
            #expect(told.value == .max(30))
        }
    }

    @Test(
        "The closure of onRequest is released at the end and by a cancel, also where it holds the emitter",
        arguments: [false, true])
    func closureIsReleased(isCancelled: Bool) {
        final class Token: Sendable {}
        weak var held: Token?
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
        do {
            let token = Token()
            held = token
            AnyPublisher<Int, Never>.create { emitter in
                emitter.onRequest { _ in
                    withExtendedLifetime(token) {}
                    emitter.send(1)
                    if !isCancelled { emitter.send(completion: .finished) }
                }
                return Disposable()
            }.subscribe(subscriber)
        }
        #expect((held != nil) == isCancelled)
        if isCancelled { subscriber.cancel() }
        #expect(held == nil)
        #expect(subscriber.values == [1])
    }
}
