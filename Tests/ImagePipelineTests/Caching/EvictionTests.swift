import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Eviction")
struct EvictionTests {
    /// The share of keys that are found when each that is not is inserted.
    private func hitRatio(_ cache: MemoryCache<Int, Int>, _ keys: some Sequence<Int>) -> Double {
        var (hits, count) = (0, 0)
        for key in keys {
            count += 1
            if cache.value(forKey: key) != nil { hits += 1 } else { cache.insert(key, forKey: key, cost: 1) }
        }
        return Double(hits) / Double(count)
    }

    @Test("By default limits hold, what is found is what was inserted last, and what has just been inserted is there")
    func laws() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let costLimit = Int.random(in: 0..<400, using: &random)
            let countLimit = Int.random(in: 0..<40, using: &random)
            let cache = MemoryCache<Int, Int>(costLimit: costLimit, countLimit: countLimit)
            var newest: [Int: Int] = [:]
            var costs: [Int: Int] = [:]
            for step in 0..<1_000 {
                // Runs of neighbours, loops and favourites.
                let key = [step % 97, Int.random(in: 0..<9, using: &random), step].randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<9:
                    let cost = Int.random(in: 0..<(step % 3 == 0 ? 120 : 12), using: &random)
                    let isKept = cache.insert(step, forKey: key, cost: cost)
                    #expect(isKept == (countLimit > 0 && max(1, cost) <= costLimit), "seed \(seed)")
                    newest[key] = isKept ? step : nil
                    costs[key] = max(1, cost)
                    #expect((cache.value(forKey: key) != nil) == isKept, "seed \(seed)")
                case 9..<18:
                    if let found = cache.value(forKey: key) { #expect(found == newest[key], "seed \(seed)") }
                case 18:
                    let removed = cache.removeValue(forKey: key)
                    #expect(removed == nil || removed == newest[key], "seed \(seed)")
                    newest[key] = nil
                default:
                    let cost = Int.random(in: 0..<400, using: &random)
                    cache.trim(toCost: cost)
                    #expect(cache.totalCost <= cost, "seed \(seed)")
                }
                #expect(cache.totalCost <= costLimit && cache.count <= countLimit, "seed \(seed)")
            }
            let left = newest.keys.filter { cache.value(forKey: $0) != nil }
            #expect(cache.count == left.count, "seed \(seed)")
            #expect(cache.totalCost == left.reduce(0) { $0 + (costs[$1] ?? 0) }, "seed \(seed)")
            cache.removeAll()
            #expect(cache.count == 0 && cache.totalCost == 0)
        }
    }

    @Test("Going round and round a list that is larger than the cache finds something: by last use nothing is found")
    func loop() {
        let keys = (0..<40_000).map { $0 % 400 }
        #expect(hitRatio(MemoryCache(costLimit: 200, policy: .leastRecentlyUsed), keys) == 0)
        #expect(hitRatio(MemoryCache(costLimit: 200), keys) > 0.3)
    }

    @Test("A long look through what is needed once does not push out what is needed always")
    func scan() {
        var random = SeededGenerator(seed: 7)
        var next = 1_000
        let keys = (0..<40).flatMap { _ -> [Int] in
            next += 500
            return (0..<800).map { _ in Int.random(in: 0..<160, using: &random) } + Array(next - 500..<next)
        }
        let recent = hitRatio(MemoryCache(costLimit: 200, policy: .leastRecentlyUsed), keys)
        #expect(hitRatio(MemoryCache(costLimit: 200), keys) > recent + 0.08)
    }

    @Test("Scrolling to and fro, what is found is what a cache by last use finds")
    func scroll() {
        var random = SeededGenerator(seed: 7)
        var (position, keys) = (0, [Int]())
        while keys.count < 40_000 {
            let target = max(0, min(4_000, position + Int.random(in: -60...80, using: &random)))
            keys += target > position ? Array(position..<target) : (target..<position).reversed()
            position = target
        }
        let recent = hitRatio(MemoryCache(costLimit: 200, policy: .leastRecentlyUsed), keys)
        #expect(hitRatio(MemoryCache(costLimit: 200), keys) > recent - 0.01)
    }

    @Test("A change of habits is noticed: after loops, scrolling is served as by last use again")
    func change() {
        let cache = MemoryCache<Int, Int>(costLimit: 200)
        _ = hitRatio(cache, (0..<20_000).map { $0 % 400 })
        // There and back again over 150 of them: nearly all of each way back is found.
        var ways: [Int] = []
        for start in stride(from: 1_000, to: 3_000, by: 20) {
            let way = start..<start + 150
            ways += Array(way) + way.reversed()
        }
        let recent = hitRatio(MemoryCache(costLimit: 200, policy: .leastRecentlyUsed), ways)
        _ = hitRatio(cache, ways)
        #expect(hitRatio(cache, ways.map { key in key + 10_000 }) > recent - 0.02)
    }

    @Test("Many threads at once: limits hold, and each finds what belongs to its key")
    func threads() async {
        let cache = MemoryCache<Int, Int>(costLimit: 500)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for _ in 0..<5_000 {
                        let key = Int.random(in: 0..<300, using: &random)
                        switch Int.random(in: 0..<10, using: &random) {
                        case 0..<5: if let value = cache.value(forKey: key) { #expect(value == -key) }
                        case 5..<9: cache.insert(-key, forKey: key, cost: Int.random(in: 0..<9, using: &random))
                        default: if let value = cache.removeValue(forKey: key) { #expect(value == -key) }
                        }
                        #expect(cache.totalCost <= 500)
                    }
                }
            }
        }
    }
}
