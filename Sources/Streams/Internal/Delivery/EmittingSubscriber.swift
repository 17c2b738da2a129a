/// Sends on what it receives through an emitter.
@frozen @usableFromInline
struct EmittingSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    @usableFromInline let emitter: Emitter<Input, Failure>
    @usableFromInline let slot: UpstreamSlot
    /// What is requested at once.
    @usableFromInline let demand: Subscribers.Demand
    /// The same of an upstream that makes its values when they are requested and loses none.
    @usableFromInline let demandIfPulled: Subscribers.Demand

    @inlinable @inline(__always)
    init(
        emitter: Emitter<Input, Failure>, slot: UpstreamSlot, demand: Subscribers.Demand = .none,
        demandIfPulled: Subscribers.Demand? = nil
    ) {
        self.emitter = emitter
        self.slot = slot
        self.demand = demand
        self.demandIfPulled = demandIfPulled ?? demand
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        guard slot.receive(subscription) else { return }
        let demand = DrainedSubscription.isPulled(subscription) ? demandIfPulled : demand
        if demand > .none { subscription.request(demand) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        if !slot.isDone { emitter.send(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        if slot.finish() { emitter.send(completion: completion) }
    }
}
