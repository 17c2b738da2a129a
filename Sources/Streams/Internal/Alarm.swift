import Synchronization

/// A deadline that may be moved, and what is called when it has come.
@usableFromInline
final class Alarm<Time: Strideable & Sendable>: Sendable {
    @usableFromInline let deadline = Mutex(Deadline<Time>())
    @usableFromInline let clock: Clockwork<Time>

    @inlinable
    init<Context: Scheduler>(
        _ scheduler: Context, tolerance: Context.SchedulerTimeType.Stride? = nil, options: Context.SchedulerOptions?
    ) where Context.SchedulerTimeType == Time {
        clock = Clockwork(scheduler, tolerance: tolerance, options: options)
    }

    @inlinable
    func now() -> Time { clock.now() }

    /// Moves the deadline.
    @inlinable
    func set(_ time: Time, _ ring: @escaping @Sendable () -> Void) {
        if deadline.withLock({ $0.set(time) }) { arm(time, ring) }
    }

    /// Sets the deadline unless there is one, which must not be later.
    @inlinable
    func setIfClear(_ time: Time, _ ring: @escaping @Sendable () -> Void) {
        if deadline.withLock({ $0.time == nil && $0.set(time) }) { arm(time, ring) }
    }

    @inlinable
    func arm(_ time: Time, _ ring: @escaping @Sendable () -> Void) {
        clock.at(time) { self.check(time, ring) }
    }

    @inlinable
    func check(_ timer: Time, _ ring: @escaping @Sendable () -> Void) {
        let now = now()
        switch deadline.withLock({ $0.check(timer, now: now) }) {
        case .due: ring()
        case .nothing: break
        case .early(let time): arm(time, ring)
        }
    }
}
