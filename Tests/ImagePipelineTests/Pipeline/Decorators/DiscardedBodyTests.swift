import CLibrary
import LoopbackServer
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Bodies on disk that are of no use")
struct DiscardedBodyTests {
    private func isKept(_ path: String, in gallery: Gallery) -> Bool {
        DiskCache(directory: gallery.directory.path).entry(for: gallery.request(path).dataKey) != nil
    }

    @Test("What does not decode is not kept; if it was kept before, it is loaded anew, once")
    func undecodable() throws {
        let gallery = try Gallery()
        let half = Array(gallery.photo.prefix(gallery.photo.count / 2))
        gallery.server.route("/a.jpg", .resource(half, contentType: "image/jpeg"))
        let pipeline = gallery.pipeline()
        var request = gallery.request("/a.jpg")
        request.rendition.damage = .refuse
        #expect(gallery.load(request, from: pipeline).failure != nil)
        #expect(gallery.server.log.requests.count == 1, "what came just now is not asked for again")
        #expect(!isKept("/a.jpg", in: gallery))

        let key = request.dataKey
        DiskCache(directory: gallery.directory.path).store(half, for: key)
        #expect(gallery.load(request, from: pipeline).failure != nil)
        #expect(gallery.server.log.requests.count == 2)

        DiskCache(directory: gallery.directory.path).store(half, for: key)
        gallery.server.route("/a.jpg", .resource(gallery.photo, contentType: "image/jpeg"))
        let load = gallery.load(request, from: pipeline)
        #expect(load.provenance == .network)
        #expect(load.violations.isEmpty)
        #expect(isKept("/a.jpg", in: gallery))
    }

    @Test("A body that ends with its connection is not kept, for nobody knows whether it is whole; one in chunks is")
    func framing() throws {
        let gallery = try Gallery()
        let reply = Reply.resource(gallery.photo, contentType: "image/jpeg")
        gallery.server.route("/close.jpg", reply.framed(.untilClose))
        gallery.server.route("/chunks.jpg", reply.framed(.chunked(1_000)))
        for path in ["/close.jpg", "/chunks.jpg"] {
            #expect(gallery.load(gallery.request(path), from: gallery.pipeline()).provenance == .network)
        }
        #expect(!isKept("/close.jpg", in: gallery))
        #expect(isKept("/chunks.jpg", in: gallery))
    }

    @Test("A body that its cache does not give back whole is discarded, and the load begins anew, once")
    func unreadable() throws {
        let gallery = try Gallery()
        let request = ImageRequest("http://127.0.0.1/a.jpg")
        let photo = gallery.photo
        for readable in [2, 3] {
            let attempts = Atomic(0)
            let discards = Atomic(0)
            let bytes = AnySource<ImageRequest, DataEvent> { _ in
                Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                    let isWhole = attempts.add(1, ordering: .relaxed).newValue >= readable
                    let response = DataResponse(provenance: isWhole ? .network : .disk) {
                        Deferred { Just(discards.add(1, ordering: .relaxed).newValue > 0) }.eraseToAnyPublisher()
                    }
                    let events: [DataEvent] = [.response(response), .chunk(isWhole ? photo : [0xFF])]
                    let end: AnyPublisher<DataEvent, LoadError> =
                        isWhole
                        ? Empty().eraseToAnyPublisher() : Fail(error: .cache(reason: "EIO")).eraseToAnyPublisher()
                    return events.publisher.setFailureType(to: LoadError.self).append(end).eraseToAnyPublisher()
                }.eraseToAnyPublisher()
            }
            let load = gallery.load(request, from: ImageLoader(bytes.decoded(on: ThreadPoolScheduler(width: 1))))
            #expect(attempts.load(ordering: .relaxed) == 2)
            #expect(discards.load(ordering: .relaxed) == readable - 1)
            #expect((load.provenance == .network) == (readable == 2))
            #expect(load.violations.isEmpty)
        }
    }

    @Test("A body that is discarded while it is being published is not kept, whichever comes first")
    func discardRace() throws {
        let gallery = try Gallery()
        let cache = DiskCache(directory: gallery.directory.path)
        let threads = ThreadPoolScheduler(width: 2)
        for round in 0..<200 {
            let key = CacheKey(["\(round)"])
            let body = DrivenPublisher<DataEvent, LoadError>()
            let load = RecordingSubscriber<DataEvent, LoadError>()
            AnySource<Int, DataEvent> { _ in body.eraseToAnyPublisher() }
                .cached(in: cache, by: { _ in key }, on: threads).events(for: round).subscribe(load)
            // The store is asked first.
            while !body.isRequested { sched_yield() }
            body.send(.response(DataResponse(provenance: .network, expectedLength: 3)))
            body.send(.chunk([1, 2, 3]))
            // The store's thread may be the one that delivers them.
            #expect(comesTrue { load.values.count == 2 })
            guard case .response(let response)? = load.values.first, let discard = response.discard else {
                Issue.record("no response")
                continue
            }
            let discarded = RecordingSubscriber<Bool, Never>()
            race({ body.send(completion: .finished) }, { discard().subscribe(discarded) })
            #expect(discarded.waitForCompletion() && load.waitForCompletion())
            #expect(cache.entry(for: key) == nil, "round \(round)")
        }
    }
}
