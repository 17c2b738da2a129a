/// A value in memory and its times: a reference, so that the lock is held no longer for a value of many words.
@usableFromInline
final class MemoryCacheEntry<Value: Sendable>: Sendable {
    @usableFromInline let value: Value
    /// True if it has lost something on its way.
    @usableFromInline let isLossy: Bool
    /// The end of its time to live; nil for none.
    let expiry: ContinuousClock.Instant?
    /// The first of its times; nil where it has none.
    @usableFromInline let deadline: ContinuousClock.Instant?

    /// - Parameter end: The end of its freshness; nil for none.
    init(value: Value, expiry: ContinuousClock.Instant?, end: ContinuousClock.Instant?, isLossy: Bool) {
        self.value = value
        self.isLossy = isLossy
        self.expiry = expiry
        deadline = expiry.map { expiry in end.map { min($0, expiry) } ?? expiry } ?? end
    }
}

/// All that is under the lock of a memory cache.
@usableFromInline
struct MemoryCacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias List = CacheList<Key, MemoryCacheEntry<Value>>

    @usableFromInline var list: List
    /// Nil until the cache is full for the first time, and for a fixed policy.
    @usableFromInline var duel: EvictionDuel?
    private let costLimit: Int
    private let countLimit: Int
    private let isAdaptive: Bool

    init(costLimit: Int, countLimit: Int, isAdaptive: Bool) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.isAdaptive = isAdaptive
        list = List(costLimit: costLimit, countLimit: countLimit)
    }

    @inlinable
    mutating func use(_ key: Key, _ hash: Int) -> MemoryCacheEntry<Value>? {
        guard let place = list.place(of: key, hash) else {
            duel?.didLookUp(hash, cost: nil)
            return nil
        }
        duel?.didLookUp(hash, cost: list.nodes[place].cost)
        list.use(place, byFrequency: duel?.isByFrequency ?? false)
        return list.nodes[place].value
    }

    mutating func insert(
        _ entry: MemoryCacheEntry<Value>, forKey key: Key, _ hash: Int, cost: Int
    ) -> List.Insertion {
        let insertion = list.insert(entry, forKey: key, hash, cost: cost, frequencies: frequencies)
        if isAdaptive, insertion.wasFull { prepareDuel() }
        if insertion.isKept { duel?.didInsert(hash, cost: cost) }
        return insertion
    }

    mutating func remove(
        _ key: Key, _ hash: Int, where isUnwanted: (MemoryCacheEntry<Value>) -> Bool
    ) -> List.Removed? {
        guard let place = list.place(of: key, hash), let entry = list.nodes[place].value, isUnwanted(entry) else {
            return nil
        }
        return list.remove(place)
    }

    mutating func trim(toCost cost: Int) -> [List.Removed] {
        list.trim(toCost: cost, frequencies: frequencies)
    }

    private var frequencies: FrequencySketch? {
        guard let duel, duel.isByFrequency else { return nil }
        return duel.frequencies
    }

    private mutating func prepareDuel() {
        guard duel?.isOutgrown(by: list.count) ?? true else { return }
        duel = EvictionDuel(
            count: list.count, costLimit: costLimit, countLimit: countLimit,
            isByFrequency: duel?.isByFrequency ?? false)
    }
}
