/// Values by key, with a cost each, in the order of their last use: the part of a memory cache that is under its lock.
///
/// Links are indices into one array, below zero for none, and keys are found by open addressing: neither a hit nor an eviction allocates, and each takes
/// constant time. The caller hashes keys, outside the lock.
///
/// A value is a reference, or no larger: it is copied under the lock.
///
/// There are two lists. All values come into the window. Without frequencies it is the only one. With them, what leaves the window has
/// to be used more often than the oldest of the main list to take its place.
@usableFromInline
struct CacheList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Node: Sendable {
        /// Nil while nothing is in this place.
        @usableFromInline var key: Key?
        @usableFromInline var value: Value?
        @usableFromInline var hash = 0
        @usableFromInline var cost = 0
        @usableFromInline var lastUse: UInt64 = 0
        @usableFromInline var isMain = false
    }

    /// The neighbours of a node. In an array of their own, which stays in the processor's cache: a hit changes those of four nodes.
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

    /// The evicted entry. It has the key as well: whoever has the lock releases neither.
    @usableFromInline
    struct Removed: Sendable {
        let key: Key
        @usableFromInline let value: Value
    }

    struct Insertion: Sendable {
        var isKept = false
        /// Whether something had to be evicted.
        var wasFull = false
        /// The entries that have left the list, for the caller to release.
        var removed: [Removed] = []
    }

    /// The number of values that one eviction moves at most from a window that has become too large.
    private static var movesAtOnce: Int { 8 }
    /// The number of values that are held for keys of one and the same hash: they are looked for one after the other.
    private static var keysOfOneHash: Int { 16 }

    @usableFromInline var nodes: [Node] = []
    @usableFromInline var links: [Link] = []
    @usableFromInline var slots: [Int32] = []
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

    /// Returns the place of a key.
    @inlinable
    func place(of key: Key, _ hash: Int) -> Int? {
        let mask = slots.count - 1
        guard mask > 0 else { return nil }
        var slot = hash & mask
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if nodes[place].hash == hash, nodes[place].key == key { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Makes the value in a place the one that was used last.
    ///
    /// - Parameter byFrequency: Whether what is in the main list stays there.
    @inlinable
    mutating func use(_ place: Int, byFrequency: Bool) {
        uses += 1
        nodes[place].lastUse = uses
        let isMain = nodes[place].isMain
        if !isMain, window.newest == Int32(truncatingIfNeeded: place) { return }
        unlink(place)
        link(place, inMain: isMain && byFrequency)
    }

    /// Keeps a value in place of the one that the key has, if any.
    ///
    /// - Parameter frequencies: What decides between those that leave the window and those in the main list; nil for the order of use.
    mutating func insert(
        _ value: Value, forKey key: Key, _ hash: Int, cost: Int, frequencies: FrequencySketch? = nil
    ) -> Insertion {
        var insertion = Insertion()
        if let place = place(of: key, hash), let old = remove(place) { insertion.removed.append(old) }
        guard cost <= costLimit, countLimit > 0 else { return insertion }
        if let crowded = crowded(hash), let old = remove(crowded) { insertion.removed.append(old) }
        while totalCost > costLimit - cost || count == countLimit {
            guard let removed = evict(for: cost, frequencies) else { break }
            insertion.removed.append(removed)
            insertion.wasFull = true
        }
        uses += 1
        let node = Node(key: key, value: value, hash: hash, cost: cost, lastUse: uses)
        let place: Int
        if let reused = free.popLast() {
            place = Int(reused)
            nodes[place] = node
        } else {
            place = nodes.count
            nodes.append(node)
            links.append(Link())
        }
        count += 1
        enter(place)
        link(place, inMain: false)
        insertion.isKept = true
        return insertion
    }

    /// Of the values whose keys have this hash the one that was used longest ago, if there are so many that looking for one takes time.
    private func crowded(_ hash: Int) -> Int? {
        let mask = slots.count - 1
        guard mask > 0 else { return nil }
        var (count, oldest) = (0, Int?.none)
        var slot = hash & mask
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if nodes[place].hash == hash {
                count += 1
                if oldest.map({ nodes[place].lastUse < nodes[$0].lastUse }) ?? true { oldest = place }
            }
            slot = (slot + 1) & mask
        }
        return count >= Self.keysOfOneHash ? oldest : nil
    }

    mutating func remove(_ place: Int) -> Removed? {
        let node = nodes[place]
        guard let key = node.key, let value = node.value else { return nil }
        unlink(place)
        leave(place, node.hash)
        nodes[place].key = nil
        nodes[place].value = nil
        free.append(Int32(truncatingIfNeeded: place))
        count -= 1
        return Removed(key: key, value: value)
    }

    /// Evicts until no more than `cost` is left; below zero means everything.
    mutating func trim(toCost cost: Int, frequencies: FrequencySketch? = nil) -> [Removed] {
        var evicted: [Removed] = []
        while totalCost > cost, let removed = evict(for: 0, frequencies) { evicted.append(removed) }
        return evicted
    }

    /// Evicts one value, to make room for another of this cost.
    private mutating func evict(for cost: Int, _ frequencies: FrequencySketch?) -> Removed? {
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
        guard frequencies.estimate(nodes[candidate].hash) > frequencies.estimate(nodes[victim].hash) else {
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
        return Int(nodes[Int(one)].lastUse < nodes[Int(other)].lastUse ? one : other)
    }
}

// Links and slots.
extension CacheList {
    @inlinable
    mutating func link(_ place: Int, inMain: Bool) {
        let index = Int32(truncatingIfNeeded: place)
        var ends = inMain ? main : window
        nodes[place].isMain = inMain
        links[place] = Link(older: ends.newest)
        if ends.newest >= 0 { links[Int(ends.newest)].newer = index } else { ends.oldest = index }
        ends.newest = index
        ends.cost += nodes[place].cost
        if inMain { main = ends } else { window = ends }
    }

    @inlinable
    mutating func unlink(_ place: Int) {
        let (newer, older, isMain) = (links[place].newer, links[place].older, nodes[place].isMain)
        var ends = isMain ? main : window
        if newer >= 0 { links[Int(newer)].older = older } else { ends.newest = older }
        if older >= 0 { links[Int(older)].newer = newer } else { ends.oldest = newer }
        ends.cost -= nodes[place].cost
        if isMain { main = ends } else { window = ends }
    }

    private mutating func enter(_ place: Int) {
        if 2 * count > slots.count {
            slots = [Int32](repeating: -1, count: max(16, 2 * slots.count))
            for other in nodes.indices where nodes[other].key != nil && other != place { fill(other) }
        }
        fill(place)
    }

    private mutating func fill(_ place: Int) {
        let mask = slots.count - 1
        var slot = nodes[place].hash & mask
        while slots[slot] >= 0 { slot = (slot + 1) & mask }
        slots[slot] = Int32(truncatingIfNeeded: place)
    }

    /// Closes the gap: of those behind it, each that may stand there moves up.
    private mutating func leave(_ place: Int, _ hash: Int) {
        let mask = slots.count - 1
        var gap = hash & mask
        while slots[gap] != Int32(truncatingIfNeeded: place) { gap = (gap + 1) & mask }
        var slot = (gap + 1) & mask
        while slots[slot] >= 0 {
            let home = nodes[Int(slots[slot])].hash & mask
            if (slot - home) & mask >= (slot - gap) & mask {
                slots[gap] = slots[slot]
                gap = slot
            }
            slot = (slot + 1) & mask
        }
        slots[gap] = -1
    }
}
