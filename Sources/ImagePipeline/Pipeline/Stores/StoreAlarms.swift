import Streams
import Synchronization

/// Everything that waits for a time, behind one timer. Nearly all of it is cancelled long before: a timer of its own would cost a load
/// that takes no time more than the load does.
///
/// The timer stays set when what it was set for is cancelled. When it goes off it is set for the earliest of the others, which takes a look
/// at each: about once in the time that a load may wait.
final class StoreAlarms: Sendable {
    private struct Alarm: Sendable {
        let due: Duration
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var alarms: [UInt64: Alarm] = [:]
        var next: UInt64 = 0
        /// The time that the timer is set for.
        var set: Duration?
    }

    private let elapsed: @Sendable () -> Duration
    private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> any Cancellable
    private let state = Mutex(State())
    private let timer = SerialDisposable()

    /// - Parameters:
    ///   - elapsed: the time.
    ///   - schedule: runs something after a time, unless that is cancelled.
    init(
        elapsed: @escaping @Sendable () -> Duration,
        schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> any Cancellable
    ) {
        self.elapsed = elapsed
        self.schedule = schedule
    }

    /// Runs something after a time, unless that is cancelled before.
    func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellable {
        let due = elapsed() + max(delay, .zero)
        let (id, isFirst) = state.withLock { state in
            let id = state.next
            state.next += 1
            state.alarms[id] = Alarm(due: due, action: action)
            let isFirst = state.set.map { due < $0 } ?? true
            if isFirst { state.set = due }
            return (id, isFirst)
        }
        if isFirst { setTimer() }
        return Disposable { [weak self] in
            let alarm = self?.state.withLock { $0.alarms.removeValue(forKey: id) }
            withExtendedLifetime(alarm) {}
        }
    }

    /// Sets it as the state says: again, where that has changed meanwhile, as another thread's timer may have been replaced by this one.
    private func setTimer() {
        var set: Duration?
        while let due = state.withLock({ $0.set }), due != set {
            let next = SingleAssignmentDisposable()
            timer.set(next)
            next.set(schedule(max(due - elapsed(), .zero)) { [weak self] in self?.goOff() })
            set = due
        }
    }

    private func goOff() {
        let now = elapsed()
        let due = state.withLock { state in
            let due = state.alarms.filter { $0.value.due <= now }
            for id in due.keys { state.alarms[id] = nil }
            state.set = state.alarms.values.lazy.map(\.due).min()
            return due
        }
        setTimer()
        for (_, alarm) in due.sorted(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }) { alarm.action() }
    }
}
