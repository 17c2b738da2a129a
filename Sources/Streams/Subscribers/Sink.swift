extension Publisher {
    /// Calls one closure for each value and one for the completion, and requests everything.
    ///
    /// The closures run on the thread that the publisher delivers on. They are released at the end or on a cancel;
    /// letting go of the result cancels.
    ///
    /// - Parameters:
    ///   - receiveCompletion: A closure that is called with the completion.
    ///   - receiveValue: A closure that is called with each value.
    @preconcurrency
    @inlinable @inline(__always)
    public func sink(
        receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping @Sendable (Output) -> Void
    ) -> AnyCancellable {
        let slot = UpstreamSlot()
        receive(
            subscriber: ClosureSubscriber(
                slot: slot, receiveCompletion: receiveCompletion, receiveValue: receiveValue))
        return AnyCancellable(slot)
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure for each value, and requests everything.
    ///
    /// - Parameter receiveValue: A closure that is called with each value.
    @preconcurrency
    @inlinable @inline(__always)
    public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
        let slot = UpstreamSlot()
        receive(subscriber: ValueSubscriber(slot: slot, receiveValue: receiveValue))
        return AnyCancellable(slot)
    }
}

/// The subscriber under `sink`: a struct, owned by the publisher alone, so that the closures are released as soon as
/// the publisher releases it. What cancels it holds only the slot.
@frozen @usableFromInline
struct ClosureSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    @usableFromInline let slot: UpstreamSlot
    @usableFromInline let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
    @usableFromInline let receiveValue: @Sendable (Input) -> Void

    @inlinable @inline(__always)
    init(
        slot: UpstreamSlot,
        receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping @Sendable (Input) -> Void
    ) {
        self.slot = slot
        self.receiveCompletion = receiveCompletion
        self.receiveValue = receiveValue
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.receive(subscription) { subscription.request(.unlimited) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        if !slot.isDone { receiveValue(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        if slot.finish() { receiveCompletion(completion) }
    }
}

/// As `ClosureSubscriber`, for who wants no completion: each word fewer is one more that a chain keeps in registers.
@frozen @usableFromInline
struct ValueSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    @usableFromInline let slot: UpstreamSlot
    @usableFromInline let receiveValue: @Sendable (Input) -> Void

    @inlinable @inline(__always)
    init(slot: UpstreamSlot, receiveValue: @escaping @Sendable (Input) -> Void) {
        self.slot = slot
        self.receiveValue = receiveValue
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.receive(subscription) { subscription.request(.unlimited) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        if !slot.isDone { receiveValue(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        _ = slot.finish()
    }
}
