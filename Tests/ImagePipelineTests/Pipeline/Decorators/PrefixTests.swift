import Files
import LoopbackServer
import PhotoGenerator
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Beginnings of bodies that suffice")
struct PrefixTests {
    private let gallery: Gallery
    private let photo: [UInt8]

    init() throws {
        gallery = try Gallery()
        let image = try #require(PhotoGenerator(seed: 7).image(PixelSize(width: 1200, height: 900)))
        photo = try image.encoded(as: .jpeg(quality: 98, progressive: true, subsampling: .yuv420))
    }

    /// A pipeline as of a start of its program.
    private func start() -> (pipeline: ImageLoader, cache: DiskCache) {
        // A test that waits for its turn must not make a disk look slow.
        let cache = DiskCache(directory: gallery.directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)))
        return (.standard(transport: CurlTransport.patient(), disk: cache), cache)
    }

    private func reply(_ body: [UInt8], _ tag: String = "\"1\"", _ control: String = "max-age=3600") -> Reply {
        .resource(body, contentType: "image/jpeg", entityTag: tag, cacheControl: control)
    }

    /// Loads a thumbnail, whose transfer ends early, and waits until its beginning is kept.
    ///
    /// - Returns: The number of its bytes.
    private func keepPrefix(_ reply: Reply) throws -> Int {
        let decoder = ContentDecoder(options: DecodeOptions(as: gallery.request("/a.jpg", side: 20).rendition))
        var needed = 0
        while !decoder.needsNoMoreBytes {
            try decoder.append(Array(photo[needed...].prefix(1_000)))
            needed += 1_000
        }
        try #require(photo.count - needed > 100_000, "\(needed) of \(photo.count)")
        // The server never sends the rest, which would all be here before the decoder has stopped.
        gallery.server.route("/a.jpg", reply.failing(.stall(.body(needed + 20_000))))
        let (pipeline, cache) = start()
        #expect(gallery.load(gallery.request("/a.jpg", side: 20), from: pipeline).provenance == .network)
        let key = gallery.request("/a.jpg").partialKey
        while !cache.hasBody(for: key) { sched_yield() }
        return try #require(cache.entry(for: key)).bodyLength
    }

    @Test("Whoever needs no more is served without a request; the whole picture asks for the missing bytes alone")
    func hit() throws {
        let count = try keepPrefix(reply(photo))
        gallery.server.route("/a.jpg", reply(photo))
        for side in [20, 18] {
            let load = gallery.load(gallery.request("/a.jpg", side: side), from: start().pipeline)
            #expect(load.provenance == .disk && load.violations.isEmpty)
            let rendition = Rendition.fit(PixelSize(width: side, height: side))
            #expect(load.values.last?.finalValue == (try Image.decode(photo, options: DecodeOptions(as: rendition))))
        }
        #expect(gallery.server.log.requests.count == 1)

        let whole = gallery.load(ImageRequest(gallery.server.url("/a.jpg")), from: start().pipeline)
        #expect(whole.provenance == .network && whole.violations.isEmpty)
        #expect(whole.values.last?.finalValue == (try Image.decode(photo)))
        try gallery.server.log.wait(for: .ended("/a.jpg", .complete))
        let requests = gallery.server.log.requests
        #expect(requests.count == 2)
        #expect(requests.last?.request.header("Range") == "bytes=\(count)-")
        #expect(requests.last?.bodyBytesSent == photo.count - count)
    }

    @Test(
        "A beginning is not served when its time is over, or the request wants it anew; what has changed comes as a whole"
    )
    func stale() throws {
        for control in ["max-age=3600", "no-cache"] {
            _ = try keepPrefix(reply(photo, "\"\(control)\"", control))
            let other = try Pictures.textured(300, 200).encoded(as: .png)
            gallery.server.route("/a.jpg", reply(other, "\"other\""))
            var request = gallery.request("/a.jpg", side: 20)
            if control == "max-age=3600" { request.caching = .reload }
            let before = gallery.server.log.requests.count
            let load = gallery.load(request, from: start().pipeline)
            #expect(load.provenance == .network)
            #expect(load.values.last?.finalValue?.size == PixelSize(width: 20, height: 13))
            #expect(gallery.server.log.requests.count == before + 1)
            DiskCache(directory: gallery.directory.path).removeAll()
        }
    }
}
