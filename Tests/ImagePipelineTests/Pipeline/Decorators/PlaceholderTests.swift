import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Placeholders of some 25 bytes")
struct PlaceholderTests {
    private let directory = TemporaryDirectory()
    private let threads = ThreadPoolScheduler(width: 4)
    private let workers = WorkQueue(on: ThreadPoolScheduler(width: 2))
    private let terms = StoreTerms(timeLimit: .seconds(3_600))

    private func disk() -> DiskCache { DiskCache(directory: directory.path, terms: terms) }

    private func source(_ events: AnyPublisher<ImageEvent, LoadError>) -> AnySource<ImageRequest, ImageEvent> {
        AnySource { _ in events }
    }

    private func final(_ image: Image, _ provenance: Provenance = .network) -> AnyPublisher<ImageEvent, LoadError> {
        Just(.final(image, provenance)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
    }

    private func start(
        _ request: ImageRequest, _ events: AnyPublisher<ImageEvent, LoadError>, _ store: some BodyStore
    ) -> RecordingSubscriber<ImageEvent, LoadError> {
        let load = RecordingSubscriber<ImageEvent, LoadError>()
        source(events).showingPlaceholders(in: store, workers: workers, on: threads).events(for: request)
            .subscribe(load)
        return load
    }

    private func waitForWrites(_ count: Int, in cache: DiskCache) {
        while cache.statistics.writes < count { sched_yield() }
    }

    @Test("The mean lightness of a picture is in the first six bits of its hash, rounded", arguments: 0...255)
    func lightness(grey: Int) throws {
        let bytes = [UInt8](repeating: UInt8(grey), count: 32 * 32)
        let image = try #require(Image(size: PixelSize(width: 32, height: 32), format: .grey8, bytes: bytes))
        let first = try #require(PlaceholderHash(of: image).bytes.first)
        // Never halfway between two: 63 / 255 is 21 / 85, and 85 is odd.
        #expect(Int(first & 63) == (grey * 63 * 2 + 255) / 510)
    }

    @Test("A hash is small, has the picture's shape, and looks like it from afar")
    func likeness() throws {
        for (width, height) in [(320, 240), (240, 320), (500, 100), (64, 64), (1, 1), (3, 2_000)] {
            for format in PixelFormat.allCases {
                let image = try Pictures.gradient(width, height, format)
                let hash = PlaceholderHash(of: image)
                #expect((5...30).contains(hash.bytes.count))
                #expect(PlaceholderHash(hash.bytes) == hash)
                let drawn = try #require(hash.image())
                #expect(max(drawn.width, drawn.height) == 32)
                #expect(drawn.format == (format.hasAlpha ? .rgba8 : .rgb8))
                if width < 8 * height, height < 8 * width {
                    let shape = Double(drawn.width * height) / Double(drawn.height * width)
                    #expect(abs(shape - 1) < 0.35, "\(width) × \(height)")
                }
            }
        }
        for alpha in [255, 128] {
            let bytes = (0..<48 * 48).flatMap { at -> [UInt8] in
                let (x, y) = (at % 48 * 5, at / 48 * 5)
                return [UInt8(x), UInt8(y), UInt8(240 - x), UInt8(x < 120 ? 255 : alpha)]
            }
            let size = PixelSize(width: 48, height: 48)
            let image = try #require(Image(size: size, format: .rgba8, bytes: bytes))
            let drawn = try #require(PlaceholderHash(of: image).image())
            let small = image.resized(to: drawn.size, filter: .bilinear).converted(to: drawn.format)
            #expect(drawn.format.hasAlpha == (alpha < 255))
            #expect(Pictures.psnr(drawn, small) > 18)
        }
    }

    @Test("A hash of one colour is that colour; the format's fields are where others look for them")
    func oneColour() throws {
        let orange = Image(
            size: PixelSize(width: 4, height: 2), format: .rgb8, bytes: (0..<8).flatMap { _ in [255, 128, 0] })
        let hash = PlaceholderHash(of: try #require(orange))
        // Brightness 0.5006 of 63, yellow 0.751 and red 0.498 between -1 and 1, no amplitude; landscape, seven by four frequencies.
        #expect(Array(hash.bytes.prefix(5)) == [0xE0, 0xFD, 0x02, 0x04, 0x80])
        #expect(hash.bytes.dropFirst(5).allSatisfy { $0 == 0x88 || $0 == 0x08 })
        let pixel = try #require(hash.image()?.pixel(x: 16, y: 8))
        #expect(abs(Int(pixel.x) - 255) < 8 && abs(Int(pixel.y) - 128) < 8 && pixel.z < 8)
    }

    @Test("Any bytes are a hash that can be drawn, or none")
    func anyBytes() {
        var random = SeededGenerator()
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            guard let hash = PlaceholderHash(bytes) else { continue }
            #expect(hash.image() != nil, "seed \(random.seed): \(bytes)")
        }
        #expect(PlaceholderHash([]) == nil)
    }

    @Test(
        "The first decode leaves a placeholder, which every size shows first the next time, before anything is decoded")
    func nextLoad() throws {
        let (cache, image) = (disk(), try Pictures.gradient(64, 48))
        let url = "http://example.com/a.jpg"
        let first = start(ImageRequest(url, as: .fit(image.size)), final(image), cache)
        #expect(first.waitForCompletion())
        waitForWrites(1, in: cache)

        let next = PassthroughSubject<ImageEvent, LoadError>()
        let load = start(ImageRequest(url, as: .fit(PixelSize(width: 9, height: 9))), next.eraseToAnyPublisher(), cache)
        while load.values.isEmpty { sched_yield() }
        guard case .degraded(let placeholder, quality: 0)? = load.values.first else {
            Issue.record("no placeholder")
            return
        }
        #expect(placeholder == PlaceholderHash(of: image).image())
        next.send(.final(image, .disk))
        next.send(completion: .finished)
        #expect(load.waitForCompletion() && load.values.count == 2 && load.violations.isEmpty)
        // A crop is another picture.
        let crop = start(ImageRequest(url, as: .fill(image.size)), final(image, .disk), cache)
        #expect(crop.waitForCompletion() && crop.values.count == 1)
        waitForWrites(2, in: cache)
    }

    @Test("An image that is made of other bytes renews the placeholder, wherever those come from")
    func renewed() throws {
        let (cache, old, new) = (disk(), try Pictures.gradient(64, 48), try Pictures.gradient(48, 64))
        let request = ImageRequest("http://example.com/a.jpg", as: .fit(old.size))
        #expect(start(request, final(old), cache).waitForCompletion())
        waitForWrites(1, in: cache)
        #expect(start(request, final(new, .disk), cache).waitForCompletion())
        waitForWrites(2, in: cache)
        #expect(try cache.entry(for: request.placeholderKey)?.chunk(at: 0) == PlaceholderHash(of: new).bytes)
    }

    @Test("A placeholder never comes behind a better image, drawn at the moment when that comes")
    func order() throws {
        let (cache, image) = (disk(), try Pictures.gradient(64, 48))
        let request = ImageRequest("http://example.com/a.jpg", as: .fit(image.size))
        #expect(start(request, final(image), cache).waitForCompletion())
        waitForWrites(1, in: cache)
        let clock = ContinuousClock()
        var random = SeededGenerator()
        for _ in 0..<2_000 {
            let better = PassthroughSubject<ImageEvent, LoadError>()
            let load = start(request, better.eraseToAnyPublisher(), cache)
            // A reader and a drawer take about so long: neither always comes first.
            let moment = clock.now + .microseconds(Int64.random(in: 0...300, using: &random))
            while clock.now < moment {}
            better.send(.degraded(image, quality: 0.5))
            better.send(.final(image, .disk))
            better.send(completion: .finished)
            #expect(load.waitForCompletion())
            let isPlaceholder = load.values.map { event in
                if case .degraded(_, quality: 0) = event { true } else { false }
            }
            #expect(!isPlaceholder.dropFirst().contains(true), "seed \(random.seed)")
        }
    }

    @Test("Nothing is drawn that nobody waits for, and nothing kept that is not to be")
    func unwanted() throws {
        let (cache, image) = (disk(), try Pictures.gradient(64, 48))
        let request = ImageRequest("http://example.com/a.jpg", as: .fit(image.size))
        #expect(start(request, final(image, Provenance(.network, freshFor: .zero)), cache).waitForCompletion())
        #expect(start(ImageRequest(.file("/a.jpg")), final(image, .file), cache).waitForCompletion())
        var past = request
        past.caching.disk = .noStore
        #expect(start(past, final(image), cache).waitForCompletion())
        var ending = request
        ending.caching.disk = .expires(at: cache.wallClock + .seconds(60))
        #expect(start(ending, final(image), cache).waitForCompletion())
        #expect(start(request, final(image, Provenance(.network, lifetime: .seconds(60))), cache).waitForCompletion())
        let isThrough = RecordingSubscriber<Int, Never>()
        Just(1).receive(on: threads).receive(on: workers.turn(.low)).receive(on: threads).subscribe(isThrough)
        #expect(isThrough.waitForCompletion() && cache.statistics.writes == 0)
        #expect(start(request, final(image), cache).waitForCompletion())
        waitForWrites(1, in: cache)

        var unasked = request
        unasked.previewInterest = PreviewInterest()
        for request in [request.withoutPreviews, past, unasked] {
            let hits = cache.statistics.hits
            let events = PassthroughSubject<ImageEvent, LoadError>()
            let load = start(request, events.eraseToAnyPublisher(), cache)
            // It has been looked up, if at all, before another load's is.
            if request == unasked {
                while cache.statistics.hits == hits { sched_yield() }
                let other = RecordingSubscriber<Int, Never>()
                Just(1).receive(on: workers.turn(.low)).subscribe(other)
                #expect(other.waitForCompletion())
            }
            events.send(.final(image, .disk))
            events.send(completion: .finished)
            #expect(load.waitForCompletion() && load.values.count == 1)
        }
        #expect(cache.statistics.writes == 1, "what is there is not written again")
    }

    @Test("A store that hangs or fails holds nobody up")
    func hanging() throws {
        let image = try Pictures.gradient(64, 48)
        let request = ImageRequest("http://example.com/a.jpg", as: .fit(image.size))
        let store = ScriptedStore()
        store.set(.hanging)
        let load = start(request, final(image, .disk), store)
        #expect(load.waitForCompletion() && load.isFinished && load.values.count == 1)
        store.letGo()
        store.set(.failing)
        for _ in 0..<5 {
            let load = start(request, final(image), store)
            #expect(load.waitForCompletion() && load.isFinished && load.values.count == 1)
        }
    }
}
