/// The subscriber of the publisher whose values become publishers.
@frozen @usableFromInline
struct MergeOuter<Input: Sendable, Inner: Publisher, Downstream: Subscriber>: Subscriber
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
    @usableFromInline let core: MergeCore<Downstream>
    @usableFromInline let transform: @Sendable (Input) -> Inner

    @inlinable @inline(__always)
    init(core: MergeCore<Downstream>, transform: @escaping @Sendable (Input) -> Inner) {
        self.core = core
        self.transform = transform
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        core.start(subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        core.attach(transform(input))
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Inner.Failure>) {
        core.outerEnded(completion)
    }
}
