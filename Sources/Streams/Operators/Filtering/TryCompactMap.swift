extension Publisher {
    /// Transforms each value with a closure that may throw, and drops those that become nil.
    ///
    ///     upstream                      1---x---3|
    ///     tryCompactMap, throws at x    1---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter transform: A closure that transforms a value, or returns nil to drop it.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryCompactMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T?
    ) -> Publishers.TryCompactMap<Self, T> {
        Publishers.TryCompactMap(upstream: self, logic: Stages.TryCompactMap(transform: transform))
    }
}

extension Publishers {
    /// Transforms each value with a closure that may throw, and drops those that become nil.
    public typealias TryCompactMap<Upstream: Publisher, Output: Sendable> = Staged<
        Upstream, Stages.TryCompactMap<Upstream.Output, Output, Upstream.Failure>
    >
}

extension Stages {
    /// The logic of `tryCompactMap`.
    @frozen
    public struct TryCompactMap<Input: Sendable, Output: Sendable, UpstreamFailure: Error>: ThrowingStage {
        public typealias Mode = MayThrow<UpstreamFailure>

        @usableFromInline let transform: @Sendable (Input) throws -> Output?

        @inlinable @inline(__always)
        init(transform: @escaping @Sendable (Input) throws -> Output?) {
            self.transform = transform
        }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Void) throws -> Stages.Step<Output, any Error> {
            try transform(input).map { .next($0) } ?? .skip
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that transforms each value with a closure that may throw.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public init<T: Sendable>(
        upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> T?
    ) where Logic == Stages.TryCompactMap<Upstream.Output, T, Upstream.Failure> {
        self.init(upstream: upstream, logic: Stages.TryCompactMap(transform: transform))
    }
}
