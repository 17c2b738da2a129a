import ImagePipelineTesting
import LoopbackServer
import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("Pictures that are damaged")
struct DamagedPictureTests {
    private let gallery: Gallery
    /// A photo that ends half-way, though its transfer is whole.
    private let half: [UInt8]

    init() throws {
        gallery = try Gallery()
        half = Array(gallery.photo.prefix(gallery.photo.count / 2))
        gallery.server.route("/a.jpg", .resource(half, contentType: "image/jpeg", cacheControl: "max-age=3600"))
    }

    private func image(_ load: RecordingSubscriber<ImageEvent, LoadError>) -> Image? {
        load.values.compactMap(\.finalValue).first
    }

    @Test(
        "One is shown, and says so: the image, the trace and the metrics; it is not in memory, and its body is on disk")
    func shown() throws {
        let metrics = LoadMetrics()
        let memory = MemoryCache<CacheKey, Image>()
        let pipeline = ImageLoader.standard(
            transport: CurlTransport.patient(), disk: DiskCache(directory: gallery.directory.path), memory: memory,
            metrics: metrics)
        for place in [Provenance.network, .disk, .disk] {
            var request = gallery.request("/a.jpg")
            let trace = LoadTrace()
            request.trace = trace
            let load = gallery.load(request, from: pipeline)
            #expect(load.provenance == place && load.violations.isEmpty)
            #expect(image(load)?.damage?.kind == .truncated)
            #expect("\(trace)".contains(", damaged: truncated (byte "), "\(trace)")
            #expect(memory.value(forKey: request.imageKey) == nil)
        }
        #expect(gallery.server.log.requests.count == 1)
        #expect(metrics.current[.request].damaged == 3 && metrics.current[.decoding].damaged == 3)
        #expect(metrics.current.description.hasSuffix("2 from disk, 1 from network, 3 damaged"))
    }

    @Test("Who refuses it gets an error, at the same time as others who don't, and shares no image with them")
    func policies() throws {
        let pipeline = gallery.pipeline()
        var refusing = gallery.request("/a.jpg")
        refusing.rendition.damage = .refuse
        gallery.server.route(
            "/a.jpg",
            .resource(half, contentType: "image/jpeg", cacheControl: "max-age=3600").failing(.stall(.body(1_000))))
        let (shown, refused) = (
            RecordingSubscriber<ImageEvent, LoadError>(), RecordingSubscriber<ImageEvent, LoadError>()
        )
        pipeline.events(for: gallery.request("/a.jpg")).subscribe(shown)
        pipeline.events(for: refusing).subscribe(refused)
        gallery.server.goOn("/a.jpg")
        #expect(shown.waitForCompletion() && refused.waitForCompletion())
        #expect(image(shown)?.damage != nil && image(refused) == nil)
        guard case .decode(.truncated)? = refused.failure else {
            Issue.record("\(String(describing: refused.failure))")
            return
        }
    }

    @Test("A body that ends with its connection may lack something: damage is then an error, as that of a short one is")
    func undelimited() throws {
        let reply = Reply.resource(half, contentType: "image/jpeg")
        gallery.server.route("/close.jpg", reply.framed(.untilClose))
        gallery.server.route("/chunks.jpg", reply.framed(.chunked(1_000)))
        let whole = Reply.resource(gallery.photo, contentType: "image/jpeg")
        gallery.server.route("/short.jpg", whole.failing(.close(.body(half.count))))
        let pipeline = ImageLoader.standard(transport: CurlTransport.patient(), retries: nil)
        #expect(image(gallery.load(gallery.request("/chunks.jpg"), from: pipeline))?.damage != nil)
        if case .decode(.truncated)? = gallery.load(gallery.request("/close.jpg"), from: pipeline).failure {
        } else {
            Issue.record("a body until the end of its connection is shown")
        }
        if case .transport(.truncated)? = gallery.load(gallery.request("/short.jpg"), from: pipeline).failure {
        } else {
            Issue.record("a short body is shown")
        }
    }

    @Test("A step behind the decoder leaves the mark, and a whole picture has none")
    func processed() throws {
        var request = gallery.request("/a.jpg")
        request.rendition.processors = [.circle]
        #expect(image(gallery.load(request, from: gallery.pipeline()))?.damage != nil)
        gallery.server.route("/b.jpg", .resource(gallery.photo, contentType: "image/jpeg"))
        let load = gallery.load(gallery.request("/b.jpg"), from: gallery.pipeline())
        #expect(image(load) != nil && image(load)?.damage == nil)
    }
}
