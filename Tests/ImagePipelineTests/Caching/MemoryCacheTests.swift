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
        let cache = MemoryCache<Int, Int>(costLimit: 100)
        // Newest last.
        var model: [(key: Int, value: Int, cost: Int)] = []
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let cost = Int.random(in: 0..<120, using: &random)
                model.removeAll { $0.key == key }
                if cost <= 100 {
                    while model.reduce(0, { $0 + $1.cost }) + cost > 100 { model.removeFirst() }
                    model.append((key, step, cost))
                }
                #expect(cache.insert(step, forKey: key, cost: cost) == (cost <= 100), "seed \(seed)")
            case 5..<8:
                let found = model.firstIndex { $0.key == key }.map { model.remove(at: $0) }
                if let found { model.append(found) }
                #expect(cache.value(forKey: key) == found?.value, "seed \(seed), step \(step)")
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
}

@Suite("Cache keys")
struct CacheKeyTests {
    @Test("Parts are told apart: no two different lists share a key or a file name")
    func injective() {
        let lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], [], [""], ["", ""]]
        #expect(Set(lists.map { CacheKey($0) }).count == lists.count)
        #expect(Set(lists.map { CacheKey($0).digest }).count == lists.count)
    }

    @Test("The digest is the SHA-256 of the key's bytes, in hexadecimal")
    func digest() {
        #expect(CacheKey([]).digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
