/// What receives a publisher's signals: one subscription, then values, then at most one completion.
///
/// The methods are called one at a time, each signal happening before the next, though not always on the same thread.
public protocol Subscriber<Input, Failure>: Sendable {
    /// What it accepts.
    associatedtype Input: Sendable
    /// How its publisher may fail; `Never` when it cannot.
    associatedtype Failure: Error

    /// The subscription has arrived: request values from it now or later, from any thread.
    func receive(subscription: any Subscription)

    /// A value has arrived.
    ///
    /// - Returns: How many more values are wanted, in addition to what has been requested before.
    func receive(_ input: Input) -> Subscribers.Demand

    /// The publisher has ended; nothing follows.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The namespace of the types that are subscribers, and of what they speak in.
public enum Subscribers {}

extension Subscriber where Input == Void {
    /// A void value has arrived.
    @inlinable @inline(__always)
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}
