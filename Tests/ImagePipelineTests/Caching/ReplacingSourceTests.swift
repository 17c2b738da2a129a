import LoopbackServer
import Streams
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("Bodies on disk that are of no use")
struct ReplacingSourceTests {
    private func isKept(_ path: String, in gallery: Gallery) -> Bool {
        DiskCache(directory: gallery.directory.path).entry(for: gallery.request(path).dataKey) != nil
    }

    @Test("What does not decode is not kept; if it was kept before, it is loaded anew, once")
    func undecodable() throws {
        let gallery = try Gallery()
        let half = Array(gallery.photo.prefix(gallery.photo.count / 2))
        gallery.server.route("/a.jpg", .resource(half, contentType: "image/jpeg"))
        let pipeline = gallery.pipeline()
        #expect(gallery.load(gallery.request("/a.jpg"), from: pipeline).failure != nil)
        #expect(gallery.server.log.requests.count == 1, "what came just now is not asked for again")
        #expect(!isKept("/a.jpg", in: gallery))

        let key = gallery.request("/a.jpg").dataKey
        DiskCache(directory: gallery.directory.path).store(half, for: key)
        #expect(gallery.load(gallery.request("/a.jpg"), from: pipeline).failure != nil)
        #expect(gallery.server.log.requests.count == 2)

        DiskCache(directory: gallery.directory.path).store(half, for: key)
        gallery.server.route("/a.jpg", .resource(gallery.photo, contentType: "image/jpeg"))
        let load = gallery.load(gallery.request("/a.jpg"), from: pipeline)
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

    @Test("An entry that cannot be read to its end is removed, and the load begins anew")
    func unreadable() throws {
        let gallery = try Gallery()
        let cache = DiskCache(directory: gallery.directory.path)
        let request = ImageRequest("http://127.0.0.1/a.jpg")
        let key = request.dataKey
        let attempts = Atomic(0)
        let photo = gallery.photo
        let source = AnySource<ImageRequest, ImageEvent> { _ in
            Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
                guard attempts.add(1, ordering: .relaxed).newValue > 1 else {
                    return Fail(error: .file(path: cache.path(of: key), reason: "EIO")).eraseToAnyPublisher()
                }
                return Result { try Image.decode(photo) }.mapError { _ in .unsupported("test") }
                    .map { ImageEvent.final($0, .network) }.publisher.eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
        cache.store([1], for: key)
        let pipeline = ImagePipeline(source.replacing(unusableIn: cache, on: ThreadPoolScheduler(width: 1)))
        #expect(gallery.load(request, from: pipeline).provenance == .network)
        #expect(cache.entry(for: key) == nil)
    }
}
