/// Values by the hash of their key, with a cost each, in the order of their last use: the part of a memory cache that is under its lock.
///
/// Links are indices into one array, below zero for none, and places are found by open addressing: neither a hit nor an eviction allocates,
/// and each takes constant time. The caller hashes keys, outside the lock, and knows the key of a value.
///
/// A value is a reference, or no larger: it is copied under the lock. What a look-up reads is apart from what a use changes, and is
/// little: the processor waits for each piece of it that is not in its cache.
///
/// There are two lists. All values come into the window. Without frequencies it is the only one. With them, what leaves the window has
/// to be used more often than the oldest of the main list to take its place.
@usableFromInline
struct CacheList<Value: Sendable>: Sendable {
    /// The facts by which a value is evicted or stays.
    @usableFromInline
    struct Mark: Sendable {
        @usableFromInline var hash = 0
        @usableFromInline var cost = 0
        @usableFromInline var lastUse: UInt64 = 0
        @usableFromInline var isMain = false
    }

    /// The neighbours of a value. In an array of their own, which stays in the processor's cache: a use changes those of four values.
    @usableFromInline
    struct Link: Sendable {
        @usableFromInline var newer: Int32 = -1
        @usableFromInline var older: Int32 = -1

        @inlinable init(older: Int32 = -1) { self.older = older }
    }

    /// One of the two lists.
    @usableFromInline
    struct Ends: Sendable {
        @usableFromInline var newest: Int32 = -1
        @usableFromInline var oldest: Int32 = -1
        @usableFromInline var cost = 0

        @inlinable init() {}
    }

    struct Insertion: Sendable {
        var isKept = false
        /// Whether something had to be evicted.
        var wasFull = false
        /// The entries that have left the list, for the caller to release.
        var removed: [Value] = []
    }

    /// The number of values that one eviction moves at most from a window that has become too large.
    private static var movesAtOnce: Int { 8 }
    /// The number of values that are held for keys of one and the same hash: they are looked for one after the other.
    private static var keysOfOneHash: Int { 16 }

    /// Nil where nothing is in a place.
    @usableFromInline var values: [Value?] = []
    @usableFromInline var marks: [Mark] = []
    @usableFromInline var links: [Link] = []
    @usableFromInline var table = PlaceTable()
    @usableFromInline var window = Ends()
    @usableFromInline var main = Ends()
    @usableFromInline var uses: UInt64 = 0
    private var free: [Int32] = []
    private let costLimit: Int
    private let countLimit: Int
    private(set) var count = 0

    init(costLimit: Int, countLimit: Int) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    var totalCost: Int { window.cost + main.cost }

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

    /// Makes the value in a place the one that was used last.
    ///
    /// - Parameter byFrequency: Whether what is in the main list stays there.
    @inlinable
    mutating func use(_ place: Int, byFrequency: Bool) {
        uses += 1
        marks[place].lastUse = uses
        let isMain = marks[place].isMain
        if !isMain, window.newest == Int32(truncatingIfNeeded: place) { return }
        unlink(place)
        link(place, inMain: isMain && byFrequency)
    }

    /// Keeps a value in place of the one that its key has, if any.
    ///
    /// - Parameters:
    ///   - frequencies: What decides between those that leave the window and those in the main list; nil for the order of use.
    ///   - isOld: Whether a value with this hash is the one to replace.
    mutating func insert(
        _ value: Value, _ hash: Int, cost: Int, frequencies: FrequencySketch? = nil, replacing isOld: (Value) -> Bool
    ) -> Insertion {
        var insertion = Insertion()
        if let place = place(hash, where: isOld), let old = remove(place) { insertion.removed.append(old) }
        guard cost <= costLimit, countLimit > 0 else { return insertion }
        if let crowded = crowded(hash), let old = remove(crowded) { insertion.removed.append(old) }
        while totalCost > costLimit - cost || count == countLimit {
            guard let removed = evict(for: cost, frequencies) else { break }
            insertion.removed.append(removed)
            insertion.wasFull = true
        }
        uses += 1
        let mark = Mark(hash: hash, cost: cost, lastUse: uses)
        let place: Int
        if let reused = free.popLast() {
            place = Int(reused)
            values[place] = value
            marks[place] = mark
        } else {
            place = values.count
            values.append(value)
            marks.append(mark)
            links.append(Link())
        }
        count += 1
        table.insert(place, hash)
        link(place, inMain: false)
        insertion.isKept = true
        return insertion
    }

