/// The values of a memory cache, and what becomes of them and of the order in which they are evicted (``MemoryCacheSlots``).
@usableFromInline
struct MemoryCacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entry = MemoryCacheEntry<Key, Value>

    @usableFromInline var places: CachePlaces<Entry>
    private let costLimit: Int
    private let countLimit: Int
    private let isAdaptive: Bool

    init(costLimit: Int, countLimit: Int, isAdaptive: Bool) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.isAdaptive = isAdaptive
        places = CachePlaces(costLimit: costLimit, countLimit: countLimit)
    }

    /// Counts a look-up that has found nothing.
    ///
    /// - Returns: Whether there is something: it has come meanwhile.
    @inlinable
    mutating func didMiss(_ key: Key, _ hash: Int, _ uses: inout CacheUses) -> Bool {
        if places.place(hash, where: { $0.key == key }) != nil { return true }
        uses.duel?.didLookUp(hash, cost: nil)
        return false
    }

    mutating func insert(
        _ entry: Entry, _ hash: Int, cost: Int, _ uses: inout CacheUses
    ) -> CachePlaces<Entry>.Insertion {
        let frequencies = uses.frequencies
        let insertion = places.insert(entry, hash, cost: cost, in: &uses.order, frequencies: frequencies) {
            $0.key == entry.key
        }
        if isAdaptive, insertion.wasFull { prepareDuel(&uses) }
        if insertion.isKept { uses.duel?.didInsert(hash, cost: cost) }
        return insertion
    }

    mutating func remove(
        _ key: Key, _ hash: Int, _ uses: inout CacheUses, where isUnwanted: (Entry) -> Bool
    ) -> Entry? {
        guard let place = places.place(hash, where: { $0.key == key }), let entry = places.values[place],
            isUnwanted(entry)
        else { return nil }
        return places.remove(place, from: &uses.order)
    }

    mutating func trim(toCost cost: Int, _ uses: inout CacheUses) -> [Entry] {
        let frequencies = uses.frequencies
        return places.trim(toCost: cost, in: &uses.order, frequencies: frequencies)
    }

    private func prepareDuel(_ uses: inout CacheUses) {
        guard uses.duel?.isOutgrown(by: places.count) ?? true else { return }
        uses.duel = EvictionDuel(
            count: places.count, costLimit: costLimit, countLimit: countLimit,
            isByFrequency: uses.duel?.isByFrequency ?? false)
    }
}
