import Dispatch
import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

extension StoredImageTests {
    /// A source that does what a closure says each time.
    private func source(
        _ events: @escaping @Sendable (ImageRequest) -> AnyPublisher<ImageEvent, LoadError>
    ) -> AnySource<ImageRequest, ImageEvent> {
        AnySource { request in Deferred { events(request) }.eraseToAnyPublisher() }
    }

    private func source(failingWith error: LoadError) -> AnySource<ImageRequest, ImageEvent> {
        source { _ in Fail(error: error).eraseToAnyPublisher() }
    }

    private func source(_ image: Image, freshFor freshness: Duration) -> AnySource<ImageRequest, ImageEvent> {
        source { _ in
            Just(.final(image, Provenance(.network, freshFor: freshness))).setFailureType(to: LoadError.self)
                .eraseToAnyPublisher()
        }
    }

    /// The last event of a load of an image, and of one of its file.
    @discardableResult
    private func start(
        _ request: ImageRequest, _ source: AnySource<ImageRequest, ImageEvent>, in store: some BodyStore
    ) -> (image: ImageEvent?, file: DataEvent?) {
        let image = load(
            request,
            from: source.showingPlaceholders(in: store, workers: workers, on: threads)
                .cached(in: store, as: .png(), workers: workers, on: threads))
        let file = RecordingSubscriber<DataEvent, LoadError>()
        source.encoded(as: .jpeg(), in: store, workers: workers, on: threads).events(for: request).subscribe(file)
        #expect(file.waitForCompletion())
        return (image.values.last, file.values.last)
    }

    private func keys(of request: ImageRequest) -> [CacheKey] {
        [StoredForm.png(), .jpeg()].map(request.storedImageKey(as:)) + [request.placeholderKey]
    }

    @Test(
        "A picture that its server has no more is gone when its load fails, as image, file and placeholder; a bad moment changes nothing",
        arguments: [(LoadError.status(404), true), (.status(410), true), (.status(500), false)])
    func gone(error: LoadError, isGone: Bool) throws {
        let cache = disk()
        let policies: [CachePolicies] = [.reload, .revalidate, .expires(at: clock.now + .seconds(60))]
        for (number, caching) in policies.enumerated() {
            var request = ImageRequest(.data([UInt8(number)]), as: .fit(box))
            let keys = keys(of: request)
            start(request, source(try Pictures.gradient(40, 30), freshFor: .seconds(600)), in: cache)
            waitForWrites(3 * (number + 1), in: cache)
            #expect(keys.allSatisfy { cache.hasBody(for: $0) })
            request.caching = caching
            start(request, source(failingWith: error), in: HeldRemovals(cache))
            #expect(keys.map { cache.hasBody(for: $0) } == keys.map { _ in !isGone }, "\(caching)")
        }
    }

    @Test("What a reload has brought is served next, however long it is encoded, and also where it may not be kept")
    func superseded() throws {
        let cache = disk()
        let (old, new) = (try Pictures.gradient(40, 30), try Pictures.gradient(30, 40))
        for (number, freshness) in [Duration.seconds(600), .zero].enumerated() {
            var request = ImageRequest(.data([UInt8(number)]), as: .fit(box))
            start(request, source(old, freshFor: .seconds(600)), in: cache)
            let writes = 3 + 4 * number
            waitForWrites(writes, in: cache)
            // Both workers are busy with something more urgent than an encoding.
            let gate = DispatchSemaphore(value: 0)
            request.caching = .reload
            let load = RecordingSubscriber<ImageEvent, LoadError>()
            source(new, freshFor: freshness).cached(in: HeldRemovals(cache), as: .png(), workers: workers, on: threads)
                .events(for: request).handleEvents(receiveSubscription: { [workers] _ in
                    for _ in 0..<2 { workers.turn(.fixed(LoadPriority.high.level)).schedule { gate.wait() } }
                }).subscribe(load)
            #expect(load.waitForCompletion())
            #expect(!cache.hasBody(for: request.storedImageKey(as: .png())))
            for _ in 0..<2 { gate.signal() }
            // The image is encoded now, where it may be kept: the next one's writes are not to be taken for it.
            if freshness > .zero { waitForWrites(writes + 1, in: cache) }
        }
        // Of a file nothing is encoded beside its load.
        var request = ImageRequest(.data([1]), as: .fit(box))
        request.caching = .reload
        start(request, source(new, freshFor: .zero), in: HeldRemovals(cache))
        #expect(!cache.hasBody(for: request.storedImageKey(as: .jpeg())))
    }

    @Test("An image that a reload has brought is kept, also where it is encoded before the one before is removed")
    func keptBehindRemoval() throws {
        let (cache, new) = (disk(), try Pictures.gradient(30, 40))
        let atOnce = WorkQueue(on: ImmediateScheduler.shared)
        let request = ImageRequest(.data([1]), as: .fit(box))
        var reload = request
        reload.caching = .reload
        let source = source(new, freshFor: .seconds(600)).cached(in: cache, as: .png(), workers: atOnce, on: threads)
        for _ in 0..<50 {
            _ = load(reload, from: source)
            #expect(comesTrue { cache.hasBody(for: request.storedImageKey(as: .png())) })
        }
    }

    @Test("All that is kept of a picture can be found by its keys, and forgotten")
    func forgetting() throws {
        let (cache, loads) = (disk(), Counter())
        let request = ImageRequest(.data([1]), as: .fit(box))
        let source = source(try Pictures.gradient(40, 30), loads)
            .showingPlaceholders(in: cache, workers: workers, on: threads)
            .cached(in: cache, as: .jpeg(), workers: workers, on: threads)
        _ = load(request, from: source)
        waitForWrites(2, in: cache)
        #expect(final(load(request, from: source))?.provenance == .disk)
        for key in [request.storedImageKey(as: .jpeg()), request.placeholderKey] { cache.remove(key) }
        #expect(cache.contents().entries == 0)
        #expect(final(load(request, from: source))?.provenance == .network)
    }
}

/// A store that takes its time to remove something.
private struct HeldRemovals: ForwardingStore {
    let cache: DiskCache

    init(_ cache: DiskCache) {
        self.cache = cache
    }

    func removeBody(for key: CacheKey) {
        for _ in 0..<50 { sched_yield() }
        cache.removeBody(for: key)
    }
}
