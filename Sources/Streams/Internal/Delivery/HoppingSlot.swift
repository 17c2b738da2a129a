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
/// `Start` is an optional pair of those. The class is generic over the optional as a whole, because what a generic class is
/// taken apart with has types that it is given at hand, but looks up each that it builds of them: 800 instructions.
///
/// Unchecked because of `start`, which is set before it is shared and taken out by one call of `run()` alone.
@usableFromInline
final class StartingSlot<Start>: HoppingSlot, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var start: Start

    @inlinable
    init(_ start: Start, schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.start = start
        super.init(schedule: schedule)
    }

    /// Called once: as the scheduler's turn, or instead of it where a cancel came before that was asked for.
    @inlinable @inline(__always)
    func run<Upstream: Publisher, Downstream: Subscriber>()
    where
        Start == (upstream: Upstream, downstream: Downstream)?, Downstream.Input == Upstream.Output,
        Downstream.Failure == Upstream.Failure
    {
        guard let (upstream, downstream) = start.take(), !isDone else { return }
        upstream.receive(subscriber: SlottedSubscriber(downstream: downstream, slot: self))
    }
}
