import Streams
import Testing

/// Counts subscriptions and cancellations on their way to a subject.
private final class CountingSource: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let subject = PassthroughSubject<Int, Never>()
    let subscriptions = Recorded(0)
    let cancellations = Recorded(0)

    final class Counting: Subscription {
        let source: CountingSource
        let upstream: any Subscription

        init(source: CountingSource, upstream: any Subscription) {
            self.source = source
            self.upstream = upstream
        }

        func request(_ demand: Subscribers.Demand) { upstream.request(demand) }
        func cancel() {
            source.cancellations.withLock { $0 += 1 }
            upstream.cancel()
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriptions.withLock { $0 += 1 }
        subject.receive(
            subscriber: AnySubscriber(
                receiveSubscription: { subscriber.receive(subscription: Counting(source: self, upstream: $0)) },
                receiveValue: { subscriber.receive($0) },
                receiveCompletion: { subscriber.receive(completion: $0) }))
    }
}

@Suite("share")
struct ShareTests {
    @Test("All subscribers share one subscription")
    func multicast() {
        let source = CountingSource()
        let shared = source.share()
        let (first, second) = (SubjectProbe<Int>(), SubjectProbe<Int>())
        shared.subscribe(first)
        source.subject.send(1)
        shared.subscribe(second)
        source.subject.send(2)
        source.subject.send(completion: .finished)
        #expect(first.values == [1, 2] && first.completions == 1)
        #expect(second.values == [2] && second.completions == 1)
        #expect(source.subscriptions.value == 1)
    }

    // FIELD.md: "cancel idempotent | cancelling one share() subscriber twice disconnected the other".
    @Test("Cancelling one subscriber twice leaves the other connected")
    func cancelTwice() {
        let source = CountingSource()
        let shared = source.share()
        let (first, second) = (SubjectProbe<Int>(), SubjectProbe<Int>())
        shared.subscribe(first)
        shared.subscribe(second)
        first.subscription?.cancel()
        first.subscription?.cancel()
        source.subject.send(1)
        #expect(second.values == [1])
        #expect(source.cancellations.value == 0)
        second.subscription?.cancel()
        #expect(source.cancellations.value == 1)
    }

    // FIELD.md: "refCount connects once | 7 of 3,000 races subscribed upstream twice".
    @Test("Two threads that subscribe at once connect once")
    func connectsOnce() {
        for _ in 0..<raceCount {
            let source = CountingSource()
            let shared = source.share()
            let (first, second) = (SubjectProbe<Int>(), SubjectProbe<Int>())
            SubjectRace.run({ shared.subscribe(first) }, { shared.subscribe(second) })
            #expect(source.subscriptions.value == 1)
            source.subject.send(1)
            #expect(first.values == [1] && second.values == [1])
        }
    }

