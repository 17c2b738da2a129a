extension Publisher {
    /// Delivers the first value, then finishes; finishes empty if the upstream does.
    ///
    ///     upstream    1----2---3|
    ///     first()     1|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes.
    @inlinable @inline(__always)
    public func first() -> Publishers.First<Self> {
        prefix(1)
    }

    /// Delivers the first value that satisfies a predicate, then finishes.
    ///
    ///     upstream                 1---2----3---4|
    ///     first { $0 % 2 == 0 }    ----2|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func first(
        where predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, logic: Stages.FirstWhere(predicate: predicate))
    }

    /// Delivers the first value that satisfies a predicate that may throw, then finishes.
    ///
    ///     upstream                         1---2---3|
    ///     tryFirst(where:), throws at 2    ----✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryFirst(
        where predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryFirstWhere<Self> {
        Publishers.TryFirstWhere(upstream: self, logic: Stages.FirstWhere(predicate: predicate))
    }
}

extension Publishers {
    /// Delivers the first value, then finishes.
    public typealias First<Upstream: Publisher> = Output<Upstream>
    /// Delivers the first value that satisfies a predicate, then finishes.
    public typealias FirstWhere<Upstream: Publisher> = Staged<
        Upstream, Stages.FirstWhere<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Delivers the first value that satisfies a predicate that may throw, then finishes.
    public typealias TryFirstWhere<Upstream: Publisher> = Staged<
        Upstream, Stages.FirstWhere<Upstream.Output, MayThrow<Upstream.Failure>>
    >
}

extension Stages {
    /// The logic of `first(where:)`.
    @frozen
    public struct FirstWhere<Input: Sendable, Mode: ThrowMode>: ThrowingStage {
        @inlinable @inline(__always)
        public static var endsEarly: Bool { true }

        public typealias Output = Input

        @usableFromInline let predicate: @Sendable (Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(predicate: @escaping @Sendable (Input) throws(Mode.Thrown) -> Bool) {
            self.predicate = predicate
        }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Void) throws(Mode.Thrown) -> Stages.Step<Input, Mode.Failure>
        {
            try predicate(input) ? .last(input) : .skip
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that delivers the first value that satisfies a predicate.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Stages.FirstWhere<Upstream.Output, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Stages.FirstWhere(predicate: predicate))
    }
}

extension Publishers.Staged where Logic == Stages.Output<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that delivers the first value, then finishes.
    ///
    /// - Parameter upstream: The upstream publisher.
    @inlinable @inline(__always)
    public init(upstream: Upstream) {
        self.init(upstream: upstream, logic: Stages.Output(range: 0..<1))
    }
}
