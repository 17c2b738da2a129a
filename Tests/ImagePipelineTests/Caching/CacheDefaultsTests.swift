import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What is so unless told otherwise: caches")
struct CacheDefaultsTests {
    private let directory = TemporaryDirectory()

    @Test("The time that loads give a store, and a directory")
    func terms() {
        let terms = StoreTerms()
        #expect(terms.timeLimit == .milliseconds(500))
        #expect(terms.failures == 3)
        #expect(terms.pause == .seconds(5))
        #expect(terms.leaseTime == .seconds(10))
        #expect(StoreTerms.directory == StoreTerms(timeLimit: .seconds(2)))
        #expect([-1, 0, 1, 2].map { StoreTerms(failures: $0).failures } == [1, 1, 1, 2])
    }

    @Test("The bounds of a directory, and what its entries survive")
    func directoryCache() {
        let limits = DiskCache.Limits()
        #expect(limits.totalSize == 268_435_456)
        #expect(limits.entrySize == 67_108_864)
        #expect(limits.age == 2_592_000)
        #expect(DiskCache.Limits(totalSize: -1, age: -1) == DiskCache.Limits(totalSize: 0, age: 0))
        let cache = DiskCache(directory: directory.path)
        #expect(cache.limits == limits)
        #expect(cache.durability == .processCrash)
        #expect(cache.terms == .directory)
        #expect(cache.statistics == DiskCache.Statistics())
        let none = DiskCache.Statistics()
        let counts = [none.hits, none.misses, none.damaged, none.writes, none.evictions, none.refusals, none.errors]
        #expect(counts.allSatisfy { $0 == 0 })
    }

    @Test("The bounds of a cache in memory, and its order")
    func memoryCache() {
        let cache = MemoryCache<Int, Int>()
        #expect(cache.costLimit == min(MachineMemory.current.limit / 5, 536_870_912))
        #expect(cache.countLimit == Int(Int32.max))
        #expect(cache.timeToLive == nil)
        #expect(cache.policy == .adaptive)
        let none = MemoryCache<Int, Int>(costLimit: -1, countLimit: -1)
        #expect([none.costLimit, none.countLimit] == [0, 0])
        #expect(cache.insert(1, forKey: 1, cost: 0))
        #expect(cache.insert(1, forKey: 2, cost: -5))
        #expect(cache.totalCost == 2)
        #expect(cache.hit(forKey: 1)?.isFresh == true)
        #expect(cache.hit(forKey: 1)?.isLossy == false)
    }
}
