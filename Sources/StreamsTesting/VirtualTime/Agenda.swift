/// What is to be done when: a binary heap by time, then by tie, then by the order in which it was added.
struct Agenda: Sendable {
    typealias Action = @Sendable () -> Void

    private struct Key: Comparable, Sendable {
        var due: VirtualTime
        var tie: UInt64
        var order: Int
        let number: Int

        static func < (lhs: Key, rhs: Key) -> Bool {
            (lhs.due, lhs.tie, lhs.order) < (rhs.due, rhs.tie, rhs.order)
        }
    }

    private struct Entry: Sendable {
        let interval: VirtualTime.Stride?
        let isDelayed: Bool
        let action: Action
    }

    private var heap: [Key] = []
    /// What was removed is missing here, and its key is dropped when it comes to the top.
    private var entries: [Int: Entry] = [:]
    private var added = 0

    var count: Int { entries.count }

    var nextDue: VirtualTime? { heap.first?.due }

    /// Whether something waits that was scheduled for later, and not by the test.
    var hasDelayed: Bool { entries.values.contains(where: \.isDelayed) }

    /// - Returns: The number to remove it by.
    mutating func add(
        at due: VirtualTime, tie: UInt64, interval: VirtualTime.Stride?, isDelayed: Bool, _ action: @escaping Action
    ) -> Int {
        let number = added
        entries[number] = Entry(interval: interval, isDelayed: isDelayed, action: action)
        push(due: due, tie: tie, number: number)
        return number
    }

    mutating func remove(_ number: Int) -> Action? {
        defer { dropRemoved() }
        return entries.removeValue(forKey: number)?.action
    }

    /// Takes out what is due first; repeating work goes back in, an interval later.
    mutating func takeFirst(tieOfNext tie: UInt64) -> (action: Action, isDelayed: Bool)? {
        guard let key = popKey(), let entry = entries[key.number] else { return nil }
        if let interval = entry.interval {
            push(due: key.due.advanced(by: interval), tie: tie, number: key.number)
        } else {
            entries[key.number] = nil
        }
        dropRemoved()
        return (entry.action, entry.isDelayed)
    }

    private mutating func push(due: VirtualTime, tie: UInt64, number: Int) {
        heap.append(Key(due: due, tie: tie, order: added, number: number))
        added += 1
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func popKey() -> Key? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        var child = 1
        while child < heap.count {
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            (parent, child) = (child, 2 * child + 1)
        }
        return first
    }

    /// Keeps something that is still wanted on top.
    private mutating func dropRemoved() {
        while let first = heap.first, entries[first.number] == nil { _ = popKey() }
    }
}
