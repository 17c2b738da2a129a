/// A subject that delivers each value to the subscribers that have requested one, and remembers nothing.
///
///     send         1---2---3|
///     subscriber     --2---3|
///
/// Demand: a value is dropped for a subscriber that has requested none; upstreams are asked for everything once some
/// subscriber has requested something. Failure: what is sent; later subscribers get the same completion. Cancellation
/// takes constant time and releases the subscriber. Thread: the sender's; values sent during a delivery, from inside
/// it or from another thread, are delivered by the thread that delivers already. Subscribers are served in the order
/// of subscription, and get no value that was sent before `receive(subscription:)` has returned.
public final class PassthroughSubject<Output: Sendable, Failure: Error>: Subject {
    @usableFromInline let core = SubjectCore<Output, Failure>()

    /// Creates a subject without subscribers.
    @inlinable
    public init() {}

    deinit {
        core.depart()
    }

    @inlinable @inline(__always)
    public func send(_ value: Output) {
        core.send(value)
    }

    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        core.send(completion: completion)
    }

    @inlinable
    public func send(subscription: any Subscription) {
        core.receive(upstream: subscription)
    }

    /// A Boolean value that indicates whether the subject has a subscriber.
    public var hasSubscribers: Bool { core.hasSubscribers }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: consuming AnySubscriber<Output, Failure>) {
        core.attach(subscriber)
    }
}
