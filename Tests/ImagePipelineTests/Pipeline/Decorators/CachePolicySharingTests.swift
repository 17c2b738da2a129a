import ImagePipeline
import Streams
import Synchronization
import Testing

@Suite("Policies and loads that are shared")
struct CachePolicySharingTests {
    /// A source of bytes that never come; it counts those who wait for them.
    private final class Waiting: Source {
        private let state = Mutex(0)

        var count: Int { state.withLock { $0 } }

        func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
            Deferred { [self] in
                state.withLock { $0 += 1 }
                return Empty<DataEvent, LoadError>(completeImmediately: false)
            }.eraseToAnyPublisher()
        }
    }

    @Test("Loads whose transfers have other limits are none of each other's")
    func limits() {
        let requests = [nil, TransferLimits(total: .seconds(1)), nil, TransferLimits(total: .seconds(1))].map {
            limits in
            var request = ImageRequest("http://localhost/a.jpg")
            request.limits = limits
            return request
        }
        let bytes = Waiting()
        let shared = bytes.coalesced().decoded(in: WorkQueue(on: ImmediateScheduler.shared)).coalesced()
        let loads = requests.map { shared.events(for: $0).sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
        #expect(bytes.count == 2)
        loads.forEach { $0.cancel() }
    }

    /// Requests for one image, of which every second has another policy.
    private func requests(_ policy: CachePolicies) -> [ImageRequest] {
        (0..<4).map { number in
            var request = ImageRequest("http://localhost/a.jpg")
            if number % 2 == 1 { request.caching = policy }
            return request
        }
    }

    @Test(
        "A load that goes past the caches does not join one that takes what they have",
        arguments: [.reload, .noStore, .revalidate, CachePolicies(disk: .reload)])
    func apart(policy: CachePolicies) {
        let bytes = Waiting()
        let shared = bytes.coalesced()
        let transfers = requests(policy).map {
            shared.events(for: $0).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        #expect(bytes.count == 2)
        transfers.forEach { $0.cancel() }

        let images = Waiting()
        let decoded = images.decoded(in: WorkQueue(on: ImmediateScheduler.shared)).coalesced()
        let loads = requests(policy).map {
            decoded.events(for: $0).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        #expect(images.count == 2)
        loads.forEach { $0.cancel() }
    }
}
