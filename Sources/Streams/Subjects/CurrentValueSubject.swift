import Synchronization

/// Keeps its newest value, and delivers it to whoever subscribes, then what follows.
///
///     send            1---2------3|
///     late subscriber      (2)---3|
///
/// A subscriber that has not requested gets the newest value when it does; those in between are lost to it. Any thread
/// may send; signals are delivered one at a time. What a subscriber sends from inside a value follows that value.
public final class CurrentValueSubject<Output: Sendable, Failure: Error>: Subject {
    @usableFromInline let core: SubjectCore<Output, Failure>
    @usableFromInline let initial: Output

    /// A subject whose newest value is this.
    @inlinable
    public init(_ value: Output) {
        core = SubjectCore(newest: value)
        initial = value
    }

    /// The newest value. Setting it sends it.
    @inlinable
    public var value: Output {
        get { core.state.withLock { $0.newest } ?? initial }
        set { send(newValue) }
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
