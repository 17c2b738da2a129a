/// The subscriber under a `sink` right behind `subscribe(on:)`.
///
/// Each of the two needs a slot; they share one. Its request goes straight to the upstream, as it is made on the
/// scheduler's turn.
@frozen @usableFromInline
struct HoppingSink<Input: Sendable, Failure: Error>: Subscriber {
    @usableFromInline let slot: HoppingSlot
    @usableFromInline let closures: Closures

    /// What it calls. In a value of its own: bare closures that a generic class keeps are wrapped once more each.
    @frozen @usableFromInline
    struct Closures: Sendable {
        @usableFromInline let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
        @usableFromInline let receiveValue: @Sendable (Input) -> Void

        @inlinable @inline(__always)
        init(
            _ receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?,
            _ receiveValue: @escaping @Sendable (Input) -> Void
        ) {
            self.receiveCompletion = receiveCompletion
            self.receiveValue = receiveValue
        }
    }

    @inlinable @inline(__always)
    init(slot: HoppingSlot, closures: Closures) {
        self.slot = slot
        self.closures = closures
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.receive(subscription) { subscription.request(.unlimited) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        if !slot.isDone { closures.receiveValue(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        if slot.finishHopping() { closures.receiveCompletion?(completion) }
    }
}
