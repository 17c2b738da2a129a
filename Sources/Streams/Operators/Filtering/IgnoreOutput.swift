extension Publisher {
    /// Drops every value, and delivers only the completion.
    ///
    ///     upstream          1---2---3|
    ///     ignoreOutput()    ---------|
    ///
    /// Demand: requests everything from the upstream. Failure and thread are the upstream's.
    @inlinable @inline(__always)
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
        Publishers.IgnoreOutput(upstream: self, logic: Folds.Ignore())
    }
}

extension Publishers {
    /// Drops every value.
    public typealias IgnoreOutput<Upstream: Publisher> = Folded<
        Upstream, Folds.Ignore<Upstream.Output, Upstream.Failure>
    >
}

extension Folds {
    /// The logic of `ignoreOutput`.
    @frozen
    public struct Ignore<Input: Sendable, UpstreamFailure: Error>: ValueFold, Equatable {
        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Void) -> Folds.Step<UpstreamFailure> {
            .more
        }

        @inlinable @inline(__always)
        public func makeState() {}

        @inlinable @inline(__always)
        public func result(_ state: Void) -> Never? { nil }
    }
}

extension Publishers.Folded where Logic == Folds.Ignore<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that drops every value.
    ///
    /// - Parameter upstream: The upstream publisher.
    @inlinable @inline(__always)
    public init(upstream: Upstream) {
        self.init(upstream: upstream, logic: Folds.Ignore())
    }
}
