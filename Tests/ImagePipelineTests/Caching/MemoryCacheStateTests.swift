import Files
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What is under the locks of a memory cache")
struct MemoryCacheStateTests {
    private typealias Slots = MemoryCacheSlots<Int, Int>

    @Test(
        "It keeps the same values whether uses are counted one by one or many together",
        arguments: [(true, 200, 64), (true, 1_500, 64), (true, 200, 7), (false, 200, 64)])
    func usesTogether(isAdaptive: Bool, limit: Int, together: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let slots = [1, together].map {
            Slots(MemoryCacheState(costLimit: limit, countLimit: .max, isAdaptive: isAdaptive), usesAtOnce: $0)
        }
        var next = 0
        for step in 0..<12_000 {
            // Favourites, loops, and what comes once: the policy changes on the way.
            let key =
                switch (step / 2_000 % 3, Int.random(in: 0..<4, using: &random)) {
                case (_, 0), (0, _): Int.random(in: 0..<limit / 2, using: &random)
                case (1, _): limit + step % (2 * limit)
                default: 10 * limit + next
                }
            next += 1
            let hash = key.hashValue
            let found = slots.indices.map { slots[$0].use(key, hash) { $0.value } }
            guard found == [nil, nil] else {
                if found[0] != found[1] { Issue.record("\(found) at step \(step), seed \(seed)") }
                continue
            }
            let cost = Int.random(in: 1...3, using: &random)
            let removed = slots.indices.map { index in
                let entry = MemoryCacheEntry(key: key, value: step, times: nil, isLossy: false)
                return slots[index].change { $0.insert(entry, hash, cost: cost, &$1).removed.map(\.key) }
            }
            if removed[0] != removed[1] { Issue.record("\(removed) at step \(step), seed \(seed)") }
            guard step % 500 == 0 else { continue }
            let trimmed = slots.indices.map { index in
                slots[index].change { $0.trim(toCost: limit * 3 / 4, &$1).map(\.key) }
            }
            #expect(trimmed[0] == trimmed[1], "seed \(seed), step \(step)")
        }
        let lists = slots.map { $0.change { ($0.places.count, $1.order.totalCost) } }
        #expect(lists[0] == lists[1])
    }

    @Test("Threads that hit, insert, remove and trim at once find each value under its own key, within the limit")
    func manyThreads() async {
        for policy in [EvictionPolicy.adaptive, .leastRecentlyUsed] {
            let cache = MemoryCache<Int, [Int]>(costLimit: 400, policy: policy)
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(thread))
                        for round in 0..<100 {
                            // Runs of hits, as long as are noted together and longer, between what changes the places.
                            let start = Int.random(in: 0..<500, using: &random)
                            for key in start..<start + 30 { cache.insert([key], forKey: key, cost: 1) }
                            for step in 0..<100 {
                                let key = start + step % 30
                                let values = [cache.value(forKey: key), cache.hit(forKey: key)?.value]
                                let isRight = values.allSatisfy { $0.map { $0 == [key] } ?? true }
                                if !isRight { Issue.record("\(values) at \(key)") }
                            }
                            if round % 20 == 0 { cache.trim(toCost: 100) }
                            cache.removeValue(forKey: start)
                            #expect(cache.totalCost <= 400)
                        }
                    }
                }
            }
        }
    }

    @Test("What goes leaves its place to the next: there are no more places than there were values at once")
    func placesAgain() {
        let slots = Slots(MemoryCacheState(costLimit: 10, countLimit: .max, isAdaptive: false))
        func insert(_ key: Int) {
            let entry = MemoryCacheEntry(key: key, value: key, times: nil, isLossy: false)
            _ = slots.change { $0.insert(entry, key.hashValue, cost: 1, &$1).isKept }
        }
        for key in 0..<500 { insert(key) }
        for round in 0..<50 {
            _ = slots.change { $0.trim(toCost: round % 10, &$1).count }
            for key in 0..<20 { insert(1_000 * round + key) }
            let last = 1_000 * round + 19
            _ = slots.change { $0.remove(last, last.hashValue, &$1) { _ in true } == nil }
        }
        #expect(slots.change { state, _ in state.places.count } == 9)
        #expect(slots.change { state, _ in state.places.values.count } == 10)
    }

    #if os(Linux)
        @Test("The memory of a cache goes with it", .disabled(if: Sanitizer.isWatching))
        func memory() async {
            await #expect(processExitsWith: .success) {
                let count = 50_000
                func makeAll() {
                    for _ in 0..<count {
                        let state = MemoryCacheState<Int, Int>(costLimit: 10, countLimit: 10, isAdaptive: true)
                        _ = MemoryCacheSlots<Int, Int>(state, usesAtOnce: 1)
                    }
                }
                makeAll()
                let before = residentMemory
                makeAll()
                // Of what is kept apart in each the smallest part would be more.
                let least = count * MemoryLayout<Mutex<CacheUses>>.size / 2
                if residentMemory - before > least { exit(1) }
            }
        }
    #endif
}
