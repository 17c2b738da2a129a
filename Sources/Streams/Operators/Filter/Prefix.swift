extension Publisher {
    /// Delivers the first values, then finishes and cancels the upstream.
    ///
    ///     upstream    1---2---3---4|
    ///     prefix(2)   1---2|
    ///
    /// Demand is the upstream's. Failure and thread are the upstream's. The upstream is cancelled before the completion
    /// is delivered. `prefix(0)` finishes at once.
    @inlinable @inline(__always)
    public func prefix(_ maxLength: Int) -> Publishers.Prefix<Self> {
        Publishers.Prefix(upstream: self, maxLength: maxLength)
    }

    /// Delivers the first value, then finishes and cancels the upstream. Finishes empty if the upstream does.
    @inlinable @inline(__always)
    public func first() -> Publishers.Prefix<Self> {
        Publishers.Prefix(upstream: self, maxLength: 1)
    }

    /// Delivers the first value that satisfies a predicate, then finishes and cancels the upstream.
    @inlinable @inline(__always)
    public func first(
        where predicate: @escaping @Sendable (Output) -> Bool
    ) -> Publishers.Prefix<Publishers.Filter<Self>> {
        filter(predicate).first()
    }
}

extension Publishers {
    /// Delivers the first values, then finishes and cancels the upstream.
    @frozen
    public struct Prefix<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        /// How many values are delivered at most.
        public let maxLength: Int

        /// - Precondition: `maxLength` is not negative.
        @inlinable @inline(__always)
        public init(upstream: Upstream, maxLength: Int) {
            precondition(maxLength >= 0, "A prefix has zero values or more.")
            self.upstream = upstream
            self.maxLength = maxLength
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: Inner(downstream: subscriber, remaining: maxLength))
        }

        @frozen @usableFromInline
        struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let remaining: Serial<Int>
            @usableFromInline let slot = UpstreamSlot()

            @inlinable @inline(__always)
            init(downstream: Downstream, remaining: Int) {
                self.downstream = downstream
                self.remaining = Serial(remaining)
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                guard slot.receive(subscription) else { return }
                downstream.receive(subscription: slot)
                if remaining.value == 0 { end() }
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                guard remaining.value > 0, !slot.isDone else { return .none }
                remaining.value -= 1
                let demand = downstream.receive(input)
                if remaining.value == 0 { end() }
                return demand
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                if slot.finish() { downstream.receive(completion: completion) }
            }

            @inlinable
            func end() {
                if slot.cancelFirst() { downstream.receive(completion: .finished) }
            }
        }
    }
}