    @Test("Subscribing while the last one cancels leaves the new one connected, and every other connection cancelled")
    func reconnectRace() {
        for _ in 0..<raceCount {
            let source = CountingSource()
            let shared = source.share()
            let (first, second) = (SubjectProbe<Int>(), SubjectProbe<Int>())
            shared.subscribe(first)
            SubjectRace.run({ first.subscription?.cancel() }, { shared.subscribe(second) })
            source.subject.send(1)
            #expect(second.values == [1])
            second.subscription?.cancel()
            #expect(
                source.subscriptions.value == source.cancellations.value)
        }
    }

    @Test("It reconnects after the last one has cancelled, but never after the completion")
    func restart() {
        let source = CountingSource()
        let shared = source.share()
        let first = SubjectProbe<Int>()
        shared.subscribe(first)
        first.subscription?.cancel()
        let second = SubjectProbe<Int>()
        shared.subscribe(second)
        source.subject.send(1)
        #expect(first.values == [] && second.values == [1])
        #expect(source.subscriptions.value == 2)
        source.subject.send(completion: .finished)
        let third = SubjectProbe<Int>()
        shared.subscribe(third)
        #expect(third.completions == 1)
        #expect(source.subscriptions.value == 2)
    }

    @Test("A synchronous upstream waits for the first request")
    func waitsForDemand() {
        let shared = [1, 2, 3].publisher.share()
        let probe = SubjectProbe<Int>(demand: .none)
        shared.subscribe(probe)
        #expect(probe.completions == 0)
        probe.subscription?.request(.unlimited)
        #expect(probe.values == [1, 2, 3])
        #expect(probe.completions == 1)
    }

    @Test("A subscriber that cancels as soon as it has its subscription connects nothing")
    func cancelledAtOnce() {
        let source = CountingSource()
        source.share().subscribe(AnySubscriber<Int, Never>(receiveSubscription: { $0.cancel() }))
        #expect(source.subscriptions.value == 0)
    }

    /// Says how many subscriptions are alive at once, and what is done inside a cancel, before it is over.
    private final class OneAtATime: Publisher {
        typealias Output = Int
        typealias Failure = Never

        let source = CountingSource()
        let inCancel = Recorded<(@Sendable () -> Void)?>(nil)
        let alive = Recorded(0)
        let most = Recorded(0)

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            let count = alive.withLock { alive in
                alive += 1
                return alive
            }
            most.update { $0 = Swift.max($0, count) }
            source.handleEvents(receiveCancel: { [self] in
                inCancel.withLock { $0.take() }?()
                alive.update { $0 -= 1 }
            }).receive(subscriber: subscriber)
        }
    }

    @Test("Who subscribes while the last cancel is inside the upstream's disposable is connected when that is over")
    func oneConnectionAtATime() {
        let upstream = OneAtATime()
        let shared = upstream.share()
        let (first, second, third) = (SubjectProbe<Int>(), SubjectProbe<Int>(), SubjectProbe<Int>())
        shared.subscribe(first)
        upstream.inCancel.set {
            shared.subscribe(second)
            shared.subscribe(third)
            #expect(second.subscription != nil)
        }
        first.subscription?.cancel()
        upstream.source.subject.send(1)
        #expect(second.values == [1] && third.values == [1])
        #expect(upstream.most.value == 1)
        #expect(upstream.source.subscriptions.value == 2)
    }

    @Test("Who subscribes while the last one is being cancelled and cancels at once connects nothing")
    func goneAgain() {
        let upstream = OneAtATime()
        let shared = upstream.share()
        let (first, second, third) = (SubjectProbe<Int>(), SubjectProbe<Int>(), SubjectProbe<Int>())
        shared.subscribe(first)
        upstream.inCancel.set {
            shared.subscribe(second)
            second.subscription?.cancel()
        }
        first.subscription?.cancel()
        #expect(upstream.source.subscriptions.value == 1)
        shared.subscribe(third)
        upstream.source.subject.send(1)
        #expect(third.values == [1])
        #expect(upstream.most.value == 1)
    }

    @Test("A value and an end that an old connection has queued reach nobody of the next one")
    func oldConnection() {
        let upstream = TwoFaced()
        let shared = upstream.share()
        let next = SubjectProbe<Int>()
        let first = Recorded<(any Subscription)?>(nil)
        shared.subscribe(
            AnySubscriber<Int, Never>(
                receiveSubscription: {
                    first.set($0)
                    $0.request(.unlimited)
                },
                receiveValue: { _ in
                    // Queued, because this one is being delivered.
                    upstream.send(2, as: 0)
                    upstream.finish(as: 0)
                    first.value?.cancel()
                    shared.subscribe(next)
                    return .none
                }))
        upstream.send(1, as: 0)
        #expect(next.values == [] && next.completions == 0)
        upstream.send(3, as: 1)
        upstream.finish(as: 1)
        #expect(next.values == [3] && next.completions == 1)
    }

    /// Lets each of its subscriptions be sent to by itself.
    private final class TwoFaced: Publisher {
        typealias Output = Int
        typealias Failure = Never

        let subscribers = Recorded<[AnySubscriber<Int, Never>]>([])

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            subscribers.update { $0.append(AnySubscriber(subscriber)) }
            subscriber.receive(subscription: Ignoring())
        }

        func send(_ value: Int, as index: Int) { _ = subscribers.value[index].receive(value) }
        func finish(as index: Int) { subscribers.value[index].receive(completion: .finished) }

        final class Ignoring: Subscription {
            func request(_ demand: Subscribers.Demand) {}
            func cancel() {}
        }
    }

    @Test("Subscribing while the last one cancels: never two connections, and no value of the old one")
    func generationRace() {
        for _ in 0..<raceCount {
            let upstream = OneAtATime()
            let shared = upstream.share()
            let (first, second) = (SubjectProbe<Int>(), SubjectProbe<Int>())
            shared.subscribe(first)
            SubjectRace.run({ first.subscription?.cancel() }, { shared.subscribe(second) })
            #expect(upstream.most.value == 1)
            upstream.source.subject.send(1)
            #expect(second.values == [1])
        }
    }
}
