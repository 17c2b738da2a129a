extension Publisher {
    /// Delivers a Boolean value that indicates whether all values satisfy a predicate: false as soon as one does not,
    /// true at the end.
    ///
    ///     upstream                 1---2--------3|
    ///     allSatisfy { $0 < 2 }    ----false|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    /// Cancels the upstream when it is decided.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func allSatisfy(
        _ predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.AllSatisfy<Self> {
        Publishers.AllSatisfy(upstream: self, predicate: predicate)
    }

    /// Delivers a Boolean value that indicates whether all values satisfy a predicate that may throw.
    ///
    ///     upstream                      1---2---3|
    ///     tryAllSatisfy, throws at 2    ----✕
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, or what
    /// the closure throws, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after
    /// the end.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryAllSatisfy(
        _ predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryAllSatisfy<Self> {
        Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// Delivers a Boolean value that indicates whether all values satisfy a predicate.
    public typealias AllSatisfy<Upstream: Publisher> = Folded<
        Upstream, Folds.Decision<Upstream.Output, NeverThrows<Upstream.Failure>, Folds.AllSatisfy>
    >
    /// Delivers a Boolean value that indicates whether all values satisfy a predicate that may throw.
    public typealias TryAllSatisfy<Upstream: Publisher> = Folded<
        Upstream, Folds.Decision<Upstream.Output, MayThrow<Upstream.Failure>, Folds.AllSatisfy>
    >
}

extension Folds {
    /// The rule of `allSatisfy`: true, unless a value does not satisfy the predicate.
    @frozen
    public enum AllSatisfy: Folds.DecisionRule {
        @inlinable @inline(__always)
        public static var undecided: Bool { true }
    }
}

extension Publishers.Folded {
    /// Creates a publisher that delivers whether all values satisfy a predicate.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Folds.Decision<Upstream.Output, Mode, Folds.AllSatisfy>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Folds.Decision(predicate: predicate))
    }
}
