/// The subscriber of one inner publisher.
@frozen @usableFromInline
struct MergeInner<Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let core: MergeCore<Downstream>
    @usableFromInline let slot: InnerSlot

    @inlinable @inline(__always)
    init(core: MergeCore<Downstream>, slot: InnerSlot) {
        self.core = core
        self.slot = slot
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        guard slot.receive(subscription) else { return }
        let demand = core.firstDemand(of: slot, subscription)
        if demand > .none { subscription.request(demand) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        slot.isDone ? .none : core.receive(input, from: slot)
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        core.innerEnded(slot, completion)
    }
}
