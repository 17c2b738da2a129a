/// Sends on what it receives through an emitter.
@frozen @usableFromInline
struct EmittingSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    @usableFromInline let emitter: Emitter<Input, Failure>
    @usableFromInline let slot: UpstreamSlot
    /// What is requested at once.
    @usableFromInline let demand: Subscribers.Demand

    @inlinable @inline(__always)
    init(emitter: Emitter<Input, Failure>, slot: UpstreamSlot, demand: Subscribers.Demand = .none) {
        self.emitter = emitter
        self.slot = slot
        self.demand = demand
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.receive(subscription), demand > .none { subscription.request(demand) }
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
