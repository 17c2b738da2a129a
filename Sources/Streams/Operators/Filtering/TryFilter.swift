extension Publisher {
    /// Delivers the values that satisfy a predicate that may throw.
    ///
    ///     upstream                  1---2---3|
    ///     tryFilter, throws at 3    1---2---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter isIncluded: A closure that returns whether to deliver a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryFilter(
        _ isIncluded: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryFilter<Self> {
        Publishers.TryFilter(upstream: self, logic: Stages.TryFilter(isIncluded: isIncluded))
    }
}

extension Publishers {
    /// Delivers the values that satisfy a predicate that may throw.
    public typealias TryFilter<Upstream: Publisher> = Staged<
        Upstream, Stages.TryFilter<Upstream.Output, Upstream.Failure>
    >
}

extension Stages {
    /// The logic of `tryFilter`.
    @frozen
    public struct TryFilter<Input: Sendable, UpstreamFailure: Error>: ThrowingStage {
        public typealias Mode = MayThrow<UpstreamFailure>
        public typealias Output = Input

        @usableFromInline let isIncluded: @Sendable (Input) throws -> Bool

        @inlinable @inline(__always)
        init(isIncluded: @escaping @Sendable (Input) throws -> Bool) {
            self.isIncluded = isIncluded
        }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Void) throws -> Stages.Step<Input, any Error> {
            try isIncluded(input) ? .next(input) : .skip
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that delivers the values that satisfy a predicate that may throw.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - isIncluded: A closure that returns whether to deliver a value.
    @preconcurrency
    @inlinable @inline(__always)
    public init(
        upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) throws -> Bool
    ) where Logic == Stages.TryFilter<Upstream.Output, Upstream.Failure> {
        self.init(upstream: upstream, logic: Stages.TryFilter(isIncluded: isIncluded))
    }
}
