/// A value that delivers a sequence of elements to each subscriber that asks for them.
///
/// The contract (Reactive Streams, rules 1.1 to 1.9): a subscriber gets its subscription first, then at most as many
/// values as it has requested, one after the other, then at most one completion, then nothing.
///
/// Publishers are values: subscribing twice starts the work twice, unless the publisher says that it is shared.
public protocol Publisher<Output, Failure>: Sendable {
    /// The type of the values that the publisher delivers.
    associatedtype Output: Sendable
    /// The type of the errors that the publisher can fail with; `Never` when it cannot fail.
    associatedtype Failure: Error

    /// Attaches a subscriber. Call `subscribe(_:)` instead; this is what a publisher implements.
    ///
    /// Mark the implementation `@inlinable @inline(__always)`: a link that the client's compiler cannot see makes the
    /// whole chain about a hundred times slower.
    ///
    /// - Parameter subscriber: The subscriber.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// The namespace of the types that are publishers and operators.
public enum Publishers {}

extension Publisher {
    /// Attaches a subscriber, which gets its subscription before anything else.
    ///
    /// - Parameter subscriber: The subscriber.
    @inlinable @inline(__always)
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }
}
