import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Testing

@Suite("Delivery")
struct DeliveryTests {
    typealias Loads = ScriptedSource<ImageRequest, ImageEvent>
    typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>

    private let source = Loads()
    private let recorder = Recorder()

    private func request(_ number: Int = 1, _ delivery: ImageDelivery = .opportunistic, preview: Int? = nil)
        -> ImageRequest
    {
        var request = ImageRequest.numbered(number)
        request.delivery = delivery
        request.preview = preview.map { .numbered($0) }
        return request
    }

    private func words(_ recorder: Recorder) -> [String] {
        recorder.values.map { event in
            switch event {
            case .progress: "progress"
            case .degraded(let image, let quality): "degraded \(image.carriedNumber ?? -1) \(quality)"
            case .final(let image, let provenance): "final \(image.carriedNumber ?? -1) \(provenance)"
            }
        }
    }

    @Test("previews and delivery are one thing")
    func previews() {
        #expect(ImageRequest("a", previews: false).delivery == .highQuality)
        var request = request(1, .fast)
        #expect(request.previews)
        request.previews = true
        #expect(request.delivery == .fast)
        request.previews = false
        #expect(request.delivery == .highQuality)
        #expect(self.request(1, .fast, preview: 2).imageKey == ImageRequest.numbered(1).imageKey)
    }

    @Test("Fast ends with the first image that is good enough, and cancels the load")
    func fast() {
        source.delivered().events(for: request(1, .fast(quality: 0.5))).subscribe(recorder)
        source.loads[0].send(.degraded(picture(1), quality: 0.2))
        source.loads[0].send(.progress(LoadProgress(received: 1)))
        source.loads[0].send(.degraded(picture(2), quality: 0.5))
        #expect(words(recorder) == ["degraded 1 0.2", "progress", "final 2 preview"])
        #expect(recorder.isFinished && recorder.violations.isEmpty)
        #expect(source.loads[0].isCancelled)
    }

