extension Publishers {
    /// Subscribes again and again to the same upstream: the machine of `retry` and `repeat`.
    @frozen
    public struct Resubscribe<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The reaction to a completion.
        @frozen
        public enum Decision: Sendable {
            /// Passes the completion on: the stream ends.
            case end
            /// Subscribes again at once.
            case now
            /// Subscribes again when the closure's argument is called; the cancellable that the closure returns is
            /// cancelled then, or with the stream.
            case later(@Sendable (_ attempt: @escaping @Sendable () -> Void) -> any Cancellable)
        }

        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that decides; attempts are counted from 1, including the one that has just ended.
        public let decide: @Sendable (Subscribers.Completion<Failure>, _ attempt: Int) -> Decision

        /// Creates a publisher that decides at each completion whether to subscribe again.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - decide: A closure that decides; attempts are counted from 1, including the one that has just ended.
        @preconcurrency
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
