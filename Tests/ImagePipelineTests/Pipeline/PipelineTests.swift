import Files
import ImagePipelineTesting
import LoopbackServer
import PhotoGenerator
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

extension TransportOptions {
    /// Options without limits in time worth the name.
    static var patient: TransportOptions {
        var options = TransportOptions()
        options.limits = TransferLimits(
            connect: .seconds(3_600), stall: .init(bytes: 1, in: .seconds(3_600)), total: .seconds(3_600))
        return options
    }
}

extension CurlTransport {
    /// One that waits for ever: how long a test takes to get its turn beside all the others says nothing of a server.
    static func patient() -> CurlTransport {
        CurlTransport(.patient)
    }
}

/// What a test needs of a gallery: a server with photos on it, and a directory for the disk cache.
final class Gallery: Sendable {
    let server: LoopbackServer
    let directory = TemporaryDirectory()
    let photo: [UInt8]

    init() throws {
        server = try LoopbackServer(sendBuffer: 16 << 10)
        let image = try #require(PhotoGenerator(seed: 7).image(PixelSize(width: 320, height: 240)))
        photo = try image.encoded(as: .jpeg(quality: 85, progressive: true))
    }

    deinit {
        server.stop()
    }

    func pipeline() -> ImageLoader {
        .standard(transport: CurlTransport.patient(), disk: DiskCache(directory: directory.path))
    }

    func request(_ path: String, side: Int = 64) -> ImageRequest {
        ImageRequest(server.url(path), as: .fit(PixelSize(width: side, height: side)))
    }

    /// Loads one image and waits for the end.
    func load(
        _ request: ImageRequest, from pipeline: ImageLoader
    ) -> RecordingSubscriber<ImageEvent, LoadError> {
        let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
        pipeline.events(for: request).subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        return subscriber
    }
}

/// How many steps are under way, and how many were at most.
private final class Counts: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() {
        state.withLock { $0.now -= 1 }
    }
}

/// A step that takes a while.
private struct CountedBlur: ImageProcessor {
    let counts: Counts

    var identifier: String { "counted" }

    func process(_ image: Image) -> Image {
        counts.begin()
        defer { counts.end() }
        return Processors.Blur(sigma: 5).process(image)
    }
}

@Suite("The standard pipeline")
struct PipelineTests {
    @Test("Network first, then memory, then disk in a new pipeline; one request in all")
    func stages() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        let request = gallery.request("/a.jpg")
        let pipeline = gallery.pipeline()
        let cold = gallery.load(request, from: pipeline)
        #expect(cold.provenance == .network)
        #expect(cold.violations.isEmpty)
        if case .final(let image, _)? = cold.values.last { #expect(image.size == PixelSize(width: 64, height: 48)) }

        let hit = RecordingSubscriber<ImageEvent, LoadError>()
        pipeline.events(for: request).subscribe(hit)
        #expect(hit.provenance == .memory, "delivered before subscribe returns")

        let disk = gallery.load(request, from: gallery.pipeline())
        #expect(disk.provenance == .disk)
        #expect(gallery.server.log.requests.count == 1)
    }

