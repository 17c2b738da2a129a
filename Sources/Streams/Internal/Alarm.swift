import Synchronization

/// A deadline that may be moved, and the one timer that waits for it: when it is due too early it re-arms itself, so none
/// is made for each value.
@usableFromInline
final class Alarm<Time: Strideable & Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var deadline: Time?
        /// When the earliest timer that is under way is due.
        @usableFromInline var armed: Time?

        @inlinable
        init() {}
    }

    /// What a timer that is due finds.
    @usableFromInline
    enum Finding {
        case due, nothing
        case early(Time)
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let now: @Sendable () -> Time
    @usableFromInline let schedule: @Sendable (Time, @escaping @Sendable () -> Void) -> Void

    @inlinable
    init<Context: Scheduler>(
        _ scheduler: Context, tolerance: Context.SchedulerTimeType.Stride? = nil, options: Context.SchedulerOptions?
    ) where Context.SchedulerTimeType == Time {
        now = { scheduler.now }
        schedule = { date, action in
            scheduler.schedule(
                after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options, action)
        }
    }

    /// Moves the deadline.
    @inlinable
    func set(_ deadline: Time, _ ring: @escaping @Sendable () -> Void) {
        let isNeeded = state.withLock { state in
            state.deadline = deadline
            if let armed = state.armed, armed <= deadline { return false }
            state.armed = deadline
            return true
        }
        if isNeeded { schedule(deadline) { self.check(deadline, ring) } }
    }

    /// Sets the deadline unless there is one, which must not be later.
    @inlinable
    func setIfClear(_ deadline: Time, _ ring: @escaping @Sendable () -> Void) {
        if state.withLock({ $0.deadline == nil }) { set(deadline, ring) }
    }

    @inlinable
    func check(_ armed: Time, _ ring: @escaping @Sendable () -> Void) {
        let now = now()
        let finding = state.withLock { state -> Finding in
            if state.armed == armed { state.armed = nil }
            guard let deadline = state.deadline else { return .nothing }
            guard deadline <= now else {
                if let armed = state.armed, armed <= deadline { return .nothing }
                state.armed = deadline
                return .early(deadline)
            }
            state.deadline = nil
            return .due
        }
        switch finding {
        case .due: ring()
        case .nothing: break
        case .early(let deadline): schedule(deadline) { self.check(deadline, ring) }
        }
    }
}
