import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

extension StoredImageTests {
    /// A source that fails each load with one error.
    private func source(failingWith error: LoadError) -> AnySource<ImageRequest, ImageEvent> {
        AnySource { _ in Fail(error: error).eraseToAnyPublisher() }
    }

    private func hasEntry(_ key: CacheKey, in cache: DiskCache) -> Bool { cache.hasBody(for: key) }

    @Test(
        "A picture that its server has no more leaves no image, file or placeholder; a server's bad moment leaves all of them",
        arguments: [(LoadError.status(404), true), (.status(410), true), (.status(500), false)])
    func gone(error: LoadError, isGone: Bool) throws {
        let (cache, loads) = (disk(), Counter())
        let image = try Pictures.gradient(40, 30)
        var request = ImageRequest(.data([1]), as: .fit(box))
        let keys = [StoredForm.png(), .jpeg()].map(request.storedImageKey(as:)) + [request.placeholderKey]
        func start(_ source: AnySource<ImageRequest, ImageEvent>) {
            _ = load(
                request,
                from: source.cached(in: cache, as: .png(), workers: workers, on: threads)
                    .showingPlaceholders(in: cache, workers: workers, on: threads))
            let file = RecordingSubscriber<DataEvent, LoadError>()
            source.encoded(as: .jpeg(), in: cache, workers: workers, on: threads).events(for: request).subscribe(file)
            #expect(file.waitForCompletion())
        }
        start(self.source(image, loads, freshness: .seconds(600)))
        waitForWrites(3, in: cache)
        #expect(keys.allSatisfy { hasEntry($0, in: cache) })

        request.caching = .reload
        start(source(failingWith: error))
        while isGone, keys.contains(where: { hasEntry($0, in: cache) }) { sched_yield() }
        #expect(keys.allSatisfy { hasEntry($0, in: cache) } == !isGone)
    }

    @Test("All that is kept of a picture can be found by its keys, and forgotten")
    func forgetting() throws {
        let (cache, loads) = (disk(), Counter())
        let request = ImageRequest(.data([1]), as: .fit(box))
        let source = source(try Pictures.gradient(40, 30), loads)
            .cached(in: cache, as: .jpeg(), workers: workers, on: threads)
            .showingPlaceholders(in: cache, workers: workers, on: threads)
        _ = load(request, from: source)
        waitForWrites(2, in: cache)
        #expect(final(load(request, from: source))?.provenance == .disk)
        for key in [request.storedImageKey(as: .jpeg()), request.placeholderKey] { cache.remove(key) }
        #expect(cache.contents().entries == 0)
        #expect(final(load(request, from: source))?.provenance == .network)
    }
}
