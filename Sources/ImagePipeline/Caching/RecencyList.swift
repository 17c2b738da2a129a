/// Values by key, in the order of their last use, with a cost each: the part of `MemoryCache` that is under its lock.
///
/// A doubly linked list whose links are indices into one array, so that neither a hit nor an eviction allocates.
struct RecencyList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node {
        var key: Key
        var value: Value
        var cost: Int
        var newer: Int?
        var older: Int?
    }

    /// The evicted entry. It has the key as well: whoever has the lock releases neither.
    struct Removed: Sendable {
        let key: Key
        let value: Value
    }

    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var indices: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?
    private let costLimit: Int
    private(set) var totalCost = 0

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    var count: Int { indices.count }

    /// The value of a key, which becomes the newest.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            link(index)
        }
        return nodes[index]?.value
    }

    /// - Returns: Whether it was kept, and what had to go, for the caller to release.
    mutating func insert(_ value: Value, forKey key: Key, cost: Int) -> (isKept: Bool, evicted: [Removed]) {
        var evicted: [Removed] = []
        if let old = remove(key) { evicted.append(old) }
        guard cost <= costLimit else { return (false, evicted) }
        evicted += trim(toCost: costLimit - cost)
        let node = Node(key: key, value: value, cost: cost)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            nodes[index] = node
        } else {
            index = nodes.count
            nodes.append(node)
        }
        indices[key] = index
        totalCost += cost
        link(index)
        return (true, evicted)
    }

    mutating func remove(_ key: Key) -> Removed? {
        guard let index = indices.removeValue(forKey: key), let node = nodes[index] else { return nil }
        unlink(index)
        nodes[index] = nil
        free.append(index)
        totalCost -= node.cost
        return Removed(key: node.key, value: node.value)
    }

    /// Evicts from the oldest on; below zero means everything, even what costs nothing.
    mutating func trim(toCost cost: Int) -> [Removed] {
        var evicted: [Removed] = []
        while totalCost > cost, let oldest, let key = nodes[oldest]?.key, let removed = remove(key) {
            evicted.append(removed)
        }
        return evicted
    }

    private mutating func link(_ index: Int) {
        nodes[index]?.older = newest
        nodes[index]?.newer = nil
        if let newest { nodes[newest]?.newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        guard let node = nodes[index] else { return }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    }
}
