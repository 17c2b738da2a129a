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
        arguments: [
            .reload, .noStore, .revalidate, CachePolicies(disk: .reload), .expires(at: .seconds(3)),
        ])
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

    @Test("No two policies, and no two limits, are taken for each other")
    func identities() {
        let moment = Duration(secondsComponent: 1_790_000_000, attosecondsComponent: 1)
        let policies: [CachePolicy] = [
            .useCache, .revalidate, .reload, .cacheOnly, .noStore, .expires(at: moment),
            .expires(at: moment + Duration(secondsComponent: 0, attosecondsComponent: 1)),
        ]
        let limits: [TransferLimits?] = [
            nil, TransferLimits(), TransferLimits(connect: .seconds(1)), TransferLimits(total: .seconds(1)),
            TransferLimits(stall: .init(bytes: 1, in: .seconds(20))),
            TransferLimits(stall: .init(bytes: 1_000, in: .seconds(1))), TransferLimits(body: 1),
            TransferLimits(head: 1),
        ]
        var requests: [ImageRequest] = []
        for memory in policies {
            for disk in policies {
                for limits in limits {
                    var request = ImageRequest("http://localhost/a.jpg")
                    (request.caching, request.limits) = (CachePolicies(memory: memory, disk: disk), limits)
                    requests.append(request)
                }
            }
        }
        let images = Mutex(0)
        let shared = AnySource<ImageRequest, ImageEvent> { _ in
            images.withLock { $0 += 1 }
            return Empty(completeImmediately: false).eraseToAnyPublisher()
        }.coalesced()
        let loads = (requests + requests).map {
            shared.events(for: $0).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        #expect(images.withLock { $0 } == requests.count)
        let bodies = Waiting()
        let transfers = bodies.coalesced()
        let bytes = requests.map {
            transfers.events(for: $0).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        // Of those, what is made of memory is no matter.
        #expect(bodies.count == policies.count * limits.count)
        (loads + bytes).forEach { $0.cancel() }
    }
}
