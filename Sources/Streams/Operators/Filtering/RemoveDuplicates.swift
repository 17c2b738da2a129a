extension Publisher {
    /// Drops consecutive duplicates, compared by a predicate.
    ///
    ///     upstream                         1-1-2-2-1|
    ///     removeDuplicates { $0 == $1 }    1---2---1|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's.
    ///
    /// - Parameter predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable @inline(__always)
    public func removeDuplicates(
        by predicate: @escaping @Sendable (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, logic: Stages.RemoveDuplicates(areEqual: predicate))
    }

    /// Drops consecutive duplicates, compared by a predicate that may throw.
    ///
    ///     upstream                            1-1-2-2-1|
    ///     tryRemoveDuplicates, throws at 2    1---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryRemoveDuplicates(
        by predicate: @escaping @Sendable (Output, Output) throws -> Bool
    ) -> Publishers.TryRemoveDuplicates<Self> {
        Publishers.TryRemoveDuplicates(upstream: self, logic: Stages.RemoveDuplicates(areEqual: predicate))
    }
}

extension Publisher where Output: Equatable {
    /// Drops consecutive duplicates: values that equal the one before them.
    ///
    ///     upstream              1-1-2-2-1|
    ///     removeDuplicates()    1---2---1|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's.
    @inlinable @inline(__always)
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
        removeDuplicates { $0 == $1 }
    }
}

extension Publishers {
    /// Drops consecutive duplicates: values that equal the one before them.
    public typealias RemoveDuplicates<Upstream: Publisher> = Staged<
        Upstream, Stages.RemoveDuplicates<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Drops consecutive duplicates, compared by a predicate that may throw.
    public typealias TryRemoveDuplicates<Upstream: Publisher> = Staged<
        Upstream, Stages.RemoveDuplicates<Upstream.Output, MayThrow<Upstream.Failure>>
    >
}

extension Stages {
    /// The logic of `removeDuplicates`.
    @frozen
    public struct RemoveDuplicates<Input: Sendable, Mode: ThrowMode>: ThrowingStage {
        public typealias Output = Input

        @usableFromInline let areEqual: @Sendable (Input, Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(areEqual: @escaping @Sendable (Input, Input) throws(Mode.Thrown) -> Bool) {
            self.areEqual = areEqual
        }

        @inlinable @inline(__always)
        public func makeState() -> Input? { nil }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Input?) throws(Mode.Thrown)
            -> Stages.Step<Input, Mode.Failure>
        {
            if let last = state, try areEqual(last, input) { return .skip }
            state = input
            return .next(input)
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that drops values that equal the one before.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether two values are equal.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream,
        predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Stages.RemoveDuplicates<Upstream.Output, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Stages.RemoveDuplicates(areEqual: predicate))
    }
}
