/// A receiver of a publisher's signals: one subscription, then values, then at most one completion.
///
/// The methods are called one at a time, each signal happening before the next, though not always on the same thread.
public protocol Subscriber<Input, Failure>: Sendable, CustomCombineIdentifierConvertible {
    /// The type of the values that the subscriber accepts.
    associatedtype Input: Sendable
    /// The type of the errors that its publisher may fail with; `Never` when it cannot fail.
    associatedtype Failure: Error

    /// Receives the subscription; the subscriber requests values from it now or later, from any thread.
    ///
    /// - Parameter subscription: The subscription.
    func receive(subscription: any Subscription)

    /// Receives a value.
    ///
    /// - Parameter input: The value.
    /// - Returns: The number of further values that are requested, in addition to the requests before.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Receives the end of the stream; nothing follows.
    ///
    /// - Parameter completion: The completion.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The namespace of the types that are subscribers, and of their demand and completion types.
public enum Subscribers {}

extension Subscriber {
    /// A new identifier each time: a structure that needs one to keep stores it in a property of this name.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier() }
}

extension Subscriber where Self: AnyObject {
    /// The identifier of the object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

extension Subscriber where Input == Void {
    /// Receives a void value.
    @inlinable @inline(__always)
    public func receive() -> Subscribers.Demand {
        receive(())
    }
}
