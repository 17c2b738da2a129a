extension Publisher {
    /// Transforms the failure.
    ///
    ///     upstream              1---2---✕
    ///     mapError { b($0) }    1---2---✕
    ///
    /// Demand, cancellation and thread are the upstream's. Holds no state.
    ///
    /// - Parameter transform: A closure that transforms the failure.
    @preconcurrency
    @inlinable @inline(__always)
    public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform: transform)
    }
}

extension Publishers {
    /// Transforms the failure.
    @frozen
    public struct MapError<Upstream: Publisher, Failure: Error>: DeliveringAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms the upstream's failure.
        public let transform: @Sendable (Upstream.Failure) -> Failure

        /// Creates a publisher that transforms the upstream's failure.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - transform: A closure that transforms the failure.
        @preconcurrency
        @inlinable @inline(__always)
        public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        /// Creates a publisher that transforms the failure.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - map: A closure that transforms the failure.
        @preconcurrency
        @_disfavoredOverload
        @inlinable @inline(__always)
        public init(upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure) {
            self.init(upstream: upstream, transform: map)
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.receive(subscriber: ErrorMappingSubscriber(downstream: subscriber, transform: transform))
        }
    }
}

/// The subscriber of `mapError`.
@frozen @usableFromInline
struct ErrorMappingSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Failure) -> Downstream.Failure

    @inlinable @inline(__always)
    init(downstream: Downstream, transform: @escaping @Sendable (Failure) -> Downstream.Failure) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        downstream.receive(input)
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion.mapFailure(transform))
    }
}
