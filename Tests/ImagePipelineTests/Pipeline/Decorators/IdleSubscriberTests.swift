import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Subscribers that request nothing")
struct IdleSubscriberTests {
    @Test("Their load is begun when they subscribe, through every decorator of images, and whatever memory has of it")
    func begun() throws {
        let image = try Pictures.gradient(4, 4)
        let workers = WorkQueue(on: ThreadPoolScheduler(width: 1))
        let threads = ThreadPoolScheduler(width: 1)
        let directory = TemporaryDirectory()
        let disk = DiskCache(directory: directory.path)
        let request = ImageRequest("https://example.com/a.jpg", as: .fit(PixelSize(width: 4, height: 4)))
        var asking = request
        asking.caching = .revalidate
        let memory = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        memory.insert(image, forKey: request.imageKey, cost: image.byteCount)
        let stale = MemoryCache<CacheKey, Image>(costLimit: 1 << 20)
        stale.insert(image, forKey: request.imageKey, cost: image.byteCount, freshFor: .zero)
        typealias Images = AnySource<ImageRequest, ImageEvent>
        let decorators: [(String, ImageRequest, (Images) -> Images)] = [
            ("coalesced", request, { AnySource($0.coalesced()) }),
            ("delivered", request, { AnySource($0.delivered()) }),
            ("processed", request, { AnySource($0.processed(in: workers)) }),
            ("placeholders", request, { AnySource($0.showingPlaceholders(in: disk, workers: workers, on: threads)) }),
            ("images on disk", request, { AnySource($0.cached(in: disk, as: .png(), workers: workers, on: threads)) }),
            ("prefixes", request, { AnySource($0.servingPrefixes(in: disk, workers: workers, on: threads)) }),
            ("a miss", request, { AnySource($0.cached(in: MemoryCache(costLimit: 1))) }),
            ("a stale hit", request, { AnySource($0.served(from: stale)) }),
            ("a hit to ask about", asking, { AnySource($0.served(from: memory)) }),
            ("shared, a hit to ask about", asking, { AnySource($0.coalesced().served(from: memory)) }),
            ("time limit", request, { AnySource($0.timingOut(after: .seconds(600), on: threads)) }),
            ("observed", request, { AnySource($0.observed(as: .request)) }),
        ]
        for (name, request, decorate) in decorators {
            let count = Mutex(0)
            let source = decorate(
                AnySource { _ in
                    Deferred {
                        count.withLock { $0 += 1 }
                        return Empty<ImageEvent, LoadError>(completeImmediately: false)
                    }.eraseToAnyPublisher()
                })
            let idle = RecordingSubscriber<ImageEvent, LoadError>(initialDemand: .none)
            source.events(for: request).subscribe(idle)
            #expect(comesTrue { count.withLock { $0 } == 1 }, "\(name)")
            #expect(idle.values.isEmpty && idle.violations.isEmpty, "\(name)")
            idle.cancel()
        }
    }
}
