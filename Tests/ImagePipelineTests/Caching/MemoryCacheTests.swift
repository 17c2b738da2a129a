import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Memory cache")
struct MemoryCacheTests {
    @Test("It does what a list in order of use does, whatever is asked of it")
    func model() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let cache = MemoryCache<Int, Int>(costLimit: 100, countLimit: 12, policy: .leastRecentlyUsed)
        // Newest last.
        var model: [(key: Int, value: Int, cost: Int)] = []
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let cost = Int.random(in: -1..<120, using: &random)
                model.removeAll { $0.key == key }
                if cost <= 100 {
                    while model.count == 12 || model.reduce(0, { $0 + $1.cost }) + max(1, cost) > 100 {
                        model.removeFirst()
                    }
                    model.append((key, step, max(1, cost)))
                }
                #expect(cache.insert(step, forKey: key, cost: cost) == (cost <= 100), "seed \(seed)")
            case 5..<8:
                // Now and then more in a row than are noted before they are counted.
                for key in [key] + (0..<(step % 50 == 0 ? 200 : 0)).map({ (key + $0 * $0) % 20 }) {
                    let found = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
                    if let found { model.append(found) }
                    #expect(cache.value(forKey: key) == found?.value, "seed \(seed), step \(step)")
                }
            case 8:
                let found = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
                #expect(cache.removeValue(forKey: key) == found?.value, "seed \(seed), step \(step)")
            default:
                let cost = Int.random(in: 0..<100, using: &random)
                while model.reduce(0, { $0 + $1.cost }) > cost { model.removeFirst() }
                cache.trim(toCost: cost)
            }
            #expect(cache.totalCost == model.reduce(0) { $0 + $1.cost }, "seed \(seed), step \(step)")
            #expect(cache.count == model.count, "seed \(seed), step \(step)")
        }
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test("A value is not served after its time to live")
    func timeToLive() {
        let start = ContinuousClock.now
        let elapsed = Mutex(Duration.zero)
        let cache = MemoryCache<String, Int>(costLimit: 10, timeToLive: .seconds(60)) {
            start + elapsed.withLock { $0 }
        }
        cache.insert(1, forKey: "a", cost: 1)
        elapsed.withLock { $0 = .seconds(59) }
        #expect(cache.value(forKey: "a") == 1)
        elapsed.withLock { $0 = .seconds(60) }
        #expect(cache.value(forKey: "a") == nil)
        #expect(cache.totalCost == 0)
    }

    @Test("A value is kept beyond its freshness, and said to be stale; it is not kept beyond its lifetime")
    func freshness() {
        let start = ContinuousClock.now
        let elapsed = Mutex(Duration.zero)
        let cache = MemoryCache<String, Int>(costLimit: 10, timeToLive: .seconds(60)) {
            start + elapsed.withLock { $0 }
        }
        cache.insert(1, forKey: "a", cost: 1, freshFor: .seconds(10))
        cache.insert(2, forKey: "b", cost: 1, freshFor: .seconds(10), lifetime: .seconds(20))
        cache.insert(3, forKey: "c", cost: 1, lifetime: .seconds(90))
        #expect(cache.hit(forKey: "a")?.isFresh == true)
        elapsed.withLock { $0 = .seconds(10) }
        #expect(cache.value(forKey: "a") == nil)
        #expect(cache.hit(forKey: "a")?.isFresh == false && cache.hit(forKey: "a")?.value == 1)
        #expect(cache.hit(forKey: "b")?.value == 2)
        elapsed.withLock { $0 = .seconds(20) }
        #expect(cache.hit(forKey: "b") == nil && cache.count == 2)
        #expect(cache.value(forKey: "c") == 3)
        elapsed.withLock { $0 = .seconds(60) }
        #expect(cache.hit(forKey: "a") == nil && cache.hit(forKey: "c") == nil)
        #expect(cache.count == 0)
    }

    @Test(
        "Values that cost nothing do not fill the memory: each costs at least 1, and the number has a limit of its own")
    func zeroCost() {
        let cache = MemoryCache<Int, Int>(costLimit: 100)
        for key in 0..<20_000 { cache.insert(key, forKey: key, cost: 0) }
        #expect(cache.count == 100 && cache.totalCost == 100)
        let few = MemoryCache<Int, Int>(costLimit: .max, countLimit: 7)
        for key in 0..<1_000 {
            few.insert(key, forKey: key, cost: .max / 3)
            #expect(few.count <= 7)
        }
        #expect(few.count == 3)
        #expect(!MemoryCache<Int, Int>(costLimit: 10, countLimit: 0).insert(1, forKey: 1, cost: 1))
        #expect(!MemoryCache<Int, Int>(costLimit: 0).insert(1, forKey: 1, cost: 0))
    }

    @Test("A value that uses the cache when it is released does not deadlock")
    func reentrantRelease() {
        final class Value: Sendable {
            let cache: MemoryCache<Int, Value>
            init(_ cache: MemoryCache<Int, Value>) { self.cache = cache }
            deinit { _ = cache.count }
        }
        let cache = MemoryCache<Int, Value>(costLimit: 2)
        for key in 0..<5 { cache.insert(Value(cache), forKey: key, cost: 1) }
        cache.removeValue(forKey: 4)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test("A value that gives way to others of one hash, and uses the cache when it is released, does not deadlock")
    func reentrantReleaseOfOneHash() {
        struct Key: Sendable, Hashable {
            let number: Int
            func hash(into hasher: inout Hasher) { hasher.combine(7) }
        }
        final class Value: Sendable {
            let cache: MemoryCache<Key, Value>
            init(_ cache: MemoryCache<Key, Value>) { self.cache = cache }
            deinit { _ = cache.count }
        }
        // There is room for all of them.
        let cache = MemoryCache<Key, Value>(costLimit: 1_000)
        for number in 0..<40 { cache.insert(Value(cache), forKey: Key(number: number), cost: 1) }
        #expect(cache.count < 40)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test("A key that uses the cache when it is released does not deadlock")
    func reentrantKey() {
        final class Key: Sendable, Hashable {
            let number: Int
            let onRelease: @Sendable () -> Void
            init(_ number: Int, onRelease: @escaping @Sendable () -> Void = {}) {
                self.number = number
                self.onRelease = onRelease
            }
            deinit { onRelease() }
            static func == (lhs: Key, rhs: Key) -> Bool { lhs.number == rhs.number }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }
        let isOver = Mutex(false)
        let cache = MemoryCache<Key, Int>(costLimit: 2, timeToLive: .seconds(1)) {
            ContinuousClock.now + (isOver.withLock { $0 } ? .seconds(60) : .zero)
        }
        func insert(_ number: Int) {
            cache.insert(number, forKey: Key(number) { _ = cache.count }, cost: 1)
        }
        for number in [0, 1, 2, 3, 3] { insert(number) }
        cache.removeValue(forKey: Key(3))
        insert(4)
        isOver.withLock { $0 = true }
        #expect(cache.value(forKey: Key(4)) == nil)
        cache.removeAll()
        #expect(cache.count == 0)
    }

    @Test("Keys that all have one hash take time in proportion to their number, and the newest of them are there")
    func oneHash() {
        final class Comparisons: Sendable {
            let count = Atomic(0)
        }
        struct Key: Sendable, Hashable {
            let number: Int
            let comparisons: Comparisons
            static func == (lhs: Key, rhs: Key) -> Bool {
                lhs.comparisons.count.add(1, ordering: .relaxed)
                return lhs.number == rhs.number
            }
            func hash(into hasher: inout Hasher) { hasher.combine(7) }
        }
        let comparisons = Comparisons()
        let cache = MemoryCache<Key, Int>(costLimit: 1_000_000)
        let count = 2_000
        for number in 0..<count {
            cache.insert(number, forKey: Key(number: number, comparisons: comparisons), cost: 1)
            #expect(cache.value(forKey: Key(number: number, comparisons: comparisons)) == number)
        }
        #expect(comparisons.count.load(ordering: .relaxed) < 40 * count)
        #expect(cache.count == 16)
        #expect(cache.value(forKey: Key(number: count - 16, comparisons: comparisons)) == count - 16)
    }
}
