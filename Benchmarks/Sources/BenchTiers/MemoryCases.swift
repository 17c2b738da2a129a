import CAllocations
import ImagePipeline
import Streams
import Synchronization

/// Hits in memory: of the cache alone, and through the whole pipeline.
enum MemoryCases {
    private static let entries = 10_000
    private static let rounds = 20

    static func run(_ report: inout Report) {
        gets(&report)
        hits(&report)
    }

    /// Of each cache two figures: of one with an image for each key, as programs have, and of one with the same image under all keys,
    /// whose references two threads count in one place.
    private static func gets(_ report: inout Report) {
        let title = "memory get, \(entries) entries, keys at hand in random order"
        let keys = (0..<entries).map { CacheKey(["https://example.org/photos/\($0).jpg", "120x120"]) }
        var random = SplitMix(seed: 1)
        let order = keys.shuffled(using: &random)
        guard let pixel = try? Image.decode(Array(pixelPNG)) else { return }
        for (name, policy, limit, isShared, isGoal) in [
            ("default", EvictionPolicy.adaptive, entries, false, true),
            ("default, full and evicting", .adaptive, entries * 9 / 10, false, true),
            ("leastRecentlyUsed", .leastRecentlyUsed, entries, false, false),
            ("one image, default", .adaptive, entries, true, false),
            ("one image, full and evicting", .adaptive, entries * 9 / 10, true, false),
        ] {
            let cache = MemoryCache<CacheKey, Image>(costLimit: limit, policy: policy)
            for key in keys {
                guard let image = isShared ? pixel : try? Image.decode(Array(pixelPNG)) else { return }
                cache.insert(image, forKey: key, cost: 1)
            }
            let present = order.filter { cache.value(forKey: $0) != nil }
            let alone = leastProcessorTime(per: rounds * present.count) {
                for _ in 0..<rounds { for key in present { check(cache.value(forKey: key)) } }
            }
            report.add(title, "\(name), one thread", alone, "ns processor", goal: isGoal ? .atMost(100) : nil)
            let two = nanosecondsOfTwo(per: rounds * present.count) { thread in
                for round in 0..<rounds {
                    let start = (round + thread * 5) % rounds * present.count / rounds
                    for key in present[start...] { check(cache.value(forKey: key)) }
                    for key in present[..<start] { check(cache.value(forKey: key)) }
                }
            }
            report.add(title, "\(name), each of two threads", two, "ns", goal: isGoal ? .atMost(250) : nil)
        }
    }

    private static func hits(_ report: inout Report) {
        guard let pixel = try? Image.decode(Array(pixelPNG)) else { return }
        let title = "whole pipeline, hit in memory (subscribe, final image, completion, release)"
        let memory = MemoryCache<CacheKey, Image>(costLimit: 64 << 20)
        let pipeline = ImageLoader.standard(memory: memory)
        let urls = (0..<1_000).map { "https://images.example.org/albums/2026/summer/photo-\($0).jpg" }
        let box = PixelSize(width: 120, height: 120)
        for url in urls { memory.insert(pixel, forKey: ImageRequest(url, as: .fill(box)).imageKey, cost: 4) }
        let shown = Mutex(0)
        func load(_ request: ImageRequest) {
            // The closure in place: one that was made before would be wrapped into another, an object of this program's making.
            pipeline.events(for: request).sink(
                receiveCompletion: { _ in },
                receiveValue: { event in
                    if case .final = event { shown.withLock { $0 += 1 } }
                }
            ).cancel()
        }
        let kept = urls.map { ImageRequest($0, as: .fill(box)) }
        for (name, time, loadAll) in [
            ("request made anew", 1_000.0, { for url in urls { load(ImageRequest(url, as: .fill(box))) } }),
            ("request that is kept", 500, { for request in kept { load(request) } }),
        ] as [(String, Double, () -> Void)] {
            let each = leastProcessorTime(per: 10 * urls.count) { for _ in 0..<10 { loadAll() } }
            report.add(title, name, each, "ns processor", goal: .atMost(time))
            begin_counting_allocations()
            loadAll()
            let count = Double(end_counting_allocations()) / Double(urls.count)
            report.add(title, "\(name): allocations", count, "", goal: .atMost(6))
        }
        precondition(shown.withLock { $0 } > 0 && shown.withLock { $0 } % urls.count == 0, "every load has to be a hit")
    }

    private static func check(_ image: Image?) {
        precondition(image != nil, "a key that was there is there")
    }
}

/// A PNG of one pixel.
private let pixelPNG: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0,
    0, 0,
    0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48,
    0xAF, 0xA4,
    0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]
