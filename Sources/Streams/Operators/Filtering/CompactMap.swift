extension Publisher {
    /// Transforms each value, and drops those that become nil.
    ///
    ///     upstream                1---x---3|
    ///     compactMap(Int.init)    1-------3|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's. Holds no state.
    ///
    /// - Parameter transform: A closure that transforms a value, or returns nil to drop it.
    @preconcurrency
    @inlinable @inline(__always)
    public func compactMap<T: Sendable>(
        _ transform: @escaping @Sendable (Output) -> T?
    ) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }
}

extension Publishers {
    /// Transforms each value, and drops those that become nil.
    @frozen
    public struct CompactMap<Upstream: Publisher, Output: Sendable>: FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms a value; nil drops it.
        public let transform: @Sendable (Upstream.Output) -> Output?

        /// Creates a publisher that transforms each value, and drops those that become nil.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - transform: A closure that transforms a value, or returns nil to drop it.
        @preconcurrency
        @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Upstream.Failure {
            upstream.receive(subscriber: CompactMappingSubscriber(downstream: subscriber, transform: transform))
        }
    }
}

/// The subscriber of `compactMap`.
@frozen @usableFromInline
struct CompactMappingSubscriber<Input: Sendable, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input?

    @inlinable @inline(__always)
    init(downstream: Downstream, transform: @escaping @Sendable (Input) -> Downstream.Input?) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        guard let output = transform(input) else { return .max(1) }
        return downstream.receive(output)
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        downstream.receive(completion: completion)
    }
}
