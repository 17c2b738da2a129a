/// Cancels what it wraps on a scheduler: for what may only be touched there.
public final class ScheduledDisposable<Context: Scheduler>: Cancellable {
    private let scheduler: Context
    private let wrapped: AnyCancellable

    /// - Parameters:
    ///   - scheduler: Where it is cancelled.
    ///   - cancellable: What is cancelled.
    public init(on scheduler: Context, _ cancellable: some Cancellable) {
        self.scheduler = scheduler
        wrapped = AnyCancellable(cancellable)
    }

    public func cancel() {
        scheduler.schedule { [wrapped] in wrapped.cancel() }
    }
}
