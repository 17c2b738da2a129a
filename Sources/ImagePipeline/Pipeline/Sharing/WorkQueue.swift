import Files
import Streams
import Synchronization

/// A queue of pieces of work for a scheduler, the most urgent first.
///
///     let workers = WorkQueue(on: ThreadPoolScheduler(width: 2))
///     bytes.decoded(in: workers).processed(in: workers)
///
/// A higher priority goes first, at every moment: it may change while work waits. Among equals a load goes first that has taken little time:
/// a small picture does not wait for large ones that came before it. A load that has taken much waits that time longer than others,
/// half a second at most. Whatever is running is not interrupted: loads give way between pieces of work of a few
/// milliseconds.
///
/// A load that is to be decoded begins as long as those that have begun hold less than ``memory`` together. One that needs much (beyond 4 MB)
/// goes on behind its first kilobytes as long as the others that need much hold less than that; small ones pass it. As many of each kind as
/// the scheduler is wide are under way in any case; loads of lower priority, and those whose bytes do not come, count for nothing. On an
/// `ImmediateScheduler` nothing waits.
public final class WorkQueue<Context: Scheduler>: Sendable {
    /// The scheduler that the work runs on.
    public let scheduler: Context
    /// The bytes that decodes under way may hold before a further one begins.
    public let memory: Int
    private let state: Mutex<State>

    private struct Rank: Comparable, Sendable {
        var level: LoadPriority.Level
        let time: Context.SchedulerTimeType
        let ticket: Int

        static func < (left: Rank, right: Rank) -> Bool {
            if left.level != right.level { return left.level > right.level }
            return left.time == right.time ? left.ticket < right.ticket : left.time < right.time
        }
    }

    private struct Line: Sendable {
        var work: [@Sendable () -> Void] = []
        var level: LoadPriority.Level
        /// The time that its finished pieces have taken.
        var spent = Context.SchedulerTimeType.Stride.zero
        /// The number of its pieces that run.
        var running = 0
        /// The time since which at least one runs.
        var start: Context.SchedulerTimeType?
        /// The room that it needs before it has another turn.
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

    private enum Need: Sendable {
        case none, toBegin, toGoOn
    }

    private struct State: Sendable {
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

        /// The first that may go on or begin.
        mutating func popFirst() -> Int? {
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
            return Rank(level: line.level, time: now.advanced(by: penalty), ticket: tickets)
        }
    }

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that the work runs on.
    ///   - memory: The bytes that decodes under way may hold, images included, before a further one begins. At least as many decode as a
    ///     ``ThreadPoolScheduler`` has threads, or the machine processors.
    public convenience init(on scheduler: Context, memory: Int = 64 << 20) {
        let width = (scheduler as? ThreadPoolScheduler)?.width ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        self.init(on: scheduler, memory: memory, width: width)
    }

    init(on scheduler: Context, memory: Int, width: Int) {
        self.scheduler = scheduler
        self.memory = memory
        state = Mutex(State(room: WorkRoom(width: width, limit: memory)))
    }

    /// Returns a scheduler for the work of one load.
    ///
    /// - Parameter priority: The priority of the load.
    public func turn(_ priority: LoadPriority = .normal) -> WorkTurn<Context> {
        turn(priority, needsRoom: false)
    }

    /// - Parameter needsRoom: whether its first piece waits until there is memory for it, as it says by ``WorkTurn/hold(_:)``.
    func turn(_ priority: LoadPriority, needsRoom: Bool) -> WorkTurn<Context> {
        let waits = needsRoom && !(scheduler is ImmediateScheduler)
        let id = state.withLock { state in
            defer { state.nextTurn += 1 }
            state.lines[state.nextTurn] = Line(level: priority.level, need: waits ? .toBegin : .none)
            return state.nextTurn
        }
        return WorkTurn(queue: self, id: id, priority: priority)
    }

    fileprivate func setLevel(_ level: LoadPriority.Level, of turn: Int) {
        changeRoom { state in
            state.lines[turn]?.level = level
            state.waiting[turn]?.level = level
            state.heldBack[turn]?.level = level
            state.parked[turn]?.level = level
            state.room.setLevel(level, of: turn)
        }
    }

    fileprivate func remove(_ turn: Int) {
        let line = changeRoom { state in
            state.waiting[turn] = nil
            state.heldBack[turn] = nil
            state.parked[turn] = nil
            state.room.leave(turn)
            return state.lines.removeValue(forKey: turn)
        }
        withExtendedLifetime(line) {}
    }

    fileprivate func hold(_ bytes: Int, by turn: Int) -> Bool {
        changeRoom { state in
            let goesOn = state.room.hold(bytes, by: turn)
            if !goesOn { state.lines[turn]?.need = .toGoOn }
            return goesOn
        }
    }

