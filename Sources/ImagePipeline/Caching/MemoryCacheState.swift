/// All that is under the lock of a memory cache.
///
/// A hit is noted, and no more: the lists, marks and counters that a use changes lie all over memory, and are changed for many uses
/// together, so that the processor need not wait for one before it looks for the next. Whatever else happens comes after the uses that
/// were noted: nobody can tell that they waited.
@usableFromInline
struct MemoryCacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entry = MemoryCacheEntry<Key, Value>

    @usableFromInline var list: CacheList<Entry>
    /// The places of the values that were used lately, in order; the first `useCount` of them.
    @usableFromInline var uses: [Int32]
    @usableFromInline var useCount = 0
    /// Nil until the cache is full for the first time, and for a fixed policy.
    @usableFromInline var duel: EvictionDuel?
    private let costLimit: Int
    private let countLimit: Int
    private let isAdaptive: Bool

    /// - Parameter usesAtOnce: The number of uses that are noted before they are counted.
    init(costLimit: Int, countLimit: Int, isAdaptive: Bool, usesAtOnce: Int = 64) {
        self.costLimit = costLimit
        self.countLimit = countLimit
        self.isAdaptive = isAdaptive
        uses = [Int32](repeating: -1, count: max(1, usesAtOnce))
        list = CacheList(costLimit: costLimit, countLimit: countLimit)
    }

    /// Returns the value of a key where it has no times, or else its entry.
    @inlinable
    mutating func value(_ key: Key, _ hash: Int) -> (value: Value?, timed: Entry?) {
        guard let entry = use(key, hash) else { return (nil, nil) }
        return entry.times == nil ? (entry.value, nil) : (nil, entry)
    }

    @inlinable
    mutating func use(_ key: Key, _ hash: Int) -> Entry? {
        guard let place = list.place(hash, where: { $0.key == key }) else {
            didMiss(hash)
            return nil
        }
        uses[useCount] = Int32(truncatingIfNeeded: place)
        useCount += 1
        if useCount == uses.count { settle() }
        return list.values[place]
    }

    @inlinable
    mutating func didMiss(_ hash: Int) {
        if duel == nil { return }
        settle()
        duel?.didLookUp(hash, cost: nil)
    }

    /// Counts the uses that were noted.
    @inlinable
    mutating func settle() {
        for index in 0..<useCount {
            let place = Int(uses[index])
            duel?.didLookUp(list.marks[place].hash, cost: list.marks[place].cost)
            list.use(place, byFrequency: duel?.isByFrequency ?? false)
        }
        useCount = 0
    }

    mutating func insert(_ entry: Entry, _ hash: Int, cost: Int) -> CacheList<Entry>.Insertion {
        settle()
        let insertion = list.insert(entry, hash, cost: cost, frequencies: frequencies) { $0.key == entry.key }
        if isAdaptive, insertion.wasFull { prepareDuel() }
        if insertion.isKept { duel?.didInsert(hash, cost: cost) }
        return insertion
    }

    mutating func remove(_ key: Key, _ hash: Int, where isUnwanted: (Entry) -> Bool) -> Entry? {
        settle()
        guard let place = list.place(hash, where: { $0.key == key }), let entry = list.values[place], isUnwanted(entry)
        else { return nil }
        return list.remove(place)
    }

    mutating func trim(toCost cost: Int) -> [Entry] {
        settle()
        return list.trim(toCost: cost, frequencies: frequencies)
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
