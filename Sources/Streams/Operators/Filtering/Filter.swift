extension Publisher {
    /// Delivers the values that satisfy a predicate.
    ///
    ///     upstream                  1---2---3---4|
    ///     filter { $0 % 2 == 0 }    ----2-------4|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's. Holds no state.
    ///
    /// - Parameter isIncluded: A closure that returns whether to deliver a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }
}

extension Publishers {
    /// Delivers the values that satisfy a predicate.
    @frozen
    public struct Filter<Upstream: Publisher>: DeliveringAsUpstream, FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that decides whether a value is delivered.
        public let isIncluded: @Sendable (Upstream.Output) -> Bool

        /// Creates a publisher that delivers the values that satisfy a predicate.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - isIncluded: A closure that returns whether to deliver a value.
        @preconcurrency
        @inlinable @inline(__always)
        public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
            upstream.receive(subscriber: FilteringSubscriber(downstream: subscriber, isIncluded: isIncluded))
        }
    }
}

/// The subscriber of `filter`.
@frozen @usableFromInline
struct FilteringSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let isIncluded: @Sendable (Downstream.Input) -> Bool

    @inlinable @inline(__always)
    init(downstream: Downstream, isIncluded: @escaping @Sendable (Downstream.Input) -> Bool) {
        self.downstream = downstream
        self.isIncluded = isIncluded
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        isIncluded(input) ? downstream.receive(input) : .max(1)
    }

    @inlinable @inline(never)
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        downstream.receive(completion: completion)
    }
}
