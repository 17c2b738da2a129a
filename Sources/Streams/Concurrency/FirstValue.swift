/// An error that is thrown when a publisher finishes without a value where one is needed.
public struct NoValue: Error, Hashable {
    /// Creates the error for a publisher that has finished without a value.
    @inlinable
    public init() {}
}

extension Publisher {
    /// The first value; the upstream is cancelled once it has arrived.
    ///
    /// Requests one value. Throws the publisher's failure, `NoValue` when it finishes without a value, and
    /// `CancellationError` when the task is cancelled, which cancels the upstream.
    @_disfavoredOverload
    public var firstValue: Output {
        get async throws {
            var iterator = values.makeAsyncIterator()
            if let value = try await iterator.next(isolation: nil) { return value }
            try Task.checkCancellation()
            throw NoValue()
        }
    }
}
