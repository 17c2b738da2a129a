import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("autoconnect of a publisher of one's own")
struct AutoconnectTests {
    /// Delivers to those who have subscribed since it was last disconnected.
    private final class Forgetting: ConnectablePublisher {
        typealias Output = Int
        typealias Failure = Never

        let subject = Mutex(PassthroughSubject<Int, Never>())
        let willDisconnect = Recorded<(@Sendable () -> Void)?>(nil)

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            subject.withLock { $0 }.receive(subscriber: subscriber)
        }

        func connect() -> any Cancellable {
            Disposable { [self] in
                willDisconnect.value?()
                let left = subject.withLock { subject in
                    defer { subject = PassthroughSubject() }
                    return subject
                }
                withExtendedLifetime(left) {}
            }
        }
    }

    @Test(
        "An upstream that has ended does not begin anew when its only subscriber leaves values behind",
        arguments: [Publishers.ReplayScope.whileConnected, .forever])
    func leavesValuesBehind(scope: Publishers.ReplayScope) {
        let subscriptions = Recorded(0)
        let shared = Deferred {
            subscriptions.withLock { $0 += 1 }
            return [1, 2, 3].publisher
        }.share(replay: 3, scope: scope)
        let first = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
        shared.subscribe(first)
        first.cancel()
        for _ in 0..<2 {
            let next = RecordingSubscriber<Int, Never>()
            shared.subscribe(next)
            #expect(next.values == [1, 2, 3] && next.isFinished)
        }
        #expect(first.values == [1] && subscriptions.value == 1)
    }

    @Test("Who comes while it is being disconnected subscribes when that is over")
    func comesWhileDisconnecting() {
        let publisher = Forgetting()
        let shared = publisher.autoconnect()
        let (first, second) = (RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>())
        shared.subscribe(first)
        publisher.willDisconnect.set {
            publisher.willDisconnect.set(nil)
            shared.subscribe(second)
        }
        first.cancel()
        publisher.subject.withLock { $0 }.send(7)
        #expect(second.values == [7])
        second.cancel()
    }
}