    @Test("Fast takes the final image where no preview was good enough, and no cache keeps a preview as final")
    func fastAndCaches() {
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1_000)
        let pipeline = source.cached(in: memory).delivered()
        pipeline.events(for: request(1, .fast)).subscribe(recorder)
        source.loads[0].send(.degraded(picture(1), quality: 0.9))
        #expect(words(recorder) == ["final 1 preview"])
        let second = Recorder()
        pipeline.events(for: request(1, .fast)).subscribe(second)
        source.loads[1].finish(with: picture(2))
        let third = Recorder()
        pipeline.events(for: request(1)).subscribe(third)
        #expect(words(second) == ["final 2 network"])
        #expect(words(third) == ["final 2 memory"])
    }

    @Test("A lesser image is shown until there is a better one, and is cancelled then; its failure goes unnoticed")
    func preview() {
        source.delivered().events(for: request(1, preview: 2)).subscribe(recorder)
        #expect(source.loads.map(\.request.number) == [1, 2])
        source.loads[1].send(.progress(LoadProgress(received: 1)))
        source.loads[1].send(.degraded(picture(21), quality: 0.5))
        source.loads[0].send(.degraded(picture(11), quality: 0.1))
        source.loads[0].send(.degraded(picture(12), quality: 0.3))
        #expect(words(recorder) == ["degraded 21 0.25", "degraded 12 0.3"])
        source.loads[0].send(.degraded(picture(13), quality: 0.6))
        #expect(source.loads[1].isCancelled)
        source.loads[0].finish(with: picture(14))
        #expect(words(recorder).suffix(2) == ["degraded 13 0.6", "final 14 network"])
        #expect(recorder.isFinished && recorder.violations.isEmpty)

        let failing = Recorder()
        source.delivered().events(for: request(3, preview: 4)).subscribe(failing)
        source.loads[3].end(.failure(.status(404)))
        source.loads[2].finish(with: picture(3))
        #expect(words(failing) == ["final 3 network"])
    }

    @Test("The lesser image is not loaded where the other is in memory, and cancelled when that fails or is cancelled")
    func previewIsCancelled() {
        let memory = Loads { load in if load.request.number == 1 { load.finish(with: picture(1), from: .memory) } }
        memory.delivered().events(for: request(1, preview: 2)).subscribe(recorder)
        #expect(words(recorder) == ["final 1 memory"])
        #expect(memory.loads.count == 1)

        let failing = Recorder()
        source.delivered().events(for: request(1, preview: 2)).subscribe(failing)
        source.loads[0].end(.failure(.status(500)))
        #expect(failing.failure != nil && source.loads[1].isCancelled)

        let cancelled = Recorder()
        source.delivered().events(for: request(1, preview: 2)).subscribe(cancelled)
        cancelled.cancel()
        #expect(source.loads.allSatisfy { !$0.isOpen })

        source.delivered().events(for: request(1, .highQuality, preview: 2)).subscribe(Recorder())
        #expect(
            source.loads.filter(\.isOpen).map(\.request.number) == [1], "who wants no previews gets no lesser image")
    }

    @Test("A consumer that requests nothing keeps nothing back: the final image is in memory all the same, and waits")
    func demand() {
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1_000)
        let idle = Recorder(initialDemand: .none)
        let request = request(1, preview: 2)
        source.cached(in: memory).delivered().events(for: request).subscribe(idle)
        source.loads[0].send(.degraded(picture(1), quality: 0.2))
        source.loads[0].finish(with: picture(2))
        #expect(memory.value(forKey: request.imageKey)?.carriedNumber == 2)
        #expect(idle.values.isEmpty && idle.completion == nil)
        idle.request(.max(1))
        #expect(words(idle) == ["final 2 network"])
        #expect(idle.isFinished)
    }

    @Test("Another size in memory is shown first: the smallest that is large enough, else the largest")
    func variants() {
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        let pipeline = source.showingVariants(in: memory).coalesced().cached(in: memory)
        func load(_ side: Int, _ picture: Image?) -> Recorder {
            let recorder = Recorder()
            var request = ImageRequest.numbered(1)
            request.rendition = .fit(PixelSize(width: side, height: side))
            pipeline.events(for: request).subscribe(recorder)
            if let picture { source.loads.last?.finish(with: picture) }
            return recorder
        }
        func sized(_ width: Int) -> Image { Image(carrying: width, size: PixelSize(width: width, height: width / 2)) }
        #expect(words(load(64, sized(64))) == ["final 64 network"])
        #expect(words(load(256, sized(256))) == ["degraded 64 0.0625", "final 256 network"])
        #expect(words(load(100, sized(100))) == ["degraded 256 0.9", "final 100 network"])
        let flat = Recorder()
        var box = ImageRequest.numbered(1)
        box.rendition = .fit(PixelSize(width: 100, height: 80))
        pipeline.events(for: box).subscribe(flat)
        #expect(words(flat) == ["degraded 100 0.9"])
        let larger = load(512, nil)
        source.loads.last?.send(.degraded(picture(7), quality: 0.1))
        source.loads.last?.send(.degraded(picture(8), quality: 0.3))
        #expect(words(larger) == ["degraded 256 0.25", "degraded 8 0.3"])
        let cropped = Recorder()
        var request = ImageRequest.numbered(1)
        request.rendition = .fill(PixelSize(width: 512, height: 512))
        pipeline.events(for: request).subscribe(cropped)
        #expect(cropped.values.isEmpty)
    }

    @Test("Another size of the bytes before a reload is not shown any more")
    func variantsBeforeReload() {
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        let pipeline = source.showingVariants(in: memory).coalesced().cached(in: memory)
        func load(_ side: Int, _ caching: CachePolicies = .useCache, _ provenance: Provenance = .network) -> [String] {
            let recorder = Recorder()
            var request = ImageRequest.numbered(1)
            request.rendition = .fit(PixelSize(width: side, height: side))
            request.caching = caching
            pipeline.events(for: request).subscribe(recorder)
            let image = Image(carrying: side, size: PixelSize(width: side, height: side / 2))
            source.loads.last?.send(.final(image, provenance))
            source.loads.last?.end(.finished)
            return words(recorder)
        }
        _ = load(64)
        #expect(load(32, .revalidate, .disk) == ["final 32 disk"])
        #expect(load(100) == ["degraded 64 0.4096", "final 100 network"])
        #expect(load(50, .reload) == ["final 50 network"])
        #expect(load(40) == ["degraded 50 0.9", "final 40 network"])
        #expect(load(20, CachePolicies(disk: .reload)) == ["degraded 40 0.9", "final 20 network"])
        #expect(load(30) == ["degraded 20 0.4444444444444444", "final 30 network"])
    }

    @Test("No other size is shown to who asks past the cache, or when its time is over")
    func variantsThatMayBeOld() {
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        let pipeline = source.showingVariants(in: memory).coalesced().cached(in: memory).delivered()
        func load(_ side: Int, of number: Int = 1, _ change: (inout ImageRequest) -> Void = { _ in }) -> Recorder {
            let recorder = Recorder()
            var request = ImageRequest.numbered(number)
            request.rendition = .fit(PixelSize(width: side, height: side))
            change(&request)
            pipeline.events(for: request).subscribe(recorder)
            return recorder
        }
        func finish(freshFor freshness: Duration?) {
            let image = Image(carrying: 1, size: PixelSize(width: 64, height: 32))
            source.loads.last?.send(.final(image, Provenance(.network, freshFor: freshness)))
            source.loads.last?.end(.finished)
        }
        _ = load(64)
        finish(freshFor: .seconds(1_000))
        for (side, policy) in [(65, CachePolicies.reload), (66, .noStore), (67, .revalidate)] {
            for delivery in [ImageDelivery.fast, .opportunistic] {
                let recorder = load(side) { ($0.caching, $0.delivery) = (policy, delivery) }
                #expect(recorder.values.isEmpty && !recorder.isFinished, "\(policy)")
            }
        }
        #expect(load(68) { $0.headers = [HTTPField("Cache-Control", "no-cache")] }.values.isEmpty)
        #expect(words(load(69) { $0.delivery = .fast }) == ["final 1 preview"])
        _ = load(64, of: 2)
        finish(freshFor: .nanoseconds(1))
        #expect(load(69, of: 2) { $0.delivery = .fast }.values.isEmpty)
    }

    @Test("Fast does not end with an image that was whole and may be out of date")
    func fastAndStale() {
        source.delivered().events(for: request(1, .fast(quality: 0.5))).subscribe(recorder)
        source.loads[0].send(.degraded(picture(1), quality: 1))
        source.loads[0].finish(with: picture(2))
        #expect(words(recorder) == ["degraded 1 1.0", "final 2 network"])
    }

    @Test("Who wants a fast image and requests nothing has no degraded one made")
    func fastWithoutDemand() {
        let idle = Recorder(initialDemand: .none)
        source.coalesced().delivered().events(for: request(1, .fast)).subscribe(idle)
        let load = source.loads[0]
        #expect(load.request.previewInterest?.isWanted == false)
        idle.request(.max(1))
        #expect(load.request.previewInterest?.isWanted == true)
        load.send(.degraded(picture(1), quality: 0.9))
        #expect(words(idle) == ["final 1 preview"])
    }

    @Test("Bytes that come without an end inside the subscription stop at a cancel")
    func endlessBytes() {
        for delivery in [ImageDelivery.opportunistic, .fast] {
            for hasPreview in [false, true] {
                let recorder = Recorder()
                let chunks = Counter()
                var request = ImageRequest(stream: "endless") {
                    sequence(first: [UInt8]()) { _ in
                        chunks.add()
                        if chunks.value == 100 { recorder.cancel() }
                        return chunks.value < 10_000 ? [] : nil
                    }.publisher
                }
                request.delivery = delivery
                request.preview = hasPreview ? ImageRequest.numbered(1) : nil
                FileSource().coalesced().decoded(on: ImmediateScheduler.shared).coalesced().delivered()
                    .events(for: request).subscribe(recorder)
                #expect(chunks.value < 1_000, "\(delivery), \(hasPreview)")
            }
        }
    }
}
