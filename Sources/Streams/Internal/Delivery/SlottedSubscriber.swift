/// Passes signals on as long as a slot is open, which keeps the upstream's subscription and is what the subscriber has got.
@frozen @usableFromInline
struct SlottedSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let slot: UpstreamSlot

    @inlinable @inline(__always)
    init(downstream: Downstream, slot: UpstreamSlot) {
        self.downstream = downstream
        self.slot = slot
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        _ = slot.receive(subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        slot.isDone ? .none : downstream.receive(input)
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if slot.finish() { downstream.receive(completion: completion) }
    }
}