    /// Of the values whose keys have this hash the one that was used longest ago, if there are so many that looking for one takes time.
    private func crowded(_ hash: Int) -> Int? {
        var (count, oldest) = (0, Int?.none)
        _ = table.place(hash) { place in
            guard marks[place].hash == hash else { return false }
            count += 1
            if oldest.map({ marks[place].lastUse < marks[$0].lastUse }) ?? true { oldest = place }
            return false
        }
        return count >= Self.keysOfOneHash ? oldest : nil
    }

    mutating func remove(_ place: Int) -> Value? {
        guard let value = values[place] else { return nil }
        unlink(place)
        table.remove(place, marks[place].hash)
        values[place] = nil
        free.append(Int32(truncatingIfNeeded: place))
        count -= 1
        return value
    }

    /// Evicts until no more than `cost` is left; below zero means everything.
    mutating func trim(toCost cost: Int, frequencies: FrequencySketch? = nil) -> [Value] {
        var evicted: [Value] = []
        while totalCost > cost, let removed = evict(for: 0, frequencies) { evicted.append(removed) }
        return evicted
    }

    /// Evicts one value, to make room for another of this cost.
    private mutating func evict(for cost: Int, _ frequencies: FrequencySketch?) -> Value? {
        guard let frequencies else { return older(window.oldest, main.oldest).flatMap { remove($0) } }
        // A twentieth of what there is, however many values that are.
        let windowLimit = totalCost / 20
        for _ in 0..<Self.movesAtOnce where window.cost > windowLimit && window.oldest != window.newest {
            moveOldestToMain()
        }
        let (candidate, victim) = (Int(window.oldest), Int(main.oldest))
        guard window.cost > windowLimit - cost, candidate >= 0, victim >= 0 else {
            let only = victim >= 0 ? victim : candidate
            return only < 0 ? nil : remove(only)
        }
        guard frequencies.estimate(marks[candidate].hash) > frequencies.estimate(marks[victim].hash) else {
            return remove(candidate)
        }
        moveOldestToMain()
        return remove(victim)
    }

    private mutating func moveOldestToMain() {
        let place = Int(window.oldest)
        guard place >= 0 else { return }
        unlink(place)
        link(place, inMain: true)
    }

    /// Of the oldest of each list the one that was used longer ago.
    private func older(_ one: Int32, _ other: Int32) -> Int? {
        guard one >= 0, other >= 0 else { return max(one, other) < 0 ? nil : Int(max(one, other)) }
        return Int(marks[Int(one)].lastUse < marks[Int(other)].lastUse ? one : other)
    }
}

// Links.
extension CacheList {
    @inlinable
    mutating func link(_ place: Int, inMain: Bool) {
        let index = Int32(truncatingIfNeeded: place)
        var ends = inMain ? main : window
        marks[place].isMain = inMain
        links[place] = Link(older: ends.newest)
        if ends.newest >= 0 { links[Int(ends.newest)].newer = index } else { ends.oldest = index }
        ends.newest = index
        ends.cost += marks[place].cost
        if inMain { main = ends } else { window = ends }
    }

    @inlinable
    mutating func unlink(_ place: Int) {
        let (newer, older, isMain) = (links[place].newer, links[place].older, marks[place].isMain)
        var ends = isMain ? main : window
        if newer >= 0 { links[Int(newer)].older = older } else { ends.newest = older }
        if older >= 0 { links[Int(older)].newer = newer } else { ends.oldest = newer }
        ends.cost -= marks[place].cost
        if isMain { main = ends } else { window = ends }
    }
}
