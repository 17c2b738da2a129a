import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Subjects, share and Future")
struct SubjectTests {
    @Test("A subject delivers to its subscribers in the order in which they came")
    func order() {
        let subject = PassthroughSubject<Int, Never>()
        let seen = Mutex<[Int]>([])
        let subscribers = (0..<20).map { number in
            RecordingSubscriber<Int, Never>(onValue: { _, _ in seen.withLock { $0.append(number) } })
        }
        for subscriber in subscribers { subject.subscribe(subscriber) }
        subject.send(1)
        subscribers[3].cancel()
        subject.send(2)
        #expect(seen.withLock { $0 } == Array(0..<20) + (0..<20).filter { $0 != 3 })
    }

    @Test("Nothing is delivered after .finished, however the senders race (FIELD: 11 of 20,000 races)")
    func sendRacesFinish() {
        for _ in 0..<5_000 {
            let subject = PassthroughSubject<Int, Never>()
            let subscriber = RecordingSubscriber<Int, Never>()
            subject.subscribe(subscriber)
            race({ for value in 0..<5 { subject.send(value) } }, { subject.send(completion: .finished) })
            #expect(subscriber.isFinished)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("Two threads that send lose nothing, and each one's values stay in order")
    func twoSenders() {
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = RecordingSubscriber<Int, Never>()
        subject.subscribe(subscriber)
        race(
            { for value in 0..<20_000 { subject.send(value) } },
            { for value in 20_000..<40_000 { subject.send(value) } })
        #expect(subscriber.values.count == 40_000)
        for half in [subscriber.values.filter { $0 < 20_000 }, subscriber.values.filter { $0 >= 20_000 }] {
            #expect(half == half.sorted())
        }
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A value without demand is dropped by a passthrough subject, kept by a current-value subject")
    func demand() {
        let passthrough = PassthroughSubject<Int, Never>()
        let current = CurrentValueSubject<Int, Never>(0)
        let subscribers = (0..<2).map { _ in RecordingSubscriber<Int, Never>(initialDemand: .none) }
        passthrough.subscribe(subscribers[0])
        current.subscribe(subscribers[1])
        for value in 1...3 {
            passthrough.send(value)
            current.send(value)
        }
        for subscriber in subscribers { subscriber.request(.max(2)) }
        passthrough.send(4)
        current.value = 4
        #expect(subscribers[0].values == [4])
        #expect(subscribers[1].values == [3, 4])
        #expect(current.value == 4)
    }

    @Test("What is sent from inside a value follows it, for all subscribers alike")
    func reentrant() {
        let subject = PassthroughSubject<Int, Never>()
        let first = RecordingSubscriber<Int, Never>(onValue: { _, value in if value < 5 { subject.send(value + 1) } })
        let second = RecordingSubscriber<Int, Never>()
        subject.subscribe(first)
        subject.subscribe(second)
        subject.send(1)
        #expect(first.values == [1, 2, 3, 4, 5])
        #expect(second.values == [1, 2, 3, 4, 5])
        #expect(first.violations.isEmpty && second.violations.isEmpty)
    }

    @Test("A cancelled subscriber is released, though the subject lives; a late cancel after the subject is harmless")
    func release() {
        final class Token: Sendable {}
        var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
        weak var released: Token?
        var late: AnyCancellable?
        do {
            let token = Token()
            released = token
            let cancellable = subject?.sink { _ in withExtendedLifetime(token) {} }
            late = subject?.sink { _ in }
            subject?.send(1)
            cancellable?.cancel()
        }
        #expect(released == nil)
        subject = nil
        late?.cancel()
    }

    @Test("Subscribers that come late to a finished subject get its completion")
    func late() {
        let subject = CurrentValueSubject<Int, TestError>(1)
        subject.send(completion: .failure(.expected))
        let subscriber = RecordingSubscriber<Int, TestError>()
        subject.subscribe(subscriber)
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.completion == .failure(.expected))
    }

    @Test("share connects once however its subscribers race (FIELD: 7 of 3,000 races subscribed twice)")
    func shareConnectsOnce() {
        for _ in 0..<3_000 {
            let connections = Counter()
            let shared = AnyPublisher<Int, Never>.create { _ in
                connections.increment()
                return Disposable()
            }.share()
            let subscribers = (0..<2).map { _ in RecordingSubscriber<Int, Never>() }
            race(subscribers.map { subscriber in { shared.subscribe(subscriber) } })
            #expect(connections.count == 1)
            for subscriber in subscribers { subscriber.cancel() }
        }
    }

    @Test("Cancelling one subscriber of share twice leaves the other connected; the last one disconnects")
    func shareCancelTwice() {
        let emitters = Mutex<Emitter<Int, Never>?>(nil)
        let disconnected = Counter()
        let shared = AnyPublisher<Int, Never>.create { emitter in
            emitters.withLock { $0 = emitter }
            return Disposable { disconnected.increment() }
        }.share()
        let first = RecordingSubscriber<Int, Never>()
        let second = RecordingSubscriber<Int, Never>()
        shared.subscribe(first)
        shared.subscribe(second)
        first.cancel()
        first.cancel()
        emitters.withLock { $0 }?.onNext(1)
        #expect(second.values == [1])
        #expect(disconnected.count == 0)
        second.cancel()
        #expect(disconnected.count == 1)
    }

    @Test("share does not start again after the end")
    func shareEnds() {
        let shared = Just(1).share()
        let first = RecordingSubscriber<Int, Never>()
        let second = RecordingSubscriber<Int, Never>()
        shared.subscribe(first)
        shared.subscribe(second)
        #expect(first.values == [1])
        #expect(second.values.isEmpty)
        #expect(second.isFinished)
    }

    @Test("A future's first result counts, and everybody gets it, when they request")
    func future() {
        let promises = Mutex<Future<Int, TestError>.Promise?>(nil)
        let future = Future<Int, TestError> { promise in promises.withLock { $0 = promise } }
        let early = RecordingSubscriber<Int, TestError>(initialDemand: .none)
        future.subscribe(early)
        promises.withLock { $0 }?(.success(1))
        promises.withLock { $0 }?(.failure(.expected))
        #expect(early.values.isEmpty)
        early.request(.max(1))
        #expect(early.values == [1])
        #expect(early.isFinished)
        let late = RecordingSubscriber<Int, TestError>()
        future.subscribe(late)
        #expect(late.values == [1])
    }
}
