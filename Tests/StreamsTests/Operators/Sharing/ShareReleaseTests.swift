import Streams
import StreamsTesting
import Testing

@Suite("Whoever comes while a connection of a shared publisher ends")
struct ShareReleaseTests {
    @Test(
        "A kept value that subscribes anew as it is let go of finds the shared publisher free",
        arguments: [true, false])
    func value(isUpstreamGone: Bool) {
        typealias Upstream = PassthroughSubject<ReleaseMarker, Never>
        let upstream = Recorded<Upstream?>(nil)
        let shared = Deferred {
            let subject = Upstream()
            upstream.set(subject)
            return subject
        }.share(replay: 2)
        let again = Recorded<[AnyCancellable]>([])
        let first = shared.sink { _ in }
        upstream.value?.send(ReleaseMarker { again.update { $0.append(shared.sink { _ in }) } })
        if isUpstreamGone { upstream.set(nil) }
        first.cancel()
        #expect(again.value.count == 1)
        #expect(upstream.value?.hasSubscribers == true)
        for sink in again.value { sink.cancel() }
        #expect(upstream.value?.hasSubscribers == false)
    }

    @Test("An upstream that has forgotten its subscriber, and subscribes anew as it is cancelled, finds it free")
    func cancel() {
        let place = Recorded<AnyPublisher<Int, Never>?>(nil)
        let again = Recorded<[AnyCancellable]>([])
        let cancels = Counter()
        let shared = Empty<Int, Never>(completeImmediately: false)
            .handleEvents(receiveCancel: {
                cancels.increment()
                guard cancels.count == 1, let shared = place.value else { return }
                again.update { $0.append(shared.sink { _ in }) }
            }).share(replay: 2).eraseToAnyPublisher()
        place.set(shared)
        let first = shared.sink { _ in }
        first.cancel()
        #expect(cancels.count == 1 && again.value.count == 1)
        for sink in again.value { sink.cancel() }
        #expect(cancels.count == 2)
        place.set(nil)
    }

    @Test("So does one that comes to the connectable publisher behind it")
    func connectable() {
        let subscribe = Recorded<(@Sendable () -> AnyCancellable)?>(nil)
        let again = Recorded<[AnyCancellable]>([])
        let shared = Empty<Int, Never>(completeImmediately: false)
            .handleEvents(receiveCancel: { if let sink = subscribe.value?() { again.update { $0.append(sink) } } })
            .share(replay: 2)
        subscribe.set { shared.upstream.sink { _ in } }
        shared.sink { _ in }.cancel()
        #expect(again.value.count == 1)
        subscribe.set(nil)
    }

    @Test("A subscriber that another thread cancels while it is let in leaves the shared publisher to the next one")
    func cancelsWhileSubscribing() {
        for _ in 0..<raceCount {
            let subject = PassthroughSubject<Int, Never>()
            let shared = subject.share()
            let (first, second) = (SubjectProbe<Int>(), SubjectProbe<Int>())
            SubjectRace.run(
                { shared.subscribe(first) },
                {
                    while true {
                        guard let subscription = first.subscription else { continue }
                        return subscription.cancel()
                    }
                })
            #expect(!subject.hasSubscribers)
            shared.subscribe(second)
            subject.send(1)
            #expect(first.values == [] && second.values == [1])
            second.subscription?.cancel()
            #expect(!subject.hasSubscribers)
        }
    }
}
