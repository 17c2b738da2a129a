import TestSupport
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

    /// A cache of hashes that always evicts in one and the same way.
    private struct Side {
        let isByFrequency: Bool
        var places: CachePlaces<Int>
        var order = CacheOrder()

        private func place(_ hash: Int) -> Int? { places.place(hash) { $0 == hash } }

        mutating func finds(_ hash: Int) -> Bool {
            guard let place = place(hash) else { return false }
            order.use(place, byFrequency: isByFrequency)
            return true
        }

        mutating func insert(_ hash: Int, cost: Int, _ sketch: FrequencySketch) {
            guard place(hash) == nil else { return }
            let frequencies = isByFrequency ? sketch : nil
            _ = places.insert(hash, hash, cost: cost, in: &order, frequencies: frequencies) { _ in false }
        }
    }

    @Test("By frequency a value that is used again while it is one of the newest takes no favourite's place by that")
    func usedAgain() {
        var sketch = FrequencySketch(count: 100)
        var side = Side(isByFrequency: true, places: CachePlaces(costLimit: 100, countLimit: .max))
        func hash(_ key: Int) -> Int { key &* 0x1E37_79B9_7F4A_7C15 }
        func look(_ key: Int) {
            sketch.use(hash(key))
            if !side.finds(hash(key)) { side.insert(hash(key), cost: 1, sketch) }
        }
        for _ in 0..<12 {
            for key in 0..<90 { look(key) }
        }
        for key in 1_000..<1_200 {
            look(key)
            look(key - 1)
        }
        #expect((0..<90).count { side.finds(hash($0)) } > 60)
    }

    @Test("Of two caches, one for each order, the one decides that is far enough ahead")
    func twoCaches() {
        let seed: UInt64 = 48
        var random = SeededGenerator(seed: seed)
        let (count, span) = (150, 75)
        var duel = duel(count)
        var sketch = FrequencySketch(count: count)
        var sides = [false, true].map {
            Side(isByFrequency: $0, places: CachePlaces(costLimit: count, countLimit: .max))
        }
        var (lead, isByFrequency, changes) = (0, false, 0)
        for step in 0..<30_000 {
            // Favourites, loops, and ways to and fro.
            let key =
                switch (step / 3_000 % 3, Int.random(in: 0..<4, using: &random)) {
                case (0, _): Int.random(in: 0..<2 * count, using: &random)
                case (1, 0): Int.random(in: 0..<count / 3, using: &random)
                case (1, _): 1_000 + step % (2 * count)
                default: 10_000 + step / 200 * 20 + (step / 100 % 2 == 0 ? step % 100 : 99 - step % 100)
                }
            let hash = key &* 0x1E37_79B9_7F4A_7C15
            let cost = Int.random(in: 1...2, using: &random)
            if step % 2 == 0 {
                duel.didLookUp(hash, cost: cost)
            } else {
                duel.didLookUp(hash, cost: nil)
                duel.didInsert(hash, cost: cost)
            }
            sketch.use(hash)
            let found = sides.indices.map { sides[$0].finds(hash) }
            if found[0] != found[1] {
                lead = min(span, max(-span, lead + (found[0] ? 1 : -1)))
                if abs(lead) == span, isByFrequency != (lead < 0) {
                    isByFrequency.toggle()
                    changes += 1
                }
            }
            for index in sides.indices { sides[index].insert(hash, cost: cost, sketch) }
            guard duel.isByFrequency == isByFrequency else {
                Issue.record("\(duel.isByFrequency) at step \(step), seed \(seed)")
                return
            }
        }
        #expect(changes > 1, "seed \(seed)")
    }
}
