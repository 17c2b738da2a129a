/// Sends what it is given to whoever subscribes at the time.
///
///     send        1---2---3|
///     subscriber  1---2---3|
///
/// A value reaches the subscribers that have requested one, in the order in which they subscribed; for the others it is
/// dropped. Any thread may send; signals are delivered one at a time, by whichever thread was first. What a subscriber
/// sends from inside a value follows that value. Subscribing and cancelling take constant time.
public final class PassthroughSubject<Output: Sendable, Failure: Error>: Subject {
    @usableFromInline let core: SubjectCore<Output, Failure>

    /// A subject without subscribers.
    @inlinable
    public init() {
        core = SubjectCore()
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
        core.send(subscription: subscription)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        core.attach(AnySubscriber(subscriber))
    }
}
