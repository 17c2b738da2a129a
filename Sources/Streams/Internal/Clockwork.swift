/// A scheduler as those need it that know only its time: closures made where its type is known.
@usableFromInline
struct Clockwork<Time: Strideable & Sendable>: Sendable {
    @usableFromInline let now: @Sendable () -> Time
    @usableFromInline let at: @Sendable (Time, @escaping @Sendable () -> Void) -> Void
    @usableFromInline let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

    @inlinable
    init<Context: Scheduler>(
        _ scheduler: Context, tolerance: Context.SchedulerTimeType.Stride? = nil,
        options: Context.SchedulerOptions? = nil
    ) where Context.SchedulerTimeType == Time {
        now = { scheduler.now }
        at = { date, action in
            scheduler.schedule(
                after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options, action)
        }
        soon = { scheduler.schedule(options: options, $0) }
    }
}
