import PhotoGenerator
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The pipeline and nginx", .enabled(if: Nginx.executable != nil, "nginx is not installed"))
struct NginxTests {
    private let photo: [UInt8]
    private let directory = TemporaryDirectory()

    init() throws {
        let image = try #require(PhotoGenerator(seed: 5).image(PixelSize(width: 320, height: 240)))
        photo = try image.encoded(as: .jpeg(quality: 90))
    }

    @Test("200 images at concurrency 6, twice: the second pass makes no request, from memory or from disk")
    func twice() throws {
        let nginx = try Nginx(serving: photo)
        let pipeline = ImageLoader.standard(
            transport: CurlTransport.patient(), disk: DiskCache(directory: directory.path))
        #expect(loadAll(of: nginx, from: pipeline) == Array(repeating: .network, count: 200))
        #expect(loadAll(of: nginx, from: pipeline) == Array(repeating: .memory, count: 200))
        let anew = ImageLoader.standard(
            transport: CurlTransport.patient(), disk: DiskCache(directory: directory.path))
        #expect(loadAll(of: nginx, from: anew) == Array(repeating: .disk, count: 200))

        // What the log has before the mark is every request that was made.
        let mark = RecordingSubscriber<ImageEvent, LoadError>()
        anew.events(for: ImageRequest(nginx.url("/mark"))).subscribe(mark)
        #expect(mark.waitForCompletion())
        var paths: [String] = []
        while paths.last != "/mark" { paths.append(try nginx.nextEntry().path) }
        #expect(paths.count == 201)
        #expect(Set(paths).count == 201)
    }

    @Test("Cancelled in mid-body, nginx logs a short body: the connection is closed")
    func cancelled() throws {
        // At 16 KiB a second the whole body would take an hour.
        let nginx = try Nginx(serving: photo + [UInt8](repeating: 0, count: 64 << 20))
        let subscriber = RecordingSubscriber<DataEvent, LoadError>()
        HTTPSource(CurlTransport.patient()).events(for: ImageRequest(nginx.url("/slow/a.jpg"))).subscribe(subscriber)
        // The response and a chunk.
        while subscriber.values.count < 2, subscriber.completion == nil {
            _ = subscriber.waitForCompletion(seconds: 0)
        }
        #expect(subscriber.completion == nil)
        subscriber.cancel()
        let entry = try nginx.nextEntry()
        #expect(entry.path == "/slow/a.jpg")
        #expect(entry.status == 200)
        #expect(!entry.isComplete)
        #expect(entry.bodyBytesSent < 1 << 20)
        #expect(subscriber.completion == nil)
    }

    private func loadAll(of nginx: Nginx, from pipeline: ImageLoader) -> [Provenance] {
        let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
        (0..<200).publisher.setFailureType(to: LoadError.self)
            .flatMap(maxPublishers: .max(6)) { number in
                pipeline.events(
                    for: ImageRequest(nginx.url("/photos/\(number).jpg"), as: .fit(PixelSize(width: 64, height: 64))))
            }
            .subscribe(subscriber)
        #expect(subscriber.waitForCompletion(seconds: 120))
        #expect(subscriber.isFinished)
        return subscriber.values.compactMap { event in
            if case .final(_, let provenance) = event { provenance } else { nil }
        }
    }
}
