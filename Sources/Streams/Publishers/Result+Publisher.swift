extension Result where Success: Sendable {
    /// Delivers the value and finishes, or fails.
    public var publisher: Publisher {
        @inlinable @inline(__always) get { Publisher(self) }
    }

    /// A publisher that delivers a value and finishes, or fails.
    ///
    ///     Result.success(1).publisher   1|
    ///     Result.failure(e).publisher   ✕
    ///
    /// Demand: the value waits for a request, a failure does not. Delivers on the thread that requests.
    @frozen
    public struct Publisher: Streams.Publisher {
        public typealias Output = Success

        /// The result.
        public let result: Result

        /// Creates a publisher that delivers a result's value and finishes, or fails with its failure.
        ///
        /// - Parameter result: The result to deliver.
        @inlinable @inline(__always)
        public init(_ result: Result) {
            self.result = result
        }

        /// Creates a publisher that delivers a value.
        ///
        /// - Parameter output: The value to deliver.
        @inlinable @inline(__always)
        public init(_ output: Success) {
            self.init(.success(output))
        }

        /// Creates a publisher that fails.
        ///
        /// - Parameter failure: The failure.
        @inlinable @inline(__always)
        public init(_ failure: Failure) {
            self.init(.failure(failure))
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
            switch result {
            case .success(let value):
                DrainedSubscription.deliver(CollectionOfOne(value).makeIterator(), to: subscriber)
            case .failure(let failure): Fail(error: failure).receive(subscriber: subscriber)
            }
        }
    }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
