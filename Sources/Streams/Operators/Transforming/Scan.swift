extension Publisher {
    /// Combines each value with the result before it, and delivers each result.
    ///
    ///     upstream      1---2---3|
    ///     scan(0, +)    1---3---6|
    ///
    /// Demand, failure, cancellation and thread are the upstream's.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func scan<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }

    /// Combines each value with the result before it, by a closure that may throw.
    ///
    ///     upstream                1---2---3|
    ///     tryScan, throws at 3    1---3---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's, or what the closure throws, which cancels the
    /// upstream.
    ///
    /// - Parameters:
    ///   - initialResult: The result before the first value.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryScan<T: Sendable>(
        _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
    ) -> Publishers.TryScan<Self, T> {
        Publishers.TryScan(upstream: self, logic: Stages.Scan(initial: initialResult, next: nextPartialResult))
    }
}

extension Publishers {
    /// Combines each value with the result before it.
    @frozen
    public struct Scan<Upstream: Publisher, Output: Sendable>: FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The result before the first value.
        public let initialResult: Output
        /// The closure that combines the result so far with a value.
        public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

        /// Creates a publisher that combines each value with the result before it.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - initialResult: The result before the first value.
        ///   - nextPartialResult: A closure that combines the result so far with a value.
        @preconcurrency
        @inlinable @inline(__always)
        public init(
            upstream: Upstream, initialResult: Output,
            nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
            upstream.receive(
                subscriber: ScanningSubscriber(
                    downstream: subscriber, initialResult: initialResult, nextPartialResult: nextPartialResult))
        }
    }

    /// Combines each value with the result before it, by a closure that may throw.
    public typealias TryScan<Upstream: Publisher, Output: Sendable> = Staged<
        Upstream, Stages.Scan<Upstream.Output, Output, MayThrow<Upstream.Failure>>
    >
}

/// The subscriber of `scan`. A stage would carry the initial result along, for nothing: a chain is compiled to straight code while its
/// subscriber has six fields at most.
@frozen @usableFromInline
struct ScanningSubscriber<Input: Sendable, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let nextPartialResult: @Sendable (Downstream.Input, Input) -> Downstream.Input
    @usableFromInline let result: Serial<Downstream.Input>

    @inlinable @inline(__always)
    init(
        downstream: Downstream, initialResult: Downstream.Input,
        nextPartialResult: @escaping @Sendable (Downstream.Input, Input) -> Downstream.Input
    ) {
        self.downstream = downstream
        self.nextPartialResult = nextPartialResult
        result = Serial(initialResult)
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        result.value = nextPartialResult(result.value, input)
        return downstream.receive(result.value)
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        downstream.receive(completion: completion)
    }
}

extension Stages {
    /// The logic of `tryScan`.
    @frozen
    public struct Scan<Input: Sendable, Output: Sendable, Mode: ThrowMode>: ThrowingStage {
        @usableFromInline let initial: Output
        @usableFromInline let next: @Sendable (Output, Input) throws(Mode.Thrown) -> Output

        @inlinable @inline(__always)
        init(initial: Output, next: @escaping @Sendable (Output, Input) throws(Mode.Thrown) -> Output) {
            self.initial = initial
            self.next = next
        }

        @inlinable @inline(__always)
        public func makeState() -> Output { initial }

        @inlinable @inline(__always)
        public func attempt(_ input: Input, _ state: inout Output) throws(Mode.Thrown)
            -> Stages.Step<Output, Mode.Failure>
        {
            state = try next(state, input)
            return .next(state)
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that combines each value with the result before it, by a closure that may throw.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - initialResult: The result to begin with.
    ///   - nextPartialResult: A closure that combines the result so far with a value.
    @preconcurrency
    @inlinable @inline(__always)
    public init<T: Sendable, Mode: ThrowMode>(
        upstream: Upstream, initialResult: T,
        nextPartialResult: @escaping @Sendable (T, Upstream.Output) throws(Mode.Thrown) -> T
    ) where Logic == Stages.Scan<Upstream.Output, T, Mode>, Mode.UpstreamFailure == Upstream.Failure {
        self.init(upstream: upstream, logic: Stages.Scan(initial: initialResult, next: nextPartialResult))
    }
}
