import Streams
import StreamsTesting
import Testing

@Suite("multicast, autoconnect, share(replay:) and ReplaySubject")
struct MulticastTests {
    private typealias Recorder = RecordingSubscriber<Int, TestError>

    @Test("Nothing is delivered before connect, and each subscriber gets all of it after")
    func connect() {
        let subscriptions = Counter()
        let published = (1...3).publisher.setFailureType(to: TestError.self)
            .handleEvents(receiveSubscription: { _ in subscriptions.increment() })
            .multicast { PassthroughSubject() }
        let (first, second) = (Recorder(), Recorder())
        published.subscribe(first)
        published.subscribe(second)
        #expect(subscriptions.count == 0)
        let connection = published.connect()
        _ = published.connect()
        #expect(subscriptions.count == 1)
        #expect(first.values == [1, 2, 3] && second.values == [1, 2, 3])
        #expect(first.isFinished && second.isFinished)
        connection.cancel()
    }

    @Test("A cancelled connection cancels the upstream; the next one serves whoever is subscribed then")
    func reconnect() {
        let cancels = Counter()
        let subject = PassthroughSubject<Int, TestError>()
        let published = subject.handleEvents(receiveCancel: { cancels.increment() }).multicast { PassthroughSubject() }
        let first = Recorder()
        published.subscribe(first)
        let connection = published.connect()
        subject.send(1)
        connection.cancel()
        connection.cancel()
        #expect(cancels.count == 1)
        subject.send(2)
        let second = Recorder()
        published.subscribe(second)
        let next = published.connect()
        subject.send(3)
        #expect(first.values == [1, 3])
        #expect(second.values == [3])
        next.cancel()
    }

    @Test("autoconnect connects with the first and disconnects with the last; what is cancelled twice counts once")
    func autoconnect() {
        let (subscriptions, cancels) = (Counter(), Counter())
        let subject = PassthroughSubject<Int, TestError>()
        let shared = subject.handleEvents(
            receiveSubscription: { _ in subscriptions.increment() }, receiveCancel: { cancels.increment() }
        ).multicast { PassthroughSubject() }.autoconnect()
        let (first, second) = (Recorder(), Recorder())
        shared.subscribe(first)
        shared.subscribe(second)
        subject.send(1)
        first.cancel()
        first.cancel()
        #expect(cancels.count == 0)
        subject.send(2)
        second.cancel()
        #expect(subscriptions.count == 1 && cancels.count == 1)
        #expect(first.values == [1] && second.values == [1, 2])
        shared.subscribe(Recorder())
        #expect(subscriptions.count == 2)
    }

    @Test(
        "Subscribers that come and go at the same time connect one upstream at a time (FIELD: refCount connects once)")
    func connectsOnce() {
        for _ in 0..<raceCount {
            let live = ResourceCounter()
            let subject = PassthroughSubject<Int, TestError>()
            let shared = live.counting(subject).multicast { PassthroughSubject() }.autoconnect()
            let (first, second) = (Recorder(), Recorder())
            race(
                { shared.subscribe(first) },
                {
                    shared.subscribe(second)
                    second.cancel()
                })
            #expect(live.count == 1)
            subject.send(7)
            #expect(first.values == [7])
            first.cancel()
            #expect(live.count == 0)
            #expect(!subject.hasSubscribers)
        }
    }

    @Test("One that comes while the last one goes is connected, not left on the subject that is being dropped")
    func comesWhileLastGoes() {
        for round in 0..<raceCount {
            let live = ResourceCounter()
            let subject = PassthroughSubject<Int, TestError>()
            let shared = live.counting(subject).multicast { PassthroughSubject() }.autoconnect()
            let (first, second) = (Recorder(), Recorder())
            shared.subscribe(first)
            race({ first.cancel() }, { shared.subscribe(second) })
            #expect(live.count == 1)
            subject.send(7)
            #expect(second.values == [7], "round \(round)")
            #expect(second.violations.isEmpty)
            second.cancel()
            #expect(live.count == 0)
        }
    }

