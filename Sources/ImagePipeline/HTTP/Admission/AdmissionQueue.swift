/// A priority queue that limits how many entrants are under way at once: in all, and within each group.
///
/// Of those that may begin, the one with the highest priority does; among equals, the one that came first. A group that is full holds
/// up no other one. Every operation takes logarithmic time. It is a plain value: ``AdmissionGate`` is the same for several threads.
///
/// An entrant that is under way without getting anywhere may be told to rest (``setResting(_:of:)``): its place goes to another one,
/// as far as the queue has places for those. While there are some, no group gets more than a quarter of what is left, so that many groups
/// whose entrants rest do not take all of it.
public struct AdmissionQueue<ID: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
    /// The number of entrants that may be admitted at once.
    public let limit: Int
    /// The number of entrants of one group that may be admitted at once.
    public let limitPerGroup: Int
    /// The number of further entrants that may be admitted while others rest.
    public let restingLimit: Int

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
        let ticket: Int
        var isAdmitted = false
        var isResting = false
    }

    private var members: [ID: Member] = [:]
    private var lines: [Group?: Line] = [:]
    /// The groups from which somebody may begin, by their first.
    private var open = IndexedHeap<Group?, Rank>()
    private var tickets = 0
    private var admitted = 0
    private var resting = 0

    /// Creates an empty queue; limits below 1 count as 1.
    ///
    /// - Parameters:
    ///   - limit: The number of entrants that may be admitted at once, those that rest apart.
    ///   - perGroup: The number of entrants of one group that may be admitted at once, those that rest among them.
    ///   - resting: The number of further entrants that may be admitted while others rest.
    public init(limit: Int, perGroup: Int = .max, resting: Int = 0) {
        self.limit = max(1, limit)
        limitPerGroup = max(1, perGroup)
        restingLimit = max(0, resting)
    }

    /// The number of entrants that wait.
    public var waitingCount: Int { members.count - admitted }

    /// The number of entrants that are admitted, those that rest among them.
    public var admittedCount: Int { admitted }

    /// Adds an entrant at the end of the line; one that is in the queue already keeps its place.
    ///
    /// - Parameters:
    ///   - id: The entrant.
    ///   - group: The group whose limit counts; nil for the limit of all alone.
    ///   - level: The priority.
    ///   - place: The place of an entrant that was in the queue before and goes on with something else, ahead of all that came later;
    ///     nil for the end of the line.
    /// - Returns: Its place.
    @discardableResult
    public mutating func append(
        _ id: ID, to group: Group?, level: LoadPriority.Level = .normal, at place: Int? = nil
    ) -> Int {
        if let member = members[id] { return member.ticket }
        let ticket = place ?? tickets
        if place == nil { tickets += 1 }
        members[id] = Member(group: group, ticket: ticket)
        lines[group, default: Line()].waiting[id] = Rank(level: level, ticket: ticket)
        update(group)
        return ticket
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

    /// Lets an entrant that is admitted rest, or ends that; does nothing for others. One that goes on keeps its place though there may be
    /// more than the limit then, until others have left.
    ///
    /// - Parameters:
    ///   - isResting: A Boolean value that determines whether another one may have its place.
    ///   - id: The entrant.
    public mutating func setResting(_ isResting: Bool, of id: ID) {
        guard let member = members[id], member.isAdmitted, member.isResting != isResting else { return }
        members[id]?.isResting = isResting
        resting += isResting ? 1 : -1
    }

    /// Admits the next entrant and returns it; nil if none waits, or no place is free for those that do.
    ///
    /// While entrants rest it passes over the groups that have their share, which takes logarithmic time for each.
    public mutating func admit() -> ID? {
        guard admitted - resting < limit, admitted - restingLimit < limit else { return nil }
        var passedOver: [(key: Group?, rank: Rank)] = []
        defer {
            for group in passedOver { open[group.key] = group.rank }
        }
        while let first = open.first {
            if hasShare(first.key), let id = lines[first.key]?.waiting.popFirst() {
                begin(id, in: first.key)
                return id
            }
            passedOver.append(first)
            open[first.key] = nil
        }
        return nil
    }

    /// Whether a group may have another one of the places that there are because others rest.
    private func hasShare(_ group: Group?) -> Bool {
        guard admitted >= limit, group != nil, let line = lines[group] else { return true }
        return line.admitted < max(1, (restingLimit - (admitted - limit)) / 4)
    }

    private mutating func begin(_ id: ID, in group: Group?) {
        members[id]?.isAdmitted = true
        lines[group]?.admitted += 1
        admitted += 1
        update(group)
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
            if member.isResting { resting -= 1 }
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
