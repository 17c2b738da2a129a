extension Publishers {
    /// Subscribes again and again to the same upstream: what stands behind `retry` and `repeat`.
    @frozen
    public struct Resubscribe<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// What follows a completion.
        @frozen
        public enum Decision: Sendable {
            /// The completion is the stream's.
            case end
            /// Another attempt, at once.
            case now
            /// Another attempt, when the closure that is handed over is called. What comes back is cancelled then, or
            /// when the stream is.
            case later(@Sendable (_ attempt: @escaping @Sendable () -> Void) -> any Cancellable)
        }

        /// Where the values come from.
        public let upstream: Upstream
        /// Decides; attempts are counted from 1, by the one that has just ended.
        public let decide: @Sendable (Subscribers.Completion<Failure>, _ attempt: Int) -> Decision

        @inlinable @inline(__always)
        public init(
            upstream: Upstream,
            decide: @escaping @Sendable (Subscribers.Completion<Failure>, _ attempt: Int) -> Decision
        ) {
            self.upstream = upstream
            self.decide = decide
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let arbiter = SubscriptionArbiter()
            subscriber.receive(subscription: arbiter)
            if !arbiter.isDone { Attempts(of: self, downstream: subscriber, arbiter: arbiter).start() }
        }

        /// The attempts of one subscriber, one after the other.
        @usableFromInline
        final class Attempts<Downstream: Subscriber>: Sendable
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline let publisher: Resubscribe
            @usableFromInline let downstream: Downstream
            @usableFromInline let arbiter: SubscriptionArbiter
            @usableFromInline let attempt = Serial(0)

            @inlinable
            init(of publisher: Resubscribe, downstream: Downstream, arbiter: SubscriptionArbiter) {
                self.publisher = publisher
                self.downstream = downstream
                self.arbiter = arbiter
            }

            @inlinable
            func start() {
                arbiter.next {
                    attempt.value += 1
                    publisher.upstream.receive(
                        subscriber: ArbitratedSubscriber<Output, Failure, Downstream>(
                            downstream: downstream, arbiter: arbiter, ended: { self.end($0) }))
                }
            }

            @inlinable
            func end(_ completion: Subscribers.Completion<Failure>) {
                if arbiter.isDone { return }
                switch publisher.decide(completion, attempt.value) {
                case .end: downstream.receive(last: completion, of: arbiter)
                case .now: start()
                case .later(let schedule):
                    // A cancel lets go of what waits; whoever calls holds no more than the place where it waited.
                    let waiting = WaitingAttempt { self.start() }
                    arbiter.wait(with: waiting)
                    waiting.keep(schedule { waiting.take()?() })
                }
            }
        }
    }
}
