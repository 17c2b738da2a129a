/// Members in the order in which they came; joining and leaving take constant time on average, and a copy taken meanwhile stays as it is.
struct MemberList<Member: Sendable>: Sendable {
    private var slots: [(id: Int, member: Member?)] = []
    private var next = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The members, the first to come first.
    var all: some Sequence<Member> { slots.lazy.compactMap { $0.member } }

    /// - Returns: what the member is removed by.
    mutating func append(_ member: Member) -> Int {
        defer { next += 1 }
        slots.append((next, member))
        count += 1
        return next
    }

    /// - Returns: the member, for the caller to release; nil if it is not there.
    mutating func remove(_ id: Int) -> Member? {
        guard let index = index(of: id), let member = slots[index].member.take() else { return nil }
        count -= 1
        // Half of them are empty: what moving the others takes, as many removals have been made for.
        if count < slots.count / 2 { slots.removeAll { $0.member == nil } }
        return member
    }

    /// Ids rise.
    private func index(of id: Int) -> Int? {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < slots.count && slots[low].id == id ? low : nil
    }
}
