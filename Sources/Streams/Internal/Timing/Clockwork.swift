/// A scheduler as those need it that know only its time: closures made where its type is known.
@usableFromInline
struct Clockwork<Time: Strideable & Sendable>: Sendable {
    @usableFromInline let now: @Sendable () -> Time
    /// Runs work at a moment. What it returns has to be cancelled in the end: before the moment, to call the work back
    /// and have all that it holds released, or afterwards.
    @usableFromInline let at: @Sendable (Time, @escaping @Sendable () -> Void) -> any Cancellable
    @usableFromInline let soon: @Sendable (@escaping @Sendable () -> Void) -> Void

    @inlinable
    init<Context: Scheduler>(
        _ scheduler: Context, tolerance: Context.SchedulerTimeType.Stride? = nil,
        options: Context.SchedulerOptions? = nil
    ) where Context.SchedulerTimeType == Time {
        now = { scheduler.now }
        // What repeats can be called back, as what runs once cannot; the second time never comes.
        at = { date, action in
            scheduler.schedule(
                after: date, interval: .seconds(1 << 30), tolerance: tolerance ?? scheduler.minimumTolerance,
                options: options, action)
        }
        soon = { scheduler.schedule(options: options, $0) }
    }
}
