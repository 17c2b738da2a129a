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
        Publishers.ContainsWhere(upstream: self, logic: Folds.Decision(undecided: false, decides: predicate))
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
        Publishers.TryContainsWhere(upstream: self, logic: Folds.Decision(undecided: false, decides: predicate))
    }

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
        Publishers.AllSatisfy(upstream: self, logic: Folds.Decision(undecided: true) { !predicate($0) })
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
        Publishers.TryAllSatisfy(upstream: self, logic: Folds.Decision(undecided: true) { try !predicate($0) })
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
        contains { $0 == output }
    }
}

extension Publishers {
    /// Delivers a Boolean value that indicates whether some value satisfies a predicate.
    public typealias ContainsWhere<Upstream: Publisher> = Folded<
        Upstream, Folds.Decision<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Delivers a Boolean value that indicates whether some value satisfies a predicate that may throw.
    public typealias TryContainsWhere<Upstream: Publisher> = Folded<
        Upstream, Folds.Decision<Upstream.Output, MayThrow<Upstream.Failure>>
    >
    /// Delivers a Boolean value that indicates whether some value equals a given one.
    public typealias Contains<Upstream: Publisher> = ContainsWhere<Upstream>
    /// Delivers a Boolean value that indicates whether all values satisfy a predicate.
    public typealias AllSatisfy<Upstream: Publisher> = ContainsWhere<Upstream>
    /// Delivers a Boolean value that indicates whether all values satisfy a predicate that may throw.
    public typealias TryAllSatisfy<Upstream: Publisher> = TryContainsWhere<Upstream>
}

extension Folds {
    /// The logic of `contains` and `allSatisfy`: one value may overturn the answer that holds without it.
    @frozen
    public struct Decision<Input: Sendable, Mode: ThrowMode>: ThrowingFold {
        @inlinable @inline(__always)
        public static var endsEarly: Bool { true }

        public typealias Output = Bool

        @usableFromInline let undecided: Bool
        @usableFromInline let decides: @Sendable (Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(undecided: Bool, decides: @escaping @Sendable (Input) throws(Mode.Thrown) -> Bool) {
            self.undecided = undecided
            self.decides = decides
        }

        @inlinable @inline(__always)
        public func makeState() -> Bool { undecided }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Bool) throws(Mode.Thrown) -> Folds.Step<Mode.Failure> {
            guard try decides(input) else { return .more }
            state = !undecided
            return .done
        }
    }
}
