/// A queue that decides who may begin where only so many may be under way at once: in all, and within each group.
///
/// Of those that may begin, the one with the highest priority does; among equals, the one that came first. A group that is full holds
/// nobody else up. Every operation takes logarithmic time. It is a plain value: ``AdmissionGate`` is the same for several threads.
public struct AdmissionQueue<ID: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
    /// The number of entrants that may be admitted at once.
    public let limit: Int
    /// The number of entrants of one group that may be admitted at once.
    public let limitPerGroup: Int

    private struct Rank: Comparable {
        var level: LoadPriority.Level
        let ticket: Int

        static func < (lhs: Rank, rhs: Rank) -> Bool {
            lhs.level == rhs.level ? lhs.ticket < rhs.ticket : lhs.level > rhs.level
        }
    }

    private struct Line {
        var waiting = IndexedHeap<ID, Rank>()
        var admitted = 0
    }

    private struct Member {
        /// Nil for who is bounded by the limit of all alone.
        let group: Group?
        var isAdmitted = false
    }

    private var members: [ID: Member] = [:]
    private var lines: [Group?: Line] = [:]
    /// The groups from which somebody may begin, by their first.
    private var open = IndexedHeap<Group?, Rank>()
    private var tickets = 0
    private var admitted = 0

    /// Creates an empty queue; limits below 1 count as 1.
    ///
    /// - Parameters:
    ///   - limit: The number of entrants that may be admitted at once.
    ///   - perGroup: The number of entrants of one group that may be admitted at once.
    public init(limit: Int, perGroup: Int = .max) {
        self.limit = max(1, limit)
        limitPerGroup = max(1, perGroup)
    }

    /// The number of entrants that wait.
    public var waitingCount: Int { members.count - admitted }

    /// The number of entrants that are admitted.
    public var admittedCount: Int { admitted }

    /// Adds an entrant at the end of the line; one that is in the queue already keeps its place.
    ///
    /// - Parameters:
    ///   - id: The entrant.
    ///   - group: The group whose limit counts; nil for the limit of all alone.
    ///   - level: The priority.
    public mutating func append(_ id: ID, to group: Group?, level: LoadPriority.Level = .normal) {
        guard members[id] == nil else { return }
        members[id] = Member(group: group)
        lines[group, default: Line()].waiting[id] = Rank(level: level, ticket: tickets)
        tickets += 1
        update(group)
    }

    /// Changes the priority of an entrant that waits; does nothing for others.
    ///
    /// - Parameters:
    ///   - level: The priority.
    ///   - id: The entrant.
    public mutating func setLevel(_ level: LoadPriority.Level, of id: ID) {
        guard let member = members[id], !member.isAdmitted, var rank = lines[member.group]?.waiting[id] else { return }
        rank.level = level
        lines[member.group]?.waiting[id] = rank
        update(member.group)
    }

    /// Admits the next entrant and returns it; nil when none waits or no place is free for those that do.
    public mutating func admit() -> ID? {
        guard admitted < limit, let first = open.first, let id = lines[first.key]?.waiting.popFirst() else {
            return nil
        }
        let group = first.key
        members[id]?.isAdmitted = true
        lines[group]?.admitted += 1
        admitted += 1
        update(group)
        return id
    }

    /// Removes an entrant, whether it waits, has finished or gives up.
    ///
    /// - Parameter id: The entrant.
    /// - Returns: `true` if it was there.
    @discardableResult
    public mutating func remove(_ id: ID) -> Bool {
        guard let member = members.removeValue(forKey: id) else { return false }
        if member.isAdmitted {
            lines[member.group]?.admitted -= 1
            admitted -= 1
        } else {
            lines[member.group]?.waiting[id] = nil
        }
        update(member.group)
        return true
    }

    private mutating func update(_ group: Group?) {
        guard let line = lines[group] else { return }
        let hasRoom = group == nil || line.admitted < limitPerGroup
        open[group] = hasRoom ? line.waiting.first?.rank : nil
        if line.waiting.isEmpty, line.admitted == 0 { lines[group] = nil }
    }
}
