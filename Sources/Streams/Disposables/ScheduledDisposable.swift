import Synchronization

/// Cancels the wrapped cancellable on a scheduler, and releases it there.
///
/// Let go of without a cancel it cancels nothing, as every disposable; an `AnyCancellable` that it is the last to hold
/// then cancels itself, on the scheduler too.
public final class ScheduledDisposable<Context: Scheduler>: Cancellable {
    private let scheduler: Context
    private let wrapped: Box
    private let isCancelled = Atomic(false)

    /// The reference to take out on the scheduler, so that no other thread has the last one.
    private final class Box: Sendable {
        private let content: Mutex<(any Cancellable)?>

        init(_ content: any Cancellable) {
            self.content = Mutex(content)
        }

        func take() -> (any Cancellable)? {
            content.withLock { $0.take() }
        }
    }

    /// Creates a disposable that cancels on a scheduler.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler to cancel on.
    ///   - cancellable: The cancellable to cancel.
    public init(on scheduler: Context, _ cancellable: some Cancellable) {
        self.scheduler = scheduler
        wrapped = Box(cancellable)
    }

    deinit {
        if isCancelled.load(ordering: .acquiring) { return }
        scheduler.schedule { [wrapped] in _ = wrapped.take() }
    }

    public func cancel() {
        if isCancelled.exchange(true, ordering: .acquiringAndReleasing) { return }
        scheduler.schedule { [wrapped] in wrapped.take()?.cancel() }
    }
}
