/// A publisher that delivers no value: it finishes at once, or never ends.
///
///     Empty()                             |
///     Empty(completeImmediately: false)   -----
///
/// Demand: none needed; a completion waits for no request.
@frozen
public struct Empty<Output: Sendable, Failure: Error>: Publisher, Equatable {
    /// A Boolean value that indicates whether the publisher finishes at once; if not, it never ends.
    public let completeImmediately: Bool

    /// Creates an empty publisher.
    ///
    /// - Parameter completeImmediately: A Boolean value that determines whether the publisher finishes at once (the
    ///   default) or never ends.
    @inlinable @inline(__always)
    public init(completeImmediately: Bool = true) {
        self.completeImmediately = completeImmediately
    }

    /// Creates an empty publisher, with its types named in the call.
    ///
    /// - Parameters:
    ///   - completeImmediately: A Boolean value that determines whether the publisher finishes at once (the default) or
    ///     never ends.
    ///   - outputType: The type of the values, of which there are none.
    ///   - failureType: The type of the failures, of which there are none.
    @inlinable @inline(__always)
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.init(completeImmediately: completeImmediately)
    }

    @inlinable @inline(never)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = CancelFlag()
        subscriber.receive(subscription: subscription)
        if completeImmediately, !subscription.isCancelled { subscriber.receive(completion: .finished) }
    }
}
