extension Publisher {
    /// Delivers values while they satisfy a predicate, then finishes.
    ///
    ///     upstream                 1---2---3---1|
    ///     prefix { $0 < 3 }        1---2---|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes.
    @inlinable @inline(__always)
    public func prefix(
        while predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.PrefixWhile<Self> {
        Publishers.PrefixWhile(upstream: self, logic: PrefixWhileStage(predicate: predicate))
    }

    /// Delivers values while they satisfy a predicate that may throw, then finishes.
    ///
    ///     upstream                      1---2---3|
    ///     tryPrefix(while:), throws     1---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    @inlinable @inline(__always)
    public func tryPrefix(
        while predicate: @escaping @Sendable (Output) throws -> Bool
    ) -> Publishers.TryPrefixWhile<Self> {
        Publishers.TryPrefixWhile(upstream: self, logic: TryPrefixWhileStage(predicate: predicate))
    }
}

extension Publishers {
    /// Delivers values while they satisfy a predicate, then finishes.
    public typealias PrefixWhile<Upstream: Publisher> = Staged<
        Upstream, PrefixWhileStage<Upstream.Output, Upstream.Failure>
    >
    /// Delivers values while they satisfy a predicate that may throw, then finishes.
    public typealias TryPrefixWhile<Upstream: Publisher> = Staged<
        Upstream, TryPrefixWhileStage<Upstream.Output, Upstream.Failure>
    >
}

/// The logic of `prefix(while:)`.
@frozen
public struct PrefixWhileStage<Input: Sendable, UpstreamFailure: Error>: ValueStage {
    @usableFromInline let predicate: @Sendable (Input) -> Bool

    @inlinable @inline(__always)
    init(predicate: @escaping @Sendable (Input) -> Bool) {
        self.predicate = predicate
    }

    @inlinable @inline(__always)
    public static var endsEarly: Bool { true }

    @inlinable @inline(__always)
    public func receive(_ input: Input, _ state: inout Void) -> StageStep<Input, UpstreamFailure> {
        predicate(input) ? .next(input) : .finish
    }
}

/// The logic of `tryPrefix(while:)`.
@frozen
public struct TryPrefixWhileStage<Input: Sendable, UpstreamFailure: Error>: ThrowingStage {
    public typealias Output = Input

    @usableFromInline let predicate: @Sendable (Input) throws -> Bool

    @inlinable @inline(__always)
    init(predicate: @escaping @Sendable (Input) throws -> Bool) {
        self.predicate = predicate
    }

    @inlinable @inline(__always)
    public func attempt(_ input: Input, _ state: inout Void) throws -> StageStep<Input, any Error> {
        try predicate(input) ? .next(input) : .finish
    }
}
