extension Publisher {
    /// Delivers a value and finishes when this publisher fails.
    ///
    ///     upstream                 1-2-✕
    ///     replaceError(with: 9)    1-2-9|
    ///
    /// Demand: the value waits for a request. Failure: none any more. Thread: the upstream's, or that of the request.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        Publishers.ReplaceError(upstream: self, output: output)
    }
}

extension Publishers {
    /// Delivers a value and finishes when the upstream fails.
    @frozen
    public struct ReplaceError<Upstream: Publisher>: DeliveringAsUpstream {
        public typealias Failure = Never

        /// The upstream publisher.
        public let upstream: Upstream
        /// The value that is delivered when the upstream fails.
        public let output: Upstream.Output

        /// Creates a publisher that delivers a value when the upstream fails.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - output: The value to deliver.
        @inlinable @inline(__always)
        public init(upstream: Upstream, output: Upstream.Output) {
            self.upstream = upstream
            self.output = output
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Never {
            upstream.catch { [output] _ in Just(output) }.receive(subscriber: subscriber)
        }
    }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
