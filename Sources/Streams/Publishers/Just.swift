/// A publisher that delivers one value and finishes.
///
///     Just(1)   1|
///
/// Demand: waits for a request. Delivers on the thread that requests. Never fails.
@frozen
public struct Just<Output: Sendable>: Publisher {
    public typealias Failure = Never

    /// The value.
    public let output: Output

    /// Creates a publisher of one value.
    ///
    /// - Parameter output: The value to deliver to every subscriber.
    @inlinable @inline(__always)
    public init(_ output: Output) {
        self.output = output
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        DrainedSubscription.deliver(CollectionOfOne(output).makeIterator(), to: subscriber)
    }
}

extension Just: Equatable where Output: Equatable {}
