import Files
import LoopbackServer
import PhotoGenerator
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("A gallery whose thumbnails are kept on disk")
struct StoredGalleryTests {
    private let directory = TemporaryDirectory()

    /// A gallery's pipeline as of a start of its program; no body is kept.
    private func start() -> (images: some Source<ImageRequest, ImageEvent>, disk: DiskCache) {
        let workers = WorkQueue(on: ThreadPoolScheduler(width: 2))
        // A test that waits for its turn must not make a disk look slow.
        let disk = DiskCache(directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)))
        let images = HTTPSource(CurlTransport.patient())
            .decoded(in: workers).processed(in: workers)
            .cached(in: disk, as: .jpeg(), workers: workers, on: ThreadPoolScheduler(width: 4))
        return (images, disk)
    }

    @Test("500 mixed photos: the second start asks for nothing; of progressive ones a quarter of the bytes is kept")
    func gallery() throws {
        let server = try LoopbackServer()
        let size = PixelSize(width: 320, height: 240)
        var photos: [(path: String, length: Int, isProgressive: Bool)] = []
        let files = try (0..<4).map { seed in
            let image = try #require(PhotoGenerator(seed: UInt64(seed)).image(size))
            return try [false, true].map { try image.encoded(as: .jpeg(quality: 85, progressive: $0)) }
        }
        for number in 0..<500 {
            let file = files[number % 4][number / 4 % 2]
            let path = "/\(number).jpg"
            server.route(path, .resource(file, contentType: "image/jpeg", cacheControl: "max-age=86400"))
            photos.append((path, file.count, number / 4 % 2 == 1))
        }
        let box = PixelSize(width: 64, height: 64)
        func loadAll(_ photos: [Int], from images: some Source<ImageRequest, ImageEvent>, _ provenance: Provenance) {
            let loads = photos.map { number in
                let load = RecordingSubscriber<ImageEvent, LoadError>()
                let url = server.url("/\(number).jpg")
                let rendition = number / 8 % 2 == 0 ? Rendition.fit(box) : .fill(box)
                images.events(for: ImageRequest(url, as: rendition, previews: false)).subscribe(load)
                return load
            }
            for load in loads { #expect(load.waitForCompletion() && load.provenance == provenance) }
        }
        let progressive = photos.indices.filter { photos[$0].isProgressive }
        let baseline = photos.indices.filter { !photos[$0].isProgressive }
        let (first, disk) = start()
        loadAll(progressive, from: first, .network)
        while disk.statistics.writes < progressive.count { sched_yield() }
        let used = disk.contents().size
        let originals = progressive.reduce(0) { $0 + photos[$1].length }
        #expect(Double(used) <= 0.25 * Double(originals), "\(used) of \(originals) bytes")
        loadAll(baseline, from: first, .network)
        while disk.statistics.writes < photos.count { sched_yield() }
        #expect(server.log.requests.count == 500)

        let (second, _) = start()
        loadAll(Array(photos.indices), from: second, .disk)
        #expect(server.log.requests.count == 500, "not a byte from the origin")
        server.stop()
    }

    @Test("Ten photos in full after a start from thumbnails: the bytes that are missing are transferred, and no others")
    func fullSize() throws {
        let gallery = try Gallery()
        let box = PixelSize(width: 20, height: 20)
        // A test that waits for its turn must not make a disk look slow.
        func start() -> (loader: ImageLoader, disk: DiskCache) {
            let disk = DiskCache(directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)))
            return (.standard(transport: CurlTransport.patient(), disk: disk, storingImagesAs: .jpeg()), disk)
        }
        var photos: [(thumbnail: ImageRequest, whole: ImageRequest, file: [UInt8], needed: Int?)] = []
        for number in 0..<10 {
            let image = try #require(PhotoGenerator(seed: UInt64(number)).image(PixelSize(width: 1200, height: 900)))
            let isProgressive = number % 3 != 2
            let file = try image.encoded(as: .jpeg(quality: 98, progressive: isProgressive, subsampling: .yuv420))
            let url = gallery.server.url("/\(number).jpg")
            let thumbnail = ImageRequest(url, as: number % 2 == 0 ? .fit(box) : .fill(box), previews: false)
            let decoder = ContentDecoder(options: DecodeOptions(as: thumbnail.rendition))
            var needed = 0
            while isProgressive, !decoder.needsNoMoreBytes {
                try decoder.append(Array(file[needed...].prefix(1_000)))
                needed += 1_000
            }
            try #require(file.count - needed > 100_000, "\(needed) of \(file.count)")
            let reply = Reply.resource(
                file, contentType: "image/jpeg", entityTag: "\"\(number)\"", cacheControl: "max-age=3600")
            // The rest of a progressive one would be here before the decoder has stopped: the server holds it back.
            gallery.server.route(
                "/\(number).jpg", isProgressive ? reply.failing(.stall(.body(needed + 20_000))) : reply)
            photos.append((thumbnail, ImageRequest(url, previews: false), file, isProgressive ? needed : nil))
            let (loader, disk) = start()
            #expect(gallery.load(thumbnail, from: loader).provenance == .network)
            let key = isProgressive ? thumbnail.partialKey : thumbnail.dataKey
            while disk.statistics.writes < 2 || !disk.hasBody(for: key) { sched_yield() }
            gallery.server.route("/\(number).jpg", reply)
        }
        #expect(gallery.server.log.requests.count == 10)

        let (second, disk) = start()
        for photo in photos { #expect(gallery.load(photo.thumbnail, from: second).provenance?.stage == .disk) }
        #expect(gallery.server.log.requests.count == 10, "not a byte from the origin")

        for (number, photo) in photos.enumerated() {
            let present = disk.entry(for: photo.thumbnail.partialKey)?.bodyLength
            #expect((present != nil) == (photo.needed != nil))
            let before = gallery.server.log.requests.count
            let whole = gallery.load(photo.whole, from: second)
            #expect(whole.values.last?.finalValue == (try Image.decode(photo.file)))
            guard let present else {
                #expect(gallery.server.log.requests.count == before, "a body that has come as a whole is there")
                continue
            }
            try gallery.server.log.wait(for: .ended("/\(number).jpg", .complete))
            let request = try #require(gallery.server.log.requests.last)
            #expect(gallery.server.log.requests.count == before + 1)
            #expect(request.request.header("Range") == "bytes=\(present)-")
            #expect(request.bodyBytesSent == photo.file.count - present)
        }
    }
}
