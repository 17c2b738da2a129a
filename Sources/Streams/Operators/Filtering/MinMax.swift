extension Publisher {
    /// Delivers the least value when the upstream finishes, by an order; the first of equal ones.
    ///
    ///     upstream           3---1---2|
    ///     min { $0 < $1 }    ---------1|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable @inline(__always)
    public func min(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> {
        Publishers.Comparison(upstream: self, logic: Folds.Comparison(replaces: areInIncreasingOrder))
    }

    /// Delivers the greatest value when the upstream finishes, by an order; the first of equal ones.
    ///
    ///     upstream           3---1---2|
    ///     max { $0 < $1 }    ---------3|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable @inline(__always)
    public func max(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.Comparison<Self> {
        Publishers.Comparison(upstream: self, logic: Folds.Comparison { areInIncreasingOrder($1, $0) })
    }

    /// Delivers the least value, by an order that may throw.
    ///
    ///     upstream               3---1---2|
    ///     tryMin, throws at 1    ----✕
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, or what
    /// the closure throws, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after
    /// the end.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> {
        Publishers.TryComparison(upstream: self, logic: Folds.Comparison(replaces: areInIncreasingOrder))
    }

    /// Delivers the greatest value, by an order that may throw.
    ///
    ///     upstream               3---1---2|
    ///     tryMax, throws at 1    ----✕
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, or what
    /// the closure throws, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after
    /// the end.
    ///
    /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument comes before its second.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> {
        Publishers.TryComparison(upstream: self, logic: Folds.Comparison { try areInIncreasingOrder($1, $0) })
    }
}

extension Publisher where Output: Comparable {
    /// Delivers the least value when the upstream finishes.
    ///
    ///     upstream    3---1---2|
    ///     min()       ---------1|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    @inlinable @inline(__always)
    public func min() -> Publishers.Comparison<Self> {
        min { $0 < $1 }
    }

    /// Delivers the greatest value when the upstream finishes.
    ///
    ///     upstream    3---1---2|
    ///     max()       ---------3|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    @inlinable @inline(__always)
    public func max() -> Publishers.Comparison<Self> {
        max { $0 < $1 }
    }
}

extension Publishers {
    /// Delivers the least or the greatest value.
    public typealias Comparison<Upstream: Publisher> = Folded<
        Upstream, Folds.Comparison<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Delivers the least or the greatest value, by an order that may throw.
    public typealias TryComparison<Upstream: Publisher> = Folded<
        Upstream, Folds.Comparison<Upstream.Output, MayThrow<Upstream.Failure>>
    >
}

extension Folds {
    /// The logic of `min` and `max`: it decides whether a value replaces the one that was kept.
    @frozen
    public struct Comparison<Input: Sendable, Mode: ThrowMode>: ThrowingFold {
        public typealias Output = Input

        @usableFromInline let replaces: @Sendable (_ new: Input, _ kept: Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(replaces: @escaping @Sendable (_ new: Input, _ kept: Input) throws(Mode.Thrown) -> Bool) {
            self.replaces = replaces
        }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Input?) throws(Mode.Thrown) -> Folds.Step<Mode.Failure> {
            if let kept = state, try !replaces(input, kept) { return .more }
            state = input
            return .more
        }

        @inlinable @inline(__always)
        public func makeState() -> Input? { nil }

        @inlinable @inline(__always)
        public func result(_ state: Input?) -> Input? { state }
    }
}

extension Publishers.Folded {
    /// Creates a publisher that delivers the greatest value.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - areInIncreasingOrder: A closure that returns whether its first argument is ordered before its second.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream,
        areInIncreasingOrder: @escaping @Sendable (Upstream.Output, Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Folds.Comparison<Upstream.Output, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(
            upstream: upstream,
            logic: Folds.Comparison { new, kept throws(Mode.Thrown) in try areInIncreasingOrder(kept, new) })
    }
}
