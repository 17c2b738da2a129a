import Foundation
import ImagePipeline

/// A cache of keys, each of cost 1.
protocol TracePolicy {
    static var name: String { get }
    init(capacity: Int, keys: Int)
    /// Asks for a key, and inserts it if it isn't there.
    ///
    /// - Returns: Whether it was there.
    mutating func access(_ key: Int) -> Bool
}

struct DefaultPolicy: TracePolicy {
    static let name = "default"
    private let cache: MemoryCache<Int, Int>

    init(capacity: Int, keys: Int) { cache = MemoryCache(costLimit: capacity) }

    mutating func access(_ key: Int) -> Bool {
        if cache.value(forKey: key) != nil { return true }
        cache.insert(key, forKey: key, cost: 1)
        return false
    }
}

struct LastUsePolicy: TracePolicy {
    static let name = "leastRecentlyUsed"
    private let cache: MemoryCache<Int, Int>

    init(capacity: Int, keys: Int) { cache = MemoryCache(costLimit: capacity, policy: .leastRecentlyUsed) }

    mutating func access(_ key: Int) -> Bool {
        if cache.value(forKey: key) != nil { return true }
        cache.insert(key, forKey: key, cost: 1)
        return false
    }
}

struct FoundationPolicy: TracePolicy {
    static let name = "Foundation's NSCache"
    private let cache = NSCache<NSNumber, NSNumber>()

    init(capacity: Int, keys: Int) { cache.totalCostLimit = capacity }

    mutating func access(_ key: Int) -> Bool {
        let key = NSNumber(value: key)
        if cache.object(forKey: key) != nil { return true }
        cache.setObject(key, forKey: key, cost: 1)
        return false
    }
}

/// Zhang and others, NSDI 2024: one queue; a hand passes over what was used since it came by last.
struct SievePolicy: TracePolicy {
    static let name = "SIEVE"
    private var lists: KeyLists
    private var isUsed: [Bool]
    private var hand: Int?
    private let capacity: Int

    init(capacity: Int, keys: Int) {
        self.capacity = capacity
        lists = KeyLists(keys: keys, lists: 1)
        isUsed = Array(repeating: false, count: keys)
    }

    mutating func access(_ key: Int) -> Bool {
        if lists.list(of: key) != nil {
            isUsed[key] = true
            return true
        }
        if lists.counts[0] == capacity {
            var place = hand ?? lists.oldest(of: 0)
            while let used = place, isUsed[used] {
                isUsed[used] = false
                place = lists.newer(than: used) ?? lists.oldest(of: 0)
            }
            if let place {
                hand = lists.newer(than: place)
                lists.remove(place)
            }
        }
        lists.append(key, to: 0)
        isUsed[key] = false
        return false
    }
}

/// Yang and others, SOSP 2023: a small queue that most leave at once, a main one, and a list of those that have left.
struct S3FIFOPolicy: TracePolicy {
    static let name = "S3-FIFO"
    private var lists: KeyLists
    private var uses: [UInt8]
    private let capacity: Int
    private let small: Int

    init(capacity: Int, keys: Int) {
        self.capacity = capacity
        small = max(1, capacity / 10)
        lists = KeyLists(keys: keys, lists: 3)
        uses = Array(repeating: 0, count: keys)
    }

    mutating func access(_ key: Int) -> Bool {
        let home = lists.list(of: key)
        if home == 0 || home == 1 {
            uses[key] = min(3, uses[key] + 1)
            return true
        }
        if home == 2 { lists.remove(key) }
        while lists.counts[0] + lists.counts[1] >= capacity { evict() }
        uses[key] = 0
        lists.append(key, to: home == 2 ? 1 : 0)
        return false
    }

    private mutating func evict() {
        if lists.counts[0] >= small || lists.counts[1] == 0, let key = lists.removeOldest(of: 0) {
            if uses[key] > 1 {
                uses[key] = 0
                lists.append(key, to: 1)
            } else {
                lists.append(key, to: 2)
                if lists.counts[2] > capacity - small { _ = lists.removeOldest(of: 2) }
            }
            return
        }
        while let key = lists.removeOldest(of: 1), uses[key] > 0 {
            uses[key] -= 1
            lists.append(key, to: 1)
        }
    }
}

/// Johnson and Shasha, VLDB 1994, in its full version: a queue for what is new, a list by last use for what came back.
struct TwoQueuePolicy: TracePolicy {
    static let name = "2Q"
    private var lists: KeyLists
    private let capacity: Int

    init(capacity: Int, keys: Int) {
        self.capacity = capacity
        lists = KeyLists(keys: keys, lists: 3)
    }

    mutating func access(_ key: Int) -> Bool {
        let home = lists.list(of: key)
        if home == 0 { return true }
        if home != nil { lists.remove(key) }
        if home == 1 {
            lists.append(key, to: 1)
            return true
        }
        if lists.counts[0] + lists.counts[1] >= capacity {
            if lists.counts[0] > capacity / 4 || lists.counts[1] == 0, let old = lists.removeOldest(of: 0) {
                lists.append(old, to: 2)
                if lists.counts[2] > capacity / 2 { _ = lists.removeOldest(of: 2) }
            } else {
                _ = lists.removeOldest(of: 1)
            }
        }
        lists.append(key, to: home == 2 ? 1 : 0)
        return false
    }
}

/// Einziger and others, 2017: a window of one hundredth, then two segments that a key enters only if it was used more often than the one
/// that has to go.
struct TinyLFUPolicy: TracePolicy {
    static let name = "W-TinyLFU"
    private var lists: KeyLists
    private var counters: [UInt8]
    private var uses = 0
    private let capacity: Int
    private let window: Int

    init(capacity: Int, keys: Int) {
        self.capacity = capacity
        window = max(1, capacity / 100)
        lists = KeyLists(keys: keys, lists: 3)
        // Counted exactly: no sketch is better.
        counters = Array(repeating: 0, count: keys)
    }

    mutating func access(_ key: Int) -> Bool {
        counters[key] = min(15, counters[key] + 1)
        uses += 1
        if uses == 10 * capacity {
            uses /= 2
            for index in counters.indices { counters[index] /= 2 }
        }
        if let home = lists.list(of: key) {
            lists.remove(key)
            lists.append(key, to: home == 0 ? 0 : 2)
            if lists.counts[2] > (capacity - window) * 8 / 10, let old = lists.removeOldest(of: 2) {
                lists.append(old, to: 1)
            }
            return true
        }
        lists.append(key, to: 0)
        guard lists.counts[0] > window, let candidate = lists.removeOldest(of: 0) else { return false }
        guard lists.counts[1] + lists.counts[2] == capacity - window else {
            lists.append(candidate, to: 1)
            return false
        }
        if let victim = lists.oldest(of: 1) ?? lists.oldest(of: 2), counters[candidate] > counters[victim] {
            lists.remove(victim)
            lists.append(candidate, to: 1)
        }
        return false
    }
}
