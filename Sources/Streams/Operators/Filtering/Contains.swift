extension Publisher {
    /// Delivers a Boolean value that indicates whether some value satisfies a predicate: true as soon as one does,
    /// false at the end.
    ///
    ///     upstream                    1---2-------3|
    ///     contains { $0 % 2 == 0 }    ----true|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    /// Cancels the upstream when it is decided.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func contains(
        where predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.ContainsWhere<Self> {
        Publishers.ContainsWhere(upstream: self, predicate: predicate)
    }

    /// Delivers a Boolean value that indicates whether some value satisfies a predicate that may throw.
    ///
    ///     upstream                            1---2---3|
    ///     tryContains(where:), throws at 2    ----✕
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, or what
    /// the closure throws, which cancels the upstream. Thread: the upstream's, or the requester's if it requests after
    /// the end.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryContains(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryContainsWhere<Self> {
        Publishers.TryContainsWhere(upstream: self, predicate: predicate)
    }
}

extension Publisher where Output: Equatable {
    /// Delivers a Boolean value that indicates whether some value equals a given one.
    ///
    ///     upstream       1---2-------3|
    ///     contains(2)    ----true|
    ///
    /// Demand: requests everything from the upstream; the result waits for a request. Failure: the upstream's, at once.
    /// Thread: the upstream's, or the requester's if it requests after the end.
    /// Cancels the upstream when it is decided.
    ///
    /// - Parameter output: The value to look for.
    @inlinable @inline(__always)
    public func contains(_ output: Output) -> Publishers.Contains<Self> {
        Publishers.Contains(upstream: self, output: output)
    }
}

extension Publishers {
    /// Delivers a Boolean value that indicates whether some value satisfies a predicate.
    public typealias ContainsWhere<Upstream: Publisher> = Folded<
        Upstream, Folds.Decision<Upstream.Output, NeverThrows<Upstream.Failure>, Folds.ContainsWhere>
    >
    /// Delivers a Boolean value that indicates whether some value satisfies a predicate that may throw.
    public typealias TryContainsWhere<Upstream: Publisher> = Folded<
        Upstream, Folds.Decision<Upstream.Output, MayThrow<Upstream.Failure>, Folds.ContainsWhere>
    >
    /// Delivers a Boolean value that indicates whether some value equals a given one.
    public typealias Contains<Upstream: Publisher> = Folded<
        Upstream, Folds.Contains<Upstream.Output, Upstream.Failure>
    > where Upstream.Output: Equatable
}

extension Folds {
    /// The rule of `contains(where:)`: false, unless a value satisfies the predicate.
    @frozen
    public enum ContainsWhere: Folds.DecisionRule {
        @inlinable @inline(__always)
        public static var undecided: Bool { false }
    }

    /// The logic of `contains(_:)`.
    @frozen
    public struct Contains<Input: Equatable & Sendable, UpstreamFailure: Error>: ValueFold, Equatable {
        @inlinable @inline(__always)
        public static var endsEarly: Bool { true }

        @usableFromInline let output: Input

        @inlinable @inline(__always)
        init(output: Input) {
            self.output = output
        }

        @inlinable @inline(__always)
        public func makeState() -> Bool { false }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Bool) -> Folds.Step<UpstreamFailure> {
            guard input == output else { return .more }
            state = true
            return .done
        }
    }
}

extension Publishers.Folded {
    /// Creates a publisher that delivers whether some value satisfies a predicate.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Mode.Thrown) -> Bool
    )
    where Logic == Folds.Decision<Upstream.Output, Mode, Folds.ContainsWhere>, Mode.UpstreamFailure == Upstream.Failure
    {
        self.init(upstream: upstream, logic: Folds.Decision(predicate: predicate))
    }
}

extension Publishers.Folded {
    /// Creates a publisher that delivers whether some value equals a given one.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - output: The value to look for.
    @inlinable @inline(__always)
    public init(upstream: Upstream, output: Upstream.Output)
    where Logic == Folds.Contains<Upstream.Output, Upstream.Failure>, Upstream.Output: Equatable {
        self.init(upstream: upstream, logic: Folds.Contains(output: output))
    }
}