    @Test("A progressive photo at a limited rate gives degraded images of the final size before the final one")
    func degraded() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg",
            .resource(gallery.photo, contentType: "image/jpeg").limited(bytesPerSecond: gallery.photo.count * 4))
        let load = gallery.load(gallery.request("/a.jpg"), from: gallery.pipeline())
        let degraded = load.values.compactMap { event -> Image? in
            if case .degraded(let image, quality: _) = event { image } else { nil }
        }
        #expect(!degraded.isEmpty)
        #expect(degraded.allSatisfy { $0.size == PixelSize(width: 64, height: 48) })
        #expect(load.provenance == .network)
    }

    @Test("Two requests at once for one URL are one transfer, and cancelling one leaves the other alone")
    func coalesced() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg",
            .resource(gallery.photo, contentType: "image/jpeg").failing(.stall(.body(1_000))))
        let pipeline = gallery.pipeline()
        let subscribers = (0..<3).map { _ in RecordingSubscriber<ImageEvent, LoadError>() }
        for subscriber in subscribers { pipeline.events(for: gallery.request("/a.jpg")).subscribe(subscriber) }
        try gallery.server.log.wait(for: .stalled("/a.jpg"))
        subscribers[0].cancel()
        gallery.server.goOn("/a.jpg")
        for subscriber in subscribers[1...] {
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.provenance == .network)
        }
        #expect(subscribers[0].completion == nil)
        #expect(gallery.server.log.requests.count == 1)
    }

    @Test("A thousand requests at ten sizes, some of which come when the body is half there, are one transfer")
    func sizes() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg",
            .resource(gallery.photo, contentType: "image/jpeg").failing(.stall(.body(gallery.photo.count / 2))))
        let pipeline = gallery.pipeline()
        let sides = (1...10).map { 16 * $0 }
        func load(_ count: Int) -> [(Int, RecordingSubscriber<ImageEvent, LoadError>)] {
            (0..<count).map { index in
                let (side, subscriber) = (sides[index % 10], RecordingSubscriber<ImageEvent, LoadError>())
                pipeline.events(for: gallery.request("/a.jpg", side: side)).subscribe(subscriber)
                return (side, subscriber)
            }
        }
        let early = load(500)
        try gallery.server.log.wait(for: .stalled("/a.jpg"))
        let late = load(500)
        gallery.server.goOn("/a.jpg")
        for (side, subscriber) in early + late {
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.provenance == .network)
            #expect(subscriber.values.last?.image?.width == side)
        }
        #expect(gallery.server.log.requests.count == 1)
    }

    @Test("Cancelling in mid-body closes the socket, and nothing half is kept")
    func cancelled() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg",
            .resource(gallery.photo, contentType: "image/jpeg").failing(.stall(.body(1_000))))
        let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
        gallery.pipeline().events(for: gallery.request("/a.jpg")).subscribe(subscriber)
        try gallery.server.log.wait(for: .stalled("/a.jpg"))
        subscriber.cancel()
        try gallery.server.log.wait(for: .ended("/a.jpg", .clientClosed))
        #expect(subscriber.completion == nil)
        #expect(DiskCache(directory: gallery.directory.path).entry(for: gallery.request("/a.jpg").dataKey) == nil)
    }

    @Test("A status, a short body, a refused connection and bytes that are no image are typed failures, kept nowhere")
    func failures() throws {
        let gallery = try Gallery()
        gallery.server.route("/gone.jpg", .status(404))
        gallery.server.route(
            "/short.jpg",
            .resource(gallery.photo, contentType: "image/jpeg").failing(.close(.body(1_000))))
        gallery.server.route("/text.jpg", .resource(Array("not an image".utf8), contentType: "image/jpeg"))
        let pipeline = gallery.pipeline()
        func failure(_ path: String) -> LoadError? {
            gallery.load(gallery.request(path), from: pipeline).failure
        }
        if case .status(404)? = failure("/gone.jpg") {} else { Issue.record("404") }
        for attempt in 0..<2 {
            if case .transport(.truncated)? = failure("/short.jpg") {} else { Issue.record("short body, \(attempt)") }
        }
        if case .decode(.unknownFormat)? = failure("/text.jpg") {} else { Issue.record("text") }
        let refused = gallery.load(ImageRequest("http://127.0.0.1:1/a.jpg"), from: pipeline).failure
        if case .transport(.couldNotConnect(let reason))? = refused {
            // libcurl's words, which name the place, and the system's.
            #expect(reason.contains("127.0.0.1") && reason.contains(String(cString: strerror(ECONNREFUSED))))
        } else {
            Issue.record("refused: \(String(describing: refused))")
        }
        let scheme = gallery.load(ImageRequest("ftp://127.0.0.1/a.jpg"), from: pipeline).failure
        if case .transport(.invalidURL)? = scheme {} else { Issue.record("scheme: \(String(describing: scheme))") }
        let file = gallery.load(ImageRequest("/nowhere/a.jpg"), from: pipeline).failure
        if case .file? = file {} else { Issue.record("file: \(String(describing: file))") }
    }

    @Test("Files and bytes at hand are decoded too")
    func local() throws {
        let gallery = try Gallery()
        let path = "\(gallery.directory.path)/photo"
        try FileDescriptor(opening: path, 0x41).write(gallery.photo, at: 0)
        #expect(gallery.load(ImageRequest(path), from: gallery.pipeline()).provenance == .file)
        #expect(gallery.load(ImageRequest(.data(gallery.photo)), from: gallery.pipeline()).provenance == .data)
    }

    @Test("No more images are decoded and processed at once than there are to be", arguments: [1, 2])
    func decodesAtOnce(limit: Int) throws {
        let counts = Counts()
        let photo = try Gallery().photo
        let pipeline = ImageLoader.standard(decodesAtOnce: limit)
        let subscribers = (0..<12).map { index in
            let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
            let size = PixelSize(width: 30 + index, height: 40)
            let request = ImageRequest(
                .data(photo),
                as: Rendition(targetSize: size, processors: [AnyImageProcessor(CountedBlur(counts: counts))]))
            pipeline.events(for: request).subscribe(subscriber)
            return subscriber
        }
        for subscriber in subscribers {
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.provenance == .data)
        }
        #expect((1...limit).contains(counts.most))
    }

    @Test("Nobody's demand reads nobody's socket: the server has to wait")
    func backpressure() throws {
        let gallery = try Gallery()
        let body = [UInt8](repeating: 0, count: 16 << 20)
        gallery.server.route("/big", .resource(body, contentType: "image/jpeg"))
        let subscriber = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(3))
        HTTPSource(CurlTransport.patient()).events(for: ImageRequest(gallery.server.url("/big"))).subscribe(subscriber)
        try gallery.server.log.wait(for: .requests("/big"))
        subscriber.request(.max(2))
        while subscriber.values.count < 5 { _ = subscriber.waitForCompletion(seconds: 0) }
        #expect(subscriber.values.count == 5)
        #expect(subscriber.completion == nil)
        #expect(try #require(gallery.server.log.requests.first).bodyBytesSent < body.count)
        subscriber.cancel()
        try gallery.server.log.wait(for: .ended("/big", .clientClosed))
    }
}
