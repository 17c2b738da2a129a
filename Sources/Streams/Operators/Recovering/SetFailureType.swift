extension Publisher where Failure == Never {
    /// Changes the failure type of a publisher that cannot fail, so that it combines with those that can.
    ///
    ///     upstream                      1---2---3|
    ///     setFailureType(to: E.self)    1---2---3|
    ///
    /// Demand, cancellation and thread are the upstream's. Failure: none comes. Holds no state.
    ///
    /// - Parameter failureType: The failure type.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }
}

extension Publishers {
    /// Changes the failure type of a publisher that cannot fail.
    @frozen
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: DeliveringAsUpstream
    where Upstream.Failure == Never {
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that changes the failure type of one that cannot fail.
        ///
        /// - Parameter upstream: The upstream publisher.
        @inlinable @inline(__always)
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.receive(subscriber: InfallibleSubscriber(downstream: subscriber))
        }
    }
}

/// The subscriber of `setFailureType`.
@frozen @usableFromInline
struct InfallibleSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream

    @inlinable @inline(__always)
    init(downstream: Downstream) {
        self.downstream = downstream
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
    func receive(completion: Subscribers.Completion<Never>) {
        downstream.receive(completion: .finished)
    }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