    fileprivate func leaveRoom(_ turn: Int) {
        changeRoom { $0.room.leave(turn) }
    }

    fileprivate func waiveRoom(_ turn: Int) {
        schedule(pieces: state.withLock { $0.letIn(turn) })
    }

    @discardableResult
    private func changeRoom<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, pieces) = state.withLock { state in
            let result = body(&state)
            return (result, state.letIn())
        }
        schedule(pieces: pieces)
        return result
    }

    /// Looks again in a moment at who waits for room: those that hold it may have nothing to do.
    private func look() {
        scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(100))) { [weak self] in
            guard let self else { return }
            let (pieces, arrangesLook) = state.withLock { state -> (Int, Bool) in
                state.isLookDue = false
                let lines = state.lines
                state.room.look { lines[$0].map { $0.work.isEmpty && $0.running == 0 } ?? true }
                return (state.letIn(), state.arrangesLook())
            }
            schedule(pieces: pieces)
            if arrangesLook { look() }
        }
    }

    private func schedule(pieces: Int) {
        for _ in 0..<pieces { scheduler.schedule { self.runFirst() } }
    }

    /// Each piece of work is a call of the scheduler, which then runs whatever is most urgent.
    fileprivate func add(_ work: @escaping @Sendable () -> Void, to turn: Int) {
        let now = scheduler.now
        let arrangesLook = state.withLock { state in
            state.lines[turn]?.work.append(work)
            state.room.wake(turn)
            state.wait(turn, at: now)
            return state.arrangesLook()
        }
        if arrangesLook { look() }
        schedule(pieces: 1)
    }

    private func runFirst() {
        let start = scheduler.now
        let next = state.withLock { state -> (turn: Int, work: @Sendable () -> Void)? in
            guard let turn = state.popFirst(), let work = state.lines[turn]?.work.removeFirst() else {
                return nil
            }
            state.lines[turn]?.begin(at: start)
            state.wait(turn, at: start)
            return (turn, work)
        }
        guard let next else {
            if state.withLock({ $0.arrangesLook() }) { look() }
            return
        }
        next.work()
        let end = scheduler.now
        state.withLock { $0.lines[next.turn]?.end(at: end) }
    }

    fileprivate func isOvertaken(_ turn: Int) -> Bool {
        let now = scheduler.now
        return state.withLock { state in
            guard let first = state.waiting.first, let line = state.lines[turn] else { return false }
            return first.rank < state.rank(of: line, at: now)
        }
    }
}

/// A scheduler for the work of one load; see ``WorkQueue``.
public final class WorkTurn<Context: Scheduler>: Scheduler {
    private let queue: WorkQueue<Context>
    private let id: Int
    private let levels = SingleAssignmentDisposable()

    fileprivate init(queue: WorkQueue<Context>, id: Int, priority: LoadPriority) {
        self.queue = queue
        self.id = id
        if case .live(let priority) = priority {
            levels.set(priority.levels.sink { [weak queue] in queue?.setLevel($0, of: id) })
        }
    }

    deinit {
        levels.cancel()
        queue.remove(id)
    }

    public var now: Context.SchedulerTimeType { queue.scheduler.now }

    /// Whether work of another load waits that goes before further work of this one.
    ///
    /// Work that has taken some milliseconds asks, and goes on if none does: to wait for a turn that comes at once costs two changes of
    /// thread.
    var isOvertaken: Bool { queue.isOvertaken(id) }

    /// Says how much memory the load holds, the image included.
    ///
    /// - Returns: whether it may go on now; if not, its next piece of work waits for that.
    func hold(_ bytes: Int) -> Bool { queue.hold(bytes, by: id) }

    /// Says that the load holds nothing any more that others would have to wait for.
    func leaveRoom() { queue.leaveRoom(id) }

    /// Has the load go on without waiting for room: there is nothing left to be done but to notice that.
    func waiveRoom() { queue.waiveRoom(id) }

    public var minimumTolerance: Context.SchedulerTimeType.Stride { queue.scheduler.minimumTolerance }

    public func schedule(options: Context.SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        // The work keeps its turn.
        queue.add({ withExtendedLifetime(self) { action() } }, to: id)
    }

    public func schedule(
        after date: Context.SchedulerTimeType, tolerance: Context.SchedulerTimeType.Stride,
        options: Context.SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
        queue.scheduler.schedule(after: date, tolerance: tolerance, options: options) { self.schedule(action) }
    }

    public func schedule(
        after date: Context.SchedulerTimeType, interval: Context.SchedulerTimeType.Stride,
        tolerance: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        queue.scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options) {
            self.schedule(action)
        }
    }
}
