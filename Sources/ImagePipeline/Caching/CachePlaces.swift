/// Values by the hash of their key, within limits of their cost and their number: what a look-up in a memory cache reads.
///
/// Places are found by open addressing: neither a hit nor an eviction allocates, and each takes constant time. The caller hashes keys,
/// outside the lock, and knows the key of a value. The order of eviction is apart, in a `CacheOrder`, whose places these are.
///
/// A value is a reference, or no larger: it is copied under the lock. What a look-up reads is little: the processor waits for each piece
/// of it that is not in its cache.
@usableFromInline
struct CachePlaces<Value: Sendable>: Sendable {
    struct Insertion: Sendable {
        var isKept = false
        /// Whether something had to be evicted.
        var wasFull = false
        /// The entries that have left their places, for the caller to release.
        var removed: [Value] = []
    }

    /// The number of values that are held for keys of one and the same hash: they are looked for one after the other.
    private static var keysOfOneHash: Int { 16 }

    /// Nil where nothing is in a place.
    @usableFromInline var values: [Value?] = []
    @usableFromInline var table = PlaceTable()
    private var free: [Int32] = []
    private let costLimit: Int
    private let countLimit: Int
    private(set) var count = 0

    init(costLimit: Int, countLimit: Int) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    /// Returns the place of a value.
    ///
    /// - Parameter isWanted: Whether it is the right one of those that have the hash.
    @inlinable
    func place(_ hash: Int, where isWanted: (Value) -> Bool) -> Int? {
        table.place(hash) { place in
            guard let value = values[place] else { return false }
            return isWanted(value)
        }
    }

    /// Keeps a value in place of the one that its key has, if any.
    ///
    /// - Parameters:
    ///   - order: The order of the values.
    ///   - frequencies: What decides between those that leave the window and those in the main list; nil for the order of use.
    ///   - isOld: Whether a value with this hash is the one to replace.
    mutating func insert(
        _ value: Value, _ hash: Int, cost: Int, in order: inout CacheOrder, frequencies: FrequencySketch? = nil,
        replacing isOld: (Value) -> Bool
    ) -> Insertion {
        var insertion = Insertion()
        if let place = place(hash, where: isOld), let old = remove(place, from: &order) {
            insertion.removed.append(old)
        }
        guard cost <= costLimit, countLimit > 0 else { return insertion }
        if let crowded = crowded(hash, order), let old = remove(crowded, from: &order) { insertion.removed.append(old) }
        while order.totalCost > costLimit - cost || count == countLimit {
            guard let victim = order.victim(for: cost, frequencies), let old = remove(victim, from: &order) else {
                break
            }
            insertion.removed.append(old)
            insertion.wasFull = true
        }
        let place: Int
        if let reused = free.popLast() {
            place = Int(reused)
            values[place] = value
        } else {
            place = values.count
            values.append(value)
        }
        count += 1
        table.insert(place, hash)
        order.insert(place, hash: hash, cost: cost)
        insertion.isKept = true
        return insertion
    }

    /// Of the values whose keys have this hash the one that was used longest ago, if there are so many that looking for one takes time.
    private func crowded(_ hash: Int, _ order: CacheOrder) -> Int? {
        var (count, oldest) = (0, Int?.none)
        _ = table.place(hash) { place in
            guard order.marks[place].hash == hash else { return false }
            count += 1
            if oldest.map({ order.marks[place].lastUse < order.marks[$0].lastUse }) ?? true { oldest = place }
            return false
        }
        return count >= Self.keysOfOneHash ? oldest : nil
    }

    mutating func remove(_ place: Int, from order: inout CacheOrder) -> Value? {
        guard let value = values[place] else { return nil }
        table.remove(place, order.marks[place].hash)
        order.unlink(place)
        values[place] = nil
        free.append(Int32(truncatingIfNeeded: place))
        count -= 1
        return value
    }

    /// Evicts until no more than `cost` is left; below zero means everything.
    mutating func trim(toCost cost: Int, in order: inout CacheOrder, frequencies: FrequencySketch? = nil) -> [Value] {
        var evicted: [Value] = []
        while order.totalCost > cost, let victim = order.victim(for: 0, frequencies),
            let old = remove(victim, from: &order)
        {
            evicted.append(old)
        }
        return evicted
    }
}