    @Test("One that comes after the decision to disconnect, and before it is done, is connected anew")
    func comesBeforeDisconnect() {
        struct Hooked<Base: ConnectablePublisher>: ConnectablePublisher {
            typealias Output = Base.Output
            typealias Failure = Base.Failure
            let base: Base
            let willDisconnect: @Sendable () -> Void
            func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
                base.receive(subscriber: subscriber)
            }
            func connect() -> any Cancellable {
                let connection = base.connect()
                return Disposable {
                    willDisconnect()
                    connection.cancel()
                }
            }
        }
        let subject = PassthroughSubject<Int, TestError>()
        let action = Recorded<(@Sendable () -> Void)?>(nil)
        let shared = Hooked(base: subject.multicast { PassthroughSubject() }, willDisconnect: { action.value?() })
            .autoconnect()
        let (first, second, gone) = (Recorder(), Recorder(), Recorder())
        shared.subscribe(first)
        action.set {
            action.set(nil)
            shared.subscribe(second)
            shared.subscribe(gone)
            gone.cancel()
        }
        first.cancel()
        subject.send(7)
        #expect(second.values == [7])
        #expect(gone.values.isEmpty)
        second.cancel()
        #expect(!subject.hasSubscribers)
    }

    @Test("One that subscribes while the upstream is being cancelled is connected anew")
    func subscribesInsideDisconnect() {
        let subject = PassthroughSubject<Int, TestError>()
        let second = Recorder()
        let again = Recorded<(@Sendable () -> Void)?>(nil)
        let shared = subject.handleEvents(receiveCancel: { again.value?() }).multicast { PassthroughSubject() }
            .autoconnect()
        let first = Recorder()
        shared.subscribe(first)
        again.set {
            again.set(nil)
            shared.subscribe(second)
        }
        first.cancel()
        subject.send(7)
        #expect(first.values.isEmpty)
        #expect(second.values == [7])
        second.cancel()
        #expect(!subject.hasSubscribers)
    }

    @Test("A connection that is made while another one is cancelled feeds those who subscribe to it")
    func connectRaced() {
        for round in 0..<raceCount {
            let subject = PassthroughSubject<Int, TestError>()
            let published = subject.multicast { PassthroughSubject() }
            let connection = published.connect()
            let next = Recorded<(any Cancellable)?>(nil)
            race({ connection.cancel() }, { next.set(published.connect()) })
            let subscriber = Recorder()
            published.subscribe(subscriber)
            let isConnected = subject.hasSubscribers
            subject.send(7)
            #expect(subscriber.values == (isConnected ? [7] : []), "round \(round)")
            next.value?.cancel()
        }
    }

    @Test("After the upstream's completion it never starts again: late ones get what is kept, and the end")
    func staysCompleted() {
        for scope in [Publishers.ReplayScope.whileConnected, .forever] {
            let subscriptions = Counter()
            let shared = (1...3).publisher.setFailureType(to: TestError.self)
                .handleEvents(receiveSubscription: { _ in subscriptions.increment() }).share(replay: 2, scope: scope)
            let (first, late, short) = (Recorder(), Recorder(), Recorder(initialDemand: .max(1)))
            shared.subscribe(first)
            first.cancel()
            shared.subscribe(short)
            short.cancel()
            shared.subscribe(late)
            #expect(first.values == [1, 2, 3])
            #expect(short.values == [2])
            #expect(late.values == [2, 3] && late.isFinished)
            #expect(subscriptions.count == 1)
        }
    }

    @Test("A replay subject gives new subscribers the newest values, then what follows, then the end")
    func replay() {
        let subject = ReplaySubject<Int, TestError>(bufferSize: 2)
        for value in 1...3 { subject.send(value) }
        let early = Recorder(initialDemand: .max(1))
        subject.subscribe(early)
        #expect(early.values == [2])
        subject.send(4)
        early.request(.unlimited)
        #expect(early.values == [2, 3, 4])
        subject.send(completion: .finished)
        subject.send(5)
        let late = Recorder()
        subject.subscribe(late)
        #expect(late.values == [3, 4])
        #expect(early.isFinished && late.isFinished)
        #expect(early.violations.isEmpty && late.violations.isEmpty)
    }

    @Test("A subscriber that comes while values are sent misses none and gets none twice")
    func replayRaced() {
        for _ in 0..<raceCount {
            let subject = ReplaySubject<Int, TestError>(bufferSize: .max)
            let subscriber = Recorder()
            race(
                { for value in 1...8 { subject.send(value) } },
                { subject.subscribe(subscriber) })
            #expect(subscriber.values == Array(1...8))
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("share(replay:) keeps values while it is connected, or for ever")
    func shareReplay() {
        for scope in [Publishers.ReplayScope.whileConnected, .forever] {
            let subject = PassthroughSubject<Int, TestError>()
            let shared = subject.share(replay: 1, scope: scope)
            let first = Recorder()
            shared.subscribe(first)
            subject.send(1)
            subject.send(2)
            let second = Recorder()
            shared.subscribe(second)
            #expect(second.values == [2])
            first.cancel()
            second.cancel()
            #expect(!subject.hasSubscribers)
            let third = Recorder()
            shared.subscribe(third)
            #expect(third.values == (scope == .forever ? [2] : []))
            subject.send(3)
            #expect(third.values.last == 3)
        }
    }

    @Test("A subject that has gone lets go of its subscribers")
    func released() {
        final class Token: Sendable {}
        weak var held: Token?
        do {
            let token = Token()
            held = token
            let subject = ReplaySubject<Int, Never>(bufferSize: 1)
            let sink = subject.sink { _ in withExtendedLifetime(token) {} }
            subject.send(1)
            sink.cancel()
        }
        #expect(held == nil)
    }
}
