extension Publisher {
    /// Drops values until one fails a predicate, and delivers that one and all that follow.
    ///
    ///     upstream                1---3---2---5|
    ///     drop { $0 % 2 == 1 }    --------2---5|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func drop(
        while predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.DropWhile<Self> {
        Publishers.DropWhile(upstream: self, logic: Stages.DropWhile(predicate: predicate))
    }

    /// Drops values until one fails a predicate that may throw.
    ///
    ///     upstream                        1---3---2|
    ///     tryDrop(while:), throws at 3    ----✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryDrop(
        while predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryDropWhile<Self> {
        Publishers.TryDropWhile(upstream: self, logic: Stages.DropWhile(predicate: predicate))
    }
}

extension Publishers {
    /// Drops values until one fails a predicate.
    public typealias DropWhile<Upstream: Publisher> = Staged<
        Upstream, Stages.DropWhile<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Drops values until one fails a predicate that may throw.
    public typealias TryDropWhile<Upstream: Publisher> = Staged<
        Upstream, Stages.DropWhile<Upstream.Output, MayThrow<Upstream.Failure>>
    >
}

extension Stages {
    /// The logic of `drop(while:)`; its state says whether it still drops.
    @frozen
    public struct DropWhile<Input: Sendable, Mode: ThrowMode>: ThrowingStage {
        public typealias Output = Input

        @usableFromInline let predicate: @Sendable (Input) throws(Mode.Thrown) -> Bool

        @inlinable @inline(__always)
        init(predicate: @escaping @Sendable (Input) throws(Mode.Thrown) -> Bool) {
            self.predicate = predicate
        }

        @inlinable @inline(__always)
        public func makeState() -> Bool { true }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Bool) throws(Mode.Thrown) -> Stages.Step<Input, Mode.Failure>
        {
            if state, try predicate(input) { return .skip }
            state = false
            return .next(input)
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that drops values as long as they satisfy a predicate.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Stages.DropWhile<Upstream.Output, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Stages.DropWhile(predicate: predicate))
    }
}
