import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// A publisher that hands its subscription over when the test says so, as one does that connects first.
private final class LatePublisher: Publisher {
    typealias Output = DataEvent
    typealias Failure = LoadError

    private let waiting = Mutex<AnySubscriber<DataEvent, LoadError>?>(nil)

    var isAsked: Bool { waiting.withLock { $0 != nil } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == DataEvent, S.Failure == LoadError {
        waiting.withLock { $0 = AnySubscriber(subscriber) }
    }

    func begin(_ subscription: some Subscription) {
        waiting.withLock { $0 }?.receive(subscription: subscription)
    }
}

private final class CountedSubscription: Subscription {
    let cancels = Atomic(0)

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancels.add(1, ordering: .relaxed) }
}

@Suite("Loads that are cancelled before their upstream has begun")
struct LateSubscriptionTests {
    @Test("The upstream is cancelled as soon as it begins, through every decorator")
    func late() {
        let threads = ThreadPoolScheduler(width: 2)
        let directory = TemporaryDirectory()
        let disk = DiskCache(directory: directory.path)
        let decorators: [(String, (AnySource<ImageRequest, DataEvent>) -> AnySource<ImageRequest, DataEvent>)] = [
            ("coalesced", { erased($0.coalesced()) }),
            ("limited", { erased($0.limited(to: 1)) }),
            ("fallingBack", { erased($0.fallingBack(on: { _ in [] })) }),
            ("cached", { erased($0.cached(in: disk, on: threads)) }),
            ("httpCached", { erased($0.httpCached(in: disk, on: threads)) }),
            ("resumed", { erased($0.resumed(in: disk, on: threads)) }),
        ]
        for (name, decorate) in decorators {
            let publisher = LatePublisher()
            let source = decorate(AnySource { _ in publisher.eraseToAnyPublisher() })
            let load = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest("https://example.com/\(name).jpg")).subscribe(load)
            #expect(comesTrue { publisher.isAsked }, "\(name)")
            load.cancel()
            let subscription = CountedSubscription()
            publisher.begin(subscription)
            #expect(comesTrue { subscription.cancels.load(ordering: .relaxed) == 1 }, "\(name)")
            #expect(load.values.isEmpty && load.completion == nil, "\(name)")
        }
    }
}

private func erased(
    _ source: some Source<ImageRequest, DataEvent>
) -> AnySource<ImageRequest, DataEvent> {
    AnySource { source.events(for: $0) }
}
