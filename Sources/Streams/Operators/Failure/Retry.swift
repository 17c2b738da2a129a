extension Publisher {
    /// Subscribes again when the upstream fails, that many times at most.
    ///
    ///     upstream    1-✕  1-2-✕  1-2-3|
    ///     retry(2)    1-1-2-1-2-3|
    ///
    /// Each attempt gets the demand that is left. The failure of the last attempt is the stream's. Any number of
    /// attempts that fail at once takes the same stack.
    @inlinable @inline(__always)
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        Publishers.Retry(upstream: self, retries: retries)
    }
}

extension Publishers {
    /// Subscribes again when the upstream fails.
    @frozen
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        /// How many times it is subscribed to again; nil for no bound.
        public let retries: Int?

        @inlinable @inline(__always)
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let arbiter = SubscriptionArbiter()
            subscriber.receive(subscription: arbiter)
            if arbiter.isDone { return }
            Attempts(upstream: upstream, downstream: subscriber, arbiter: arbiter, left: retries ?? .max).start()
        }

        /// The attempts of one subscriber, one after the other.
        @usableFromInline
        final class Attempts<Downstream: Subscriber>: Sendable
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline let upstream: Upstream
            @usableFromInline let downstream: Downstream
            @usableFromInline let arbiter: SubscriptionArbiter
            @usableFromInline let left: Serial<Int>

            @inlinable
            init(upstream: Upstream, downstream: Downstream, arbiter: SubscriptionArbiter, left: Int) {
                self.upstream = upstream
                self.downstream = downstream
                self.arbiter = arbiter
                self.left = Serial(left)
            }

            @inlinable
            func start() {
                arbiter.next {
                    upstream.receive(
                        subscriber: ArbitratedSubscriber<Output, Failure, Downstream>(
                            downstream: downstream, arbiter: arbiter, ended: { self.end($0) }))
                }
            }

            @inlinable
            func end(_ completion: Subscribers.Completion<Failure>) {
                guard case .failure = completion, left.value > 0 else {
                    return downstream.receive(last: completion, of: arbiter)
                }
                if left.value != .max { left.value -= 1 }
                start()
            }
        }
    }
}
