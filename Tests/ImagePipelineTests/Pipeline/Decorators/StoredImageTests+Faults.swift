import Files
import LoopbackServer
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

extension StoredImageTests {
    @Test("A file that does not decode is removed, and the image made anew")
    func undecodable() throws {
        let (cache, loads) = (disk(), Counter())
        let image = try Pictures.gradient(40, 30)
        let request = ImageRequest(.data([1]), as: .fit(box))
        let key = CacheKey(["image", request.imageKey.digest, StoredForm.png().identifier])
        let source = source(image, loads).cached(in: cache, as: .png(), workers: workers, on: threads)
        let facts = try StoredImage(image, .network, as: .png(), freshUntil: nil, asking: .unknown).facts
        for (bytes, metadata) in [
            ([UInt8](repeating: 1, count: 100), facts.metadata), ([], facts.metadata), ([1], [1]),
        ] {
            let (before, writes) = (loads.value, cache.statistics.writes)
            cache.store(bytes, for: key, metadata: metadata)
            #expect(final(load(request, from: source))?.image == image)
            #expect(loads.value == before + 1)
            // The image made anew is in its place.
            waitForWrites(writes + 2, in: cache)
        }
    }

    @Test("A file that does not decode is removed, also when no other image can be made")
    func undecodableAlone() throws {
        let cache = disk()
        let request = ImageRequest(.data([1]), as: .fit(box))
        let key = CacheKey(["image", request.imageKey.digest, StoredForm.png().identifier])
        let upstream = AnySource<ImageRequest, ImageEvent> { _ in Fail(error: .notCached).eraseToAnyPublisher() }
        let source = upstream.cached(in: cache, as: .png(), workers: workers, on: threads)
        let image = try Pictures.gradient(40, 30)
        let facts = try StoredImage(image, .network, as: .png(), freshUntil: nil, asking: .unknown).facts
        cache.store([UInt8](repeating: 1, count: 100), for: key, metadata: facts.metadata)
        try #require(cache.hasBody(for: key))
        #expect(load(request, from: source).failure != nil)
        #expect(comesTrue { !cache.hasBody(for: key) })
    }

    @Test("A store that hangs holds a load up for its time limit, and never the image that was made")
    func hanging() throws {
        let (time, store, loads) = (VirtualTimeScheduler(), ScriptedStore(), Counter())
        let source = source(try Pictures.gradient(40, 30), loads).cached(
            in: store, as: .png(), workers: workers, on: ThreadPoolScheduler(width: 8), clock: StoreClock(time))
        func start() -> RecordingSubscriber<ImageEvent, LoadError> {
            let load = RecordingSubscriber<ImageEvent, LoadError>()
            source.events(for: ImageRequest(.data([1]), as: .fit(box))).subscribe(load)
            return load
        }
        store.set(.hanging)
        let load = start()
        store.waitForHung(1)
        time.advance(by: .milliseconds(999))
        #expect(load.values.isEmpty)
        time.advance(by: .milliseconds(1))
        #expect(load.waitForCompletion() && load.values.count == 2)
        // The image on its way to the store hangs, too, and holds nobody up.
        store.waitForHung(2)
        store.letGo()
        store.set(.failing)
        for number in 2...9 {
            let load = start()
            #expect(load.waitForCompletion() && load.isFinished && load.values.count == 2)
            #expect(loads.value == number)
        }
    }

    @Test("A server sends what was kept without making it again, and shares it with pipelines that show it")
    func encoded() throws {
        let (cache, loads) = (disk(), Counter())
        let image = try Pictures.gradient(40, 30)
        let request = ImageRequest("http://example.com/a.jpg", as: .fit(box))
        let origin = source(image, loads, freshness: .seconds(60))
        let files = origin.encoded(as: .jpeg(quality: 80), in: cache, workers: workers, on: threads)
        var bodies: [[UInt8]] = []
        for provenance in [Provenance.network, .disk, .disk] {
            let load = RecordingSubscriber<DataEvent, LoadError>()
            files.events(for: request).subscribe(load)
            #expect(load.waitForCompletion() && load.isFinished && load.violations.isEmpty)
            guard case .response(let response)? = load.values.first else {
                Issue.record("no response")
                return
            }
            #expect(response.provenance == provenance && response.provenance.isLossy)
            // The time until it is written counts.
            let freshness = try #require(response.provenance.freshness)
            #expect(.seconds(30) < freshness && freshness <= .seconds(60))
            #expect(response.contentType == "image/jpeg")
            bodies.append(load.values.flatMap { if case .chunk(let bytes) = $0 { bytes } else { [UInt8]() } })
            #expect(response.expectedLength == bodies.last?.count)
        }
        #expect(loads.value == 1 && Set(bodies).count == 1)
        #expect(bodies[0] == (try image.encoded(as: .jpeg(quality: 80, subsampling: .yuv444), metadata: .all)))
        let shown = origin.cached(in: cache, as: .jpeg(quality: 80), workers: workers, on: threads)
        #expect(final(load(request, from: shown))?.provenance == .disk)
        // One that is not kept is encoded each time.
        let original = RecordingSubscriber<DataEvent, LoadError>()
        files.events(for: ImageRequest("http://example.com/a.jpg")).subscribe(original)
        #expect(original.waitForCompletion() && original.isFinished && original.values.count == 2)
        #expect(loads.value == 2)
    }
}
