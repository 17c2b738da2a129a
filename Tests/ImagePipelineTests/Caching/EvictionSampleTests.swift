import Testing

@testable import ImagePipeline

@Suite("The samples and counts by which a memory cache evicts")
struct EvictionSampleTests {
    private func duel(_ count: Int) -> EvictionDuel {
        EvictionDuel(count: count, costLimit: count, countLimit: .max)
    }

    @Test(
        "Of many keys a part is sampled, a hundred values' at least, and what it is said to be",
        arguments: [
            (0, 1), (1, 1), (199, 1), (200, 2), (201, 2), (399, 2), (400, 4), (800, 8), (12_799, 64),
            (12_800, 128), (25_599, 128), (25_600, 256), (51_200, 256), (1 << 18, 256),
        ])
    func sample(count: Int, share: Int) {
        let duel = duel(count)
        #expect(duel.sampling == UInt(share))
        let hashes = (0..<256).map { Int(truncatingIfNeeded: UInt64($0) << 56 | 0xFF_FFFF) }
        #expect(hashes.count { duel.isSampled($0) } == 256 / share)
    }

    @Test("Another sample suits a cache of more than four times as many values, or of less than a quarter")
    func outgrown() {
        let duel = duel(1_000)
        for (count, isOutgrown) in [(249, true), (250, false), (1_000, false), (4_000, false), (4_001, true)] {
            #expect(duel.isOutgrown(by: count) == isOutgrown, "\(count)")
        }
    }

    @Test("A favourite is counted up to 15, and halved once in ten uses of each key")
    func ageing() {
        var sketch = FrequencySketch(count: 64)
        #expect(sketch.counters.count == 16 * 64)
        // The line of a key is in the bits from the 30th on; that of the others is halved at another time.
        let (favourite, other) = (3 << 30, 5 << 30)
        for uses in 1...20 {
            sketch.use(favourite)
            #expect(sketch.estimate(favourite) == min(15, UInt8(uses)))
            #expect(sketch.counters.max() == min(15, UInt8(uses)))
        }
        // A line in forty uses: its turn is the fourth, and the twentieth.
        for uses in 21...1_440 {
            sketch.use(other)
            let estimate: UInt8 = uses < 160 ? 15 : uses < 800 ? 7 : uses < 1_440 ? 3 : 1
            if sketch.estimate(favourite) != estimate { Issue.record("\(uses): \(sketch.estimate(favourite))") }
        }
        #expect(sketch.estimate(9 << 30) == 0)
    }

    @Test("There are eight counters a key, and up to twice as many", arguments: [1, 64, 128, 129, 256, 257, 5_000])
    func counters(count: Int) {
        let counters = FrequencySketch(count: count).counters.count
        #expect(counters >= 8 * count)
        #expect(counters == 1_024 || counters < 16 * count)
        #expect(counters.nonzeroBitCount == 1)
    }

    @Test("A cache that has just become full evicts by last use: the other order has to prove itself first")
    func firstOrder() {
        let cache = MemoryCache<Int, Int>(costLimit: 200)
        for key in 0...200 { cache.insert(key, forKey: key, cost: 1) }
        for _ in 0..<3 {
            for key in 1...100 { #expect(cache.value(forKey: key) == key) }
        }
        for key in 1_000..<1_200 { cache.insert(key, forKey: key, cost: 1) }
        #expect((1_000..<1_200).allSatisfy { cache.value(forKey: $0) == $0 })
        #expect(!(0...200).contains { cache.value(forKey: $0) != nil })
    }
}
