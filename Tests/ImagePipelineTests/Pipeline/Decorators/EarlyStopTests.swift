import LoopbackServer
import PhotoGenerator
import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("A transfer that is no longer needed")
struct EarlyStopTests {
    /// A progressive photo, and how many of its bytes a thumbnail takes.
    private func photo(_ options: DecodeOptions) throws -> (bytes: [UInt8], needed: Int) {
        let image = try #require(PhotoGenerator(seed: 7).image(PixelSize(width: 1600, height: 1200)))
        let bytes = try image.encoded(as: .jpeg(quality: 95, progressive: true, subsampling: .yuv420))
        let decoder = ContentDecoder(options: options)
        var needed = 0
        while needed < bytes.count, !decoder.needsNoMoreBytes {
            try decoder.append(Array(bytes[needed...].prefix(1_000)))
            needed = min(bytes.count, needed + 1_000)
        }
        return (bytes, needed)
    }

    @Test("The thumbnail of a progressive photo closes its socket, and what has come of the body is kept nowhere")
    func stops() throws {
        let gallery = try Gallery()
        let request = gallery.request("/a.jpg", side: 40)
        let (bytes, needed) = try photo(DecodeOptions(as: Rendition(targetSize: request.rendition.targetSize)))
        #expect(bytes.count - needed > 100_000, "\(needed) of \(bytes.count)")
        // The server never sends the rest: an image that waits for it would not come.
        gallery.server.route(
            "/a.jpg", .resource(bytes, contentType: "image/jpeg").failing(.stall(.body(needed + 20_000))))
        let load = gallery.load(request, from: gallery.pipeline())
        #expect(load.provenance == .network)
        #expect(load.violations.isEmpty)
        try gallery.server.log.wait(for: .ended("/a.jpg", .clientClosed))
        let image = try Image.decode(
            bytes, options: DecodeOptions(as: Rendition(targetSize: request.rendition.targetSize)))
        guard case .final(image, .network)? = load.values.last else {
            Issue.record("another image")
            return
        }
        #expect(DiskCache(directory: gallery.directory.path).entry(for: request.dataKey) == nil)

        // A larger one needs all of it, which is kept then, and serves thumbnails too.
        gallery.server.route(
            "/a.jpg", .resource(bytes, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        #expect(gallery.load(gallery.request("/a.jpg", side: 400), from: gallery.pipeline()).provenance == .network)
        #expect(DiskCache(directory: gallery.directory.path).entry(for: request.dataKey) != nil)
        let disk = gallery.load(request, from: gallery.pipeline())
        #expect(disk.provenance == .disk)
        guard case .final(image, .disk)? = disk.values.last else {
            Issue.record("another image")
            return
        }
    }

    @Test("A short rest is waited for, so that the body can be kept")
    func shortRest() throws {
        let gallery = try Gallery()
        let request = gallery.request("/a.jpg", side: 16)
        gallery.server.route(
            "/a.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        let decoder = ContentDecoder(options: DecodeOptions(as: Rendition(targetSize: request.rendition.targetSize)))
        try decoder.append(gallery.photo)
        #expect(decoder.needsNoMoreBytes)
        #expect(gallery.load(request, from: gallery.pipeline()).provenance == .network)
        #expect(gallery.load(request, from: gallery.pipeline()).provenance == .disk)
    }

    @Test("Upstream is cancelled before the image is delivered, and what it still sends is ignored")
    func order() throws {
        let target = PixelSize(width: 40, height: 40)
        let (bytes, _) = try photo(DecodeOptions(as: Rendition(targetSize: target)))
        let body = PassthroughSubject<DataEvent, LoadError>()
        let log = RecordingSubscriber<ImageEvent, LoadError>()
        let wasCancelled = CancelFlag()
        let source = AnySource<ImageRequest, DataEvent> { _ in
            body.handleEvents(receiveCancel: { wasCancelled.isSet = true }).eraseToAnyPublisher()
        }
        source.decoded(previews: false, on: ImmediateScheduler.shared)
            .events(for: ImageRequest(.data([]), as: Rendition(targetSize: target)))
            .handleEvents(receiveOutput: { event in
                if case .final = event { #expect(wasCancelled.isSet) }
            })
            .subscribe(log)
        body.send(.response(DataResponse(provenance: .network, expectedLength: bytes.count)))
        for start in stride(from: 0, to: bytes.count, by: 10_000) {
            body.send(.chunk(Array(bytes[start..<min(bytes.count, start + 10_000)])))
        }
        body.send(completion: .failure(.status(500)))
        #expect(wasCancelled.isSet)
        #expect(log.provenance == .network)
        #expect(log.violations.isEmpty)
    }
}

private final class CancelFlag: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool {
        get { flag.withLock { $0 } }
        set { flag.withLock { $0 = newValue } }
    }
}
