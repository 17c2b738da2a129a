/// A slot that passes requests and cancels on through a scheduler; what comes before the upstream waits in it.
///
/// Unchecked as its base: it adds a constant.
@usableFromInline
class HoppingSlot: UpstreamSlot, @unchecked Sendable {
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    @usableFromInline
    init(schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
        super.init()
    }

    @usableFromInline
    final override func request(_ demand: Subscribers.Demand) {
        guard demand > .none, !keepEarly(demand) else { return }
        schedule { self.pass(demand) }
    }

    @usableFromInline
    final override func cancel() {
        guard let subscription = end().subscription else { return }
        schedule { subscription.cancel() }
    }
}

/// One that also keeps who is to be subscribed to what, until the scheduler's turn. The work that is scheduled is then this
/// one object: a closure over it needs no context of its own, and fewer objects change threads.
///
/// Unchecked because of `start`, which is set before it is shared and taken out by one call of `run()` alone.
@usableFromInline
final class StartingSlot<Upstream: Publisher, Downstream: Subscriber>: HoppingSlot, @unchecked Sendable
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @exclusivity(unchecked) @usableFromInline var start: (upstream: Upstream, downstream: Downstream)?

    @inlinable
    init(
        _ upstream: Upstream, _ downstream: Downstream,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        start = (upstream, downstream)
        super.init(schedule: schedule)
    }

    /// Called once: as the scheduler's turn, or instead of it where a cancel came before that was asked for.
    @inlinable @inline(__always)
    func run() {
        guard let (upstream, downstream) = start.take(), !isDone else { return }
        upstream.receive(subscriber: SlottedSubscriber(downstream: downstream, slot: self))
    }
}
