extension Publisher {
    /// Transforms each value with a closure that may throw.
    ///
    ///     upstream               1----2---3|
    ///     tryMap, throws at 2    10---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameter transform: A closure that transforms a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) throws -> T
    ) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, logic: Stages.TryMap(transform: transform))
    }
}

extension Publishers {
    /// Transforms each value with a closure that may throw.
    public typealias TryMap<Upstream: Publisher, Output: Sendable> = Staged<
        Upstream, Stages.TryMap<Upstream.Output, Output, Upstream.Failure>
    >
}

extension Stages {
    /// The logic of `tryMap`.
    @frozen
    public struct TryMap<Input: Sendable, Output: Sendable, UpstreamFailure: Error>: ThrowingStage {
        public typealias Mode = MayThrow<UpstreamFailure>

        @usableFromInline let transform: @Sendable (Input) throws -> Output

        @inlinable @inline(__always)
        init(transform: @escaping @Sendable (Input) throws -> Output) {
            self.transform = transform
        }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Void) throws -> Stages.Step<Output, any Error> {
            .next(try transform(input))
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
        upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> T
    ) where Logic == Stages.TryMap<Upstream.Output, T, Upstream.Failure> {
        self.init(upstream: upstream, logic: Stages.TryMap(transform: transform))
    }
}
