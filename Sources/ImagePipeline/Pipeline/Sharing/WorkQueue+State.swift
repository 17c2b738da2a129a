import Streams

extension WorkQueue {
    /// The place of a kind of work beside loads: before those of its level, among them, or behind all of them.
    enum Standing: Sendable {
        case ahead, load, behind
    }

    /// The place of a load among those that wait.
    struct Rank: Comparable, Sendable {
        var level: LoadPriority.Level
        let standing: Standing
        let time: Context.SchedulerTimeType
        let ticket: Int

        static func < (left: Rank, right: Rank) -> Bool {
            if (left.standing == .behind) != (right.standing == .behind) { return right.standing == .behind }
            if left.level != right.level { return left.level > right.level }
            if (left.standing == .ahead) != (right.standing == .ahead) { return left.standing == .ahead }
            return left.time == right.time ? left.ticket < right.ticket : left.time < right.time
        }
    }

    /// The pieces of work of one load, and the time that they take.
    struct Line: Sendable {
        var work: [@Sendable () -> Void] = []
        var level: LoadPriority.Level
        var standing = Standing.load
        /// The time that its finished pieces have taken.
        var spent = Context.SchedulerTimeType.Stride.zero
        /// The number of its pieces that run.
        var running = 0
        /// The time since which at least one runs.
        var start: Context.SchedulerTimeType?
        var need = Need.none

        mutating func begin(at now: Context.SchedulerTimeType) {
            running += 1
            if start == nil { start = now }
        }

        mutating func end(at now: Context.SchedulerTimeType) {
            spent = total(at: now)
            running -= 1
            start = running > 0 ? now : nil
        }

        func total(at now: Context.SchedulerTimeType) -> Context.SchedulerTimeType.Stride {
            start.map { spent + $0.distance(to: now) } ?? spent
        }
    }

    /// The room that a load needs before it has another turn.
    enum Need: Sendable {
        case none, toBegin, toGoOn
    }

    /// The state behind the lock: who waits, for a turn or for room.
    struct State: Sendable {
        /// Of each turn, whether it waits or not.
        var lines: [Int: Line] = [:]
        /// Those that wait.
        var waiting = IndexedHeap<Int, Rank>()
        /// Those whose turn came when there was no room for them to begin, and large ones that have none to go on.
        var heldBack = IndexedHeap<Int, Rank>()
        var parked = IndexedHeap<Int, Rank>()
        var room: WorkRoom
        /// Whether a look at who waits is due.
        var isLookDue = false
        var nextTurn = 0
        var tickets = 0

        mutating func wait(_ turn: Int, at now: Context.SchedulerTimeType) {
            guard let line = lines[turn], !line.work.isEmpty,
                waiting[turn] == nil, heldBack[turn] == nil, parked[turn] == nil
            else { return }
            let rank = rank(of: line, at: now)
            if line.need == .toGoOn { parked[turn] = rank } else { waiting[turn] = rank }
            tickets += 1
        }

        /// Takes the next piece of work of the first that may go on or begin.
        mutating func begin(at now: Context.SchedulerTimeType) -> (turn: Int, work: @Sendable () -> Void)? {
            guard let turn = popFirst(), let work = lines[turn]?.work.removeFirst() else { return nil }
            lines[turn]?.begin(at: now)
            wait(turn, at: now)
            return (turn, work)
        }

        private mutating func popFirst() -> Int? {
            while let (turn, rank) = waiting.first {
                waiting[turn] = nil
                if lines[turn]?.need == .toBegin, !room.begin(turn, rank.level) {
                    heldBack[turn] = rank
                } else {
                    lines[turn]?.need = .none
                    return turn
                }
            }
            return nil
        }

        /// Whether a look has to be arranged: somebody waits for room, and none is due.
        mutating func arrangesLook() -> Bool {
            guard !isLookDue, !heldBack.isEmpty || !parked.isEmpty else { return false }
            isLookDue = true
            return true
        }

        /// Has those wait for their turn again that there is room for by now.
        ///
        /// - Returns: their pieces of work, which nobody looks for any more.
        mutating func letIn() -> Int {
            var pieces = 0
            while let (turn, _) = parked.first, room.resume(turn) { pieces += letIn(turn) }
            while let (turn, rank) = heldBack.first, room.begin(turn, rank.level) { pieces += letIn(turn) }
            return pieces
        }

        mutating func letIn(_ turn: Int) -> Int {
            lines[turn]?.need = .none
            guard let rank = heldBack[turn] ?? parked[turn] else { return 0 }
            (heldBack[turn], parked[turn], waiting[turn]) = (nil, nil, rank)
            return lines[turn]?.work.count ?? 0
        }

        /// The rank of a load that begins to wait.
        func rank(of line: Line, at now: Context.SchedulerTimeType) -> Rank {
            let penalty = min(line.total(at: now), .milliseconds(500))
            return Rank(
                level: line.level, standing: line.standing, time: now.advanced(by: penalty), ticket: tickets)
        }
    }
}
