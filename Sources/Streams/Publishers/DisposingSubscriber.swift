/// Passes everything on and disposes of something behind the completion.
@frozen @usableFromInline
struct DisposingSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let downstream: Downstream
    @usableFromInline let disposal: Disposable

    @inlinable
    init(downstream: Downstream, disposal: Disposable) {
        self.downstream = downstream
        self.disposal = disposal
    }

    @inlinable
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        downstream.receive(input)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion)
        disposal.cancel()
    }
}
