extension Publisher {
    /// Delivers values while they satisfy a predicate, then finishes.
    ///
    ///     upstream             1---2---3---1|
    ///     prefix { $0 < 3 }    1---2---|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func prefix(
        while predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.PrefixWhile<Self> {
        Publishers.PrefixWhile(upstream: self, logic: Stages.PrefixWhile(predicate: predicate))
    }

    /// Delivers values while they satisfy a predicate that may throw, then finishes.
    ///
    ///     upstream                          1---2---3|
    ///     tryPrefix(while:), throws at 2    1---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryPrefixWhile<Self> {
        Publishers.TryPrefixWhile(upstream: self, logic: Stages.PrefixWhile(predicate: predicate))
    }
}

extension Publishers {
    /// Delivers values while they satisfy a predicate, then finishes.
    public typealias PrefixWhile<Upstream: Publisher> = Staged<
        Upstream, Stages.PrefixWhile<Upstream.Output, NeverThrows<Upstream.Failure>>
    >
    /// Delivers values while they satisfy a predicate that may throw, then finishes.
    public typealias TryPrefixWhile<Upstream: Publisher> = Staged<
        Upstream, Stages.PrefixWhile<Upstream.Output, MayThrow<Upstream.Failure>>
    >
}

extension Stages {
    /// The logic of `prefix(while:)`.
    @frozen
    public struct PrefixWhile<Input: Sendable, Mode: ThrowMode>: ThrowingStage {
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
            try predicate(input) ? .next(input) : .finish
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that delivers values as long as they satisfy a predicate, then finishes.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - predicate: A closure that returns whether a value satisfies the condition.
    @preconcurrency
    @inlinable @inline(__always)
    public init<Mode: ThrowMode>(
        upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws(Mode.Thrown) -> Bool
    ) where Logic == Stages.PrefixWhile<Upstream.Output, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Stages.PrefixWhile(predicate: predicate))
    }
}
