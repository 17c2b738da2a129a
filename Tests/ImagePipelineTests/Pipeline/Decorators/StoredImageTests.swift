import Files
import LoopbackServer
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

/// A wall clock that a test sets.
final class WallClock: Sendable {
    private let state = Mutex(Duration.seconds(1_700_000_000))
    var now: Duration { state.withLock { $0 } }
    func advance(by time: Duration) { state.withLock { $0 += time } }
}

@Suite("Images that are kept on disk as they are shown")
struct StoredImageTests {
    let directory = TemporaryDirectory()
    let clock = WallClock()
    let threads = ThreadPoolScheduler(width: 4)
    let workers = WorkQueue(on: ThreadPoolScheduler(width: 2))
    let box = PixelSize(width: 40, height: 40)

    func disk() -> DiskCache {
        // A test that waits for its turn must not make a disk look slow.
        DiskCache(
            directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)), now: { [clock] in clock.now })
    }

    /// A source that delivers one image, and counts its loads.
    func source(
        _ image: Image, _ loads: Counter, freshness: Duration? = nil
    ) -> AnySource<ImageRequest, ImageEvent> {
        AnySource { _ in
            Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
                loads.add()
                let events: [ImageEvent] = [
                    .degraded(image, quality: 0.5), .final(image, Provenance(.network, freshFor: freshness)),
                ]
                return events.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    func load(
        _ request: ImageRequest, from source: some Source<ImageRequest, ImageEvent>
    ) -> RecordingSubscriber<ImageEvent, LoadError> {
        let load = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: request).subscribe(load)
        #expect(load.waitForCompletion() && load.violations.isEmpty)
        return load
    }

    func final(_ load: RecordingSubscriber<ImageEvent, LoadError>) -> (image: Image, provenance: Provenance)? {
        if case .final(let image, let provenance)? = load.values.last { (image, provenance) } else { nil }
    }

    func waitForWrites(_ count: Int, in cache: DiskCache) {
        while cache.statistics.writes < count { sched_yield() }
    }

    @Test("A second start is served what was kept, at most a little off, and says so; memory says it too")
    func secondStart() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        let request = gallery.request("/a.jpg")
        func start() -> (ImageLoader, DiskCache) {
            let cache = DiskCache(directory: gallery.directory.path)
            return (
                .standard(transport: CurlTransport.patient(), disk: cache, storingImagesAs: .jpeg(quality: 95)), cache
            )
        }
        let (first, cache) = start()
        let made = try #require(final(gallery.load(request, from: first)))
        #expect(made.provenance == .network && !made.provenance.isLossy)
        waitForWrites(2, in: cache)
        cache.remove(request.dataKey)

        let (second, _) = start()
        let kept = try #require(final(gallery.load(request, from: second)))
        #expect(kept.provenance == .disk && kept.provenance.isLossy)
        #expect(kept.provenance.freshness ?? .zero > .seconds(3_000))
        #expect(Pictures.psnr(made.image, kept.image) > 38)
        #expect(kept.image.metadata == made.image.metadata)
        let hit = try #require(final(gallery.load(request, from: second)))
        #expect(hit.provenance == .memory && hit.provenance.isLossy)
        let again = try #require(final(gallery.load(request, from: first)))
        #expect(again.provenance == .memory && !again.provenance.isLossy)
        #expect(gallery.server.log.requests.count == 1)
    }

    @Test("A request names its own form; without one, nothing is kept where the pipeline names none")
    func formOfRequest() throws {
        let (cache, loads) = (disk(), Counter())
        let image = try Pictures.gradient(40, 30)
        let source = source(image, loads).cached(in: cache, as: nil, workers: workers, on: threads)
        var request = ImageRequest(.data([1]), as: .fit(box))
        _ = load(request, from: source)
        request.storedForm = .png()
        _ = load(request, from: source)
        waitForWrites(1, in: cache)
        let kept = try #require(final(load(request, from: source)))
        #expect(kept.image == image && !kept.provenance.isLossy)
        request.storedForm = .png(level: 9)
        _ = load(request, from: source)
        #expect(loads.value == 3)
    }

    @Test("A picture that is damaged is not kept, as an image or as a file")
    func damaged() throws {
        let (cache, loads) = (disk(), Counter())
        let whole = try Pictures.gradient(40, 30)
        let damaged = whole.withMetadata(ImageMetadata(damage: ImageDamage(.truncated, byteOffset: 7)))
        let (first, last) = (ImageRequest(.data([1]), as: .fit(box)), ImageRequest(.data([2]), as: .fit(box)))
        let images = source(damaged, loads).cached(in: cache, as: .png(), workers: workers, on: threads)
        let files = source(damaged, loads).encoded(as: .png(), in: cache, workers: workers, on: threads)
        for count in 1...2 {
            #expect(final(load(first, from: images))?.image.damage != nil)
            let file = RecordingSubscriber<DataEvent, LoadError>()
            files.events(for: first).subscribe(file)
            #expect(file.waitForCompletion() && file.values.count >= 2)
            #expect(loads.value == 2 * count)
        }
        // Later images are written later.
        _ = load(last, from: source(whole, loads).cached(in: cache, as: .png(), workers: workers, on: threads))
        waitForWrites(1, in: cache)
        #expect(cache.statistics.writes == 1)
    }

    @Test("An image that is not to be served from some moment on is not kept, as an image or as a file")
    func ending() throws {
        let (cache, loads) = (disk(), Counter())
        let image = try Pictures.gradient(40, 30)
        let ending = AnySource<ImageRequest, ImageEvent> { _ in
            Just(.final(image, Provenance(.disk, lifetime: .seconds(60)))).setFailureType(to: LoadError.self)
                .eraseToAnyPublisher()
        }
        let (first, last) = (ImageRequest(.data([1]), as: .fit(box)), ImageRequest(.data([2]), as: .fit(box)))
        _ = load(first, from: ending.cached(in: cache, as: .png(), workers: workers, on: threads))
        let file = RecordingSubscriber<DataEvent, LoadError>()
        ending.encoded(as: .png(), in: cache, workers: workers, on: threads).events(for: first).subscribe(file)
        #expect(file.waitForCompletion())
        _ = load(last, from: source(image, loads).cached(in: cache, as: .png(), workers: workers, on: threads))
        waitForWrites(1, in: cache)
        #expect(cache.statistics.writes == 1)
    }

    @Test("What a JPEG cannot hold is kept as a PNG, and every kind of image comes back as it was")
    func formats() throws {
        for format in PixelFormat.allCases {
            let image = try Pictures.gradient(23, 17, format).withMetadata(
                ImageMetadata(storedOrientation: .leftMirrored, density: PixelDensity(horizontal: 300, vertical: 300)))
            let isLossy = !format.isDeep && !format.hasAlpha
            for form in [StoredForm.jpeg(quality: 100), .png()] {
                let stored = try StoredImage(image, .network, as: form, freshUntil: nil, asking: .unknown)
                #expect(stored.facts.isLossy == (isLossy && form != .png()))
                let facts = try #require(StoredImage.Facts(metadata: stored.facts.metadata))
                #expect(facts == stored.facts)
                let back = try StoredImage(facts: facts, bytes: stored.bytes).image(limits: .safe) { false }
                #expect(back.metadata == image.metadata)
                if facts.isLossy { #expect(Pictures.psnr(image, back) > 38) } else { #expect(back == image) }
            }
        }
        // Alpha that hides nothing keeps no picture from being small.
        let opaque = try Pictures.gradient(23, 17).converted(to: .rgba8)
        let stored = try StoredImage(opaque, .network, as: .jpeg(), freshUntil: .seconds(5), asking: .unknown)
        #expect(stored.facts.isLossy && stored.facts.freshUntil == .seconds(5))
        #expect(try stored.image(limits: .safe) { false }.format == .rgba8)
    }

    @Test("Bytes that are no facts are none")
    func facts() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let count = Bool.random(using: &random) ? 22 : Int.random(in: 0...30, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...3, using: &random) }
            if count > 0, Int.random(in: 0..<4, using: &random) > 0 { bytes[0] = 2 }
            if let facts = StoredImage.Facts(metadata: bytes) { #expect(facts.metadata == bytes) }
            if count == 22 {
                let isNone = bytes[0] != 2 || bytes[1] > 1 || bytes[2] > 1 || bytes[4] == 0 || bytes[5] > 1
                #expect((StoredImage.Facts(metadata: bytes) == nil) == isNone)
            }
        }
    }

    @Test("Each byte of the facts stands for what it says, or there are none")
    func factsByByte() {
        let facts = StoredImage.Facts(
            isLossy: true, fileFormat: .png, pixelFormat: .rgba16, orientation: .leftMirrored, freshUntil: .seconds(5),
            asking: StoredImage.Asking(time: .seconds(9), isKnown: true))
        let known = [2...2, 0...1, 0...1, 0...PixelFormat.allCases.count - 1, 1...8, 0...1]
        for (at, known) in known.enumerated() {
            for value in 0...255 {
                var bytes = facts.metadata
                bytes[at] = UInt8(value)
                #expect(StoredImage.Facts(metadata: bytes)?.metadata == (known.contains(value) ? bytes : nil))
            }
        }
    }

    @Test("An image whose time is over is a degraded one until upstream has answered; what is not to be kept is not")
    func freshness() throws {
        let (cache, loads) = (disk(), Counter())
        let request = ImageRequest("http://example.com/a.jpg", as: .fit(box))
        let (old, new) = (try Pictures.gradient(40, 30), try Pictures.gradient(40, 20))
        func cached(_ image: Image, _ freshness: Duration?) -> some Source<ImageRequest, ImageEvent> {
            source(image, loads, freshness: freshness).cached(
                in: cache, as: .png(), freshFor: .seconds(10), workers: workers, on: threads)
        }
        _ = load(request, from: cached(old, .seconds(60)))
        waitForWrites(1, in: cache)
        clock.advance(by: .seconds(59))
        #expect(final(load(request, from: cached(new, nil)))?.image == old)
        clock.advance(by: .seconds(1))
        let shown = load(request, from: cached(new, nil)).values
        #expect(shown.compactMap(\.image) == [old, new])
        if case .degraded(_, let quality)? = shown.first { #expect(quality == 1) }
        waitForWrites(2, in: cache)
        // It has said nothing of this one: the pipeline has.
        clock.advance(by: .seconds(9))
        #expect(final(load(request, from: cached(old, nil)))?.image == new)
        clock.advance(by: .seconds(1))
        let unseen = load(request.withoutPreviews, from: cached(old, .zero)).values.compactMap(\.image)
        #expect(unseen == [old, old], "what upstream delivers alone")
        #expect(loads.value == 3)
        while cache.contents().entries > 0 { sched_yield() }
    }

    @Test("Policies of a request hold for images on disk too")
    func policies() throws {
        let (cache, loads) = (disk(), Counter())
        let source = source(try Pictures.gradient(40, 30), loads).cached(
            in: cache, as: .png(), workers: workers, on: threads)
        func request(_ policies: CachePolicies = .useCache) -> ImageRequest {
            var request = ImageRequest(.data([1]), as: .fit(box))
            request.caching = policies
            return request
        }
        var notKept = [request(.noStore), request(.expires(at: .seconds(1 << 40)))]
        notKept += [
            ImageRequest(.data([1])), ImageRequest(.file("/a.jpg"), as: .fit(box)),
            ImageRequest(.data([1]), as: .fit(box), headers: [HTTPField("Cache-Control", "no-store")]),
        ]
        for request in notKept { _ = load(request, from: source) }
        var file = ImageRequest(.file("/a.jpg"), as: .fit(box))
        file.version = "1"
        _ = load(file, from: source)
        waitForWrites(1, in: cache)
        _ = load(request(), from: source)
        waitForWrites(2, in: cache)
        #expect(loads.value == notKept.count + 2)
        _ = load(request(.reload), from: source)
        waitForWrites(3, in: cache)
        _ = load(request(.revalidate), from: source)
        waitForWrites(4, in: cache)
        for request in [request(), request(.cacheOnly), file] {
            #expect(final(load(request, from: source))?.provenance == .disk)
        }
        #expect(loads.value == notKept.count + 4)
        #expect(cache.statistics.writes == 4)
    }
}

extension StoredImage.Asking {
    static let unknown = StoredImage.Asking(time: .zero, isKnown: false)
}
