import Synchronization

/// A repeating timer that leaves a mark for whoever drains; its slot cancels it.
@usableFromInline
final class Ticks: Sendable {
    @usableFromInline let slot = UpstreamSlot()
    private let hasTicked = Atomic(false)

    @usableFromInline
    init() {}

    /// Whether it has ticked since the last time.
    @usableFromInline
    func take() -> Bool {
        hasTicked.exchange(false, ordering: .acquiringAndReleasing)
    }

    @inlinable
    func start<Context: Scheduler>(
        _ scheduler: Context, every interval: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?,
        _ onTick: @escaping @Sendable () -> Void
    ) {
        let timer = scheduler.schedule(
            after: scheduler.now.advanced(by: interval), interval: interval, tolerance: scheduler.minimumTolerance,
            options: options
        ) { [weak self] in
            self?.mark()
            onTick()
        }
        _ = slot.receive(CancellableSubscription(timer))
    }

    @usableFromInline
    func mark() {
        hasTicked.store(true, ordering: .releasing)
    }
}

/// Something that can be cancelled in the place of an upstream.
@usableFromInline
final class CancellableSubscription: Subscription {
    private let cancellable: any Cancellable

    @usableFromInline
    init(_ cancellable: any Cancellable) {
        self.cancellable = cancellable
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {}

    @usableFromInline
    func cancel() { cancellable.cancel() }
}
