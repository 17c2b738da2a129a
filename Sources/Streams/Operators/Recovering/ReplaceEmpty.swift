extension Publisher {
    /// Delivers a value when this publisher finishes without one.
    ///
    ///     upstream                 -----|
    ///     replaceEmpty(with: 9)    -----9|
    ///
    /// Demand: the value waits for a request. Failure and thread are the upstream's.
    ///
    /// - Parameter output: The value to deliver.
    @inlinable @inline(__always)
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        Publishers.ReplaceEmpty(upstream: self, output: output)
    }
}

extension Publishers {
    /// Delivers a value when the upstream finishes without one.
    @frozen
    public struct ReplaceEmpty<Upstream: Publisher>: DeliveringAsUpstream, FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The value that is delivered when the upstream finishes without one.
        public let output: Upstream.Output

        /// Creates a publisher that delivers a value when the upstream finishes without one.
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
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
            upstream.switchIfEmpty(Publishers.Sequence(sequence: CollectionOfOne(output)))
                .receive(subscriber: subscriber)
        }
    }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
