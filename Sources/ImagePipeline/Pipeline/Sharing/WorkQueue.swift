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
    let asides = Mutex(Asides())

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that the work runs on.
    ///   - memory: The bytes that decodes under way may hold, images included, before a further one begins. At least as many decode as a
    ///     `ThreadPoolScheduler` has threads, or the machine processors.
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
    func turn(_ priority: LoadPriority, needsRoom: Bool, standing: Standing = .load) -> WorkTurn<Context> {
        let waits = needsRoom && !(scheduler is ImmediateScheduler)
        let id = state.withLock { state in
            defer { state.nextTurn += 1 }
            state.lines[state.nextTurn] = Line(
                level: priority.level, standing: standing, need: waits ? .toBegin : .none)
            return state.nextTurn
        }
        return WorkTurn(queue: self, id: id, priority: priority)
    }

    func setLevel(to priority: LivePriority, of turn: Int) {
        changeRoom { state in
            let level = priority.level
            state.lines[turn]?.level = level
            state.waiting[turn]?.level = level
            state.heldBack[turn]?.level = level
            state.parked[turn]?.level = level
            state.room.setLevel(level, of: turn)
        }
    }

    func remove(_ turn: Int) {
        let line = changeRoom { state in
            state.waiting[turn] = nil
            state.heldBack[turn] = nil
            state.parked[turn] = nil
            state.room.leave(turn)
            return state.lines.removeValue(forKey: turn)
        }
        withExtendedLifetime(line) {}
    }

    func hold(_ bytes: Int, by turn: Int) -> Bool {
        changeRoom { state in
            let goesOn = state.room.hold(bytes, by: turn)
            if !goesOn { state.lines[turn]?.need = .toGoOn }
            return goesOn
        }
    }

    func leaveRoom(_ turn: Int) {
        changeRoom { $0.room.leave(turn) }
    }

    func waiveRoom(_ turn: Int) {
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
    @specialized(where Context == ThreadPoolScheduler)
    func add(_ work: @escaping @Sendable () -> Void, to turn: Int) {
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

    @specialized(where Context == ThreadPoolScheduler)
    private func runFirst() {
        let start = scheduler.now
        let (next, arrangesLook) = state.withLock { state in (state.begin(at: start), state.arrangesLook()) }
        if arrangesLook { look() }
        guard let next else { return }
        next.work()
        let end = scheduler.now
        state.withLock { $0.lines[next.turn]?.end(at: end) }
    }

    @specialized(where Context == ThreadPoolScheduler)
    func isOvertaken(_ turn: Int) -> Bool {
        let now = scheduler.now
        return state.withLock { state in
            guard let first = state.waiting.first, let line = state.lines[turn] else { return false }
            return first.rank < state.rank(of: line, at: now)
        }
    }
}
