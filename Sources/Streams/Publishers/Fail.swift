/// A publisher that fails at once.
///
///     Fail(error: e)   ✕
///
/// Demand: none needed; a completion waits for no request.
@frozen
public struct Fail<Output: Sendable, Failure: Error>: Publisher {
    /// The error that the publisher fails with.
    public let error: Failure

    /// Creates a failing publisher.
    ///
    /// - Parameter error: The error to fail with.
    @inlinable @inline(__always)
    public init(error: Failure) {
        self.error = error
    }

    /// Creates a failing publisher, with its output type named in the call.
    ///
    /// - Parameters:
    ///   - outputType: The type of the values, of which there are none.
    ///   - failure: The error to fail with.
    @inlinable @inline(__always)
    public init(outputType: Output.Type, failure: Failure) {
        self.init(error: failure)
    }

    @inlinable @inline(never)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscription = CancelFlag()
        subscriber.receive(subscription: subscription)
        if !subscription.isCancelled { subscriber.receive(completion: .failure(error)) }
    }
}

extension Fail: Equatable where Failure: Equatable {}
