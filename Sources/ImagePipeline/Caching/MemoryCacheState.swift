/// All that is under the locks of a memory cache (``MemoryCacheSlots``).
///
/// A hit is noted, and no more: the lists, marks and counters that a use changes lie all over memory, and are changed for many uses
/// together, so that the processor need not wait for one before it looks for the next. Whatever else happens comes after the uses that
/// were noted: nobody can tell that they waited.
@usableFromInline
struct MemoryCacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entry = MemoryCacheEntry<Key, Value>

    @usableFromInline var list: CacheList<Entry>
    /// Nil until the cache is full for the first time, and for a fixed policy.
    @usableFromInline var duel: EvictionDuel?
    private let costLimit: Int
    private let countLimit: Int
    private let isAdaptive: Bool

    init(costLimit: Int, countLimit: Int, isAdaptive: Bool) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.isAdaptive = isAdaptive
        list = CacheList(costLimit: costLimit, countLimit: countLimit)
    }

    /// Counts a look-up that has found nothing.
    ///
    /// - Returns: Whether there is something: the look-up was not made, or something has come meanwhile.
    @inlinable
    mutating func didMiss(_ key: Key, _ hash: Int) -> Bool {
        if list.place(hash, where: { $0.key == key }) != nil { return true }
        duel?.didLookUp(hash, cost: nil)
        return false
    }

    /// Counts a use of the value in a place.
    @inlinable
    mutating func didUse(_ place: Int) {
        duel?.didLookUp(list.marks[place].hash, cost: list.marks[place].cost)
        list.use(place, byFrequency: duel?.isByFrequency ?? false)
    }

    mutating func insert(_ entry: Entry, _ hash: Int, cost: Int) -> CacheList<Entry>.Insertion {
        let insertion = list.insert(entry, hash, cost: cost, frequencies: frequencies) { $0.key == entry.key }
        if isAdaptive, insertion.wasFull { prepareDuel() }
        if insertion.isKept { duel?.didInsert(hash, cost: cost) }
        return insertion
    }

    mutating func remove(_ key: Key, _ hash: Int, where isUnwanted: (Entry) -> Bool) -> Entry? {
        guard let place = list.place(hash, where: { $0.key == key }), let entry = list.values[place], isUnwanted(entry)
        else { return nil }
        return list.remove(place)
    }

    mutating func trim(toCost cost: Int) -> [Entry] {
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
