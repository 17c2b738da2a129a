import Streams
import Synchronization

/// A scheduler whose clock moves only when the test says so.
///
///     let scheduler = VirtualTimeScheduler()
///     publisher.debounce(for: .milliseconds(10), scheduler: scheduler).subscribe(recorder)
///     scheduler.advance(by: .milliseconds(10))
///
/// Work runs on the thread that moves the clock, inside the call that does. Any thread may schedule and cancel; one at a
/// time may move the clock, and work may move it further. Work that is due at the same moment runs in the order in which
/// it was scheduled, or, with a seed, in an order that follows from the seed. Scheduling and running take logarithmic
/// time.
public final class VirtualTimeScheduler: Scheduler {
    public typealias SchedulerTimeType = VirtualTime
    /// An empty set of options.
    public enum SchedulerOptions: Sendable {}

    private struct State: Sendable {
        var now = VirtualTime.zero
        var agenda = Agenda()
        var tieBreaker: SeededGenerator?
        var delays: Set<VirtualTime.Stride> = []
        var firstDelayedRun: VirtualTime?
    }

    private let state: Mutex<State>
    private let depth = Atomic(0)

    /// Creates a scheduler whose clock stands at zero.
    ///
    /// - Parameter seed: The seed of a random order for work that is due at the same moment; nil for the order in which
    ///   it was scheduled.
    public init(permutingEqualTimesBy seed: UInt64? = nil) {
        state = Mutex(State(tieBreaker: seed.map(SeededGenerator.init)))
    }

    public var now: VirtualTime { state.withLock { $0.now } }

    public var minimumTolerance: VirtualTime.Stride { .nanoseconds(0) }

    /// A Boolean value that indicates whether a piece of the scheduler's work is running.
    public var isRunning: Bool { depth.load(ordering: .acquiring) > 0 }

    /// The number of pieces of work that wait for their time.
    public var scheduledCount: Int { state.withLock { $0.agenda.count } }

    /// The moment at which the next piece of work is due; nil when there is none.
    public var nextDue: VirtualTime? { state.withLock { $0.agenda.nextDue } }

    /// The spans of time for which work was scheduled by those who know nothing of virtual time.
    var delays: Set<VirtualTime.Stride> { state.withLock { $0.delays } }

    /// The moment at which such work ran for the first time; nil if none has.
    var firstDelayedRun: VirtualTime? { state.withLock { $0.firstDelayedRun } }

    /// Whether such work waits for its time.
    var hasDelayedWork: Bool { state.withLock { $0.agenda.hasDelayed } }

    /// Runs work of the test itself at a moment.
    func post(at date: VirtualTime, _ action: @escaping @Sendable () -> Void) {
        add(at: date, interval: nil, isOfTest: true, action)
    }

    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        add(at: nil, interval: nil, action)
    }

    public func schedule(
        after date: VirtualTime, tolerance: VirtualTime.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        add(at: date, interval: nil, action)
    }

    /// Runs work at a moment and then at every interval, of one nanosecond at least, until the result is cancelled.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - action: The work to run.
    public func schedule(
        after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let number = add(at: date, interval: max(interval, .nanoseconds(1)), action)
        return Disposable { [weak self] in self?.remove(number) }
    }

    /// Moves the clock by a span, and runs the work that becomes due meanwhile, each piece at its own moment, including
    /// work that it schedules.
    ///
    /// - Parameter stride: The span of time.
    public func advance(by stride: VirtualTime.Stride) {
        advance(to: now.advanced(by: stride))
    }

    /// Moves the clock to a moment, and runs the work that becomes due meanwhile, each piece at its own moment,
    /// including work that it schedules. The clock never goes back.
    ///
    /// - Parameter target: The moment to move to.
    public func advance(to target: VirtualTime) {
        while let action = next(notAfter: target) { run(action) }
        state.withLock { $0.now = max($0.now, target) }
    }

    /// Moves the clock from one piece of work to the next until none is left.
    ///
    /// - Parameter limit: The largest number of pieces of work to run: repeating work never ends by itself.
    /// - Returns: `true` if no work was left.
    @discardableResult
    public func run(limit: Int = 1_000_000) -> Bool {
        var remaining = limit
        while remaining > 0, let action = next(notAfter: nil) {
            run(action)
            remaining -= 1
        }
        return scheduledCount == 0
    }

    private func run(_ action: @Sendable () -> Void) {
        depth.add(1, ordering: .acquiringAndReleasing)
        action()
        depth.subtract(1, ordering: .acquiringAndReleasing)
    }

    @discardableResult
    private func add(
        at date: VirtualTime?, interval: VirtualTime.Stride?, isOfTest: Bool = false,
        _ action: @escaping @Sendable () -> Void
    ) -> Int {
        state.withLock { state in
            let tie = state.tieBreaker?.next() ?? 0
            let due = max(date ?? state.now, state.now)
            let isDelayed = due > state.now && !isOfTest
            // A few are enough, and one that is paced by another clock has a new one each time.
            if isDelayed, state.delays.count < 16 { state.delays.insert(state.now.distance(to: due)) }
            return state.agenda.add(at: due, tie: tie, interval: interval, isDelayed: isDelayed, action)
        }
    }

    private func remove(_ number: Int) {
        // Let go of outside the lock: it may be the last reference to something with a deinitialiser.
        let removed = state.withLock { $0.agenda.remove(number) }
        withExtendedLifetime(removed) {}
    }

    private func next(notAfter target: VirtualTime?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let due = state.agenda.nextDue, target.map({ due <= $0 }) ?? true else { return nil }
            state.now = max(state.now, due)
            let tie = state.tieBreaker?.next() ?? 0
            guard let (action, isDelayed) = state.agenda.takeFirst(tieOfNext: tie) else { return nil }
            if isDelayed, state.firstDelayedRun == nil { state.firstDelayedRun = state.now }
            return action
        }
    }
}
