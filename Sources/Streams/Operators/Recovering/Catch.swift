extension Publisher {
    /// Continues with another publisher when this one fails.
    ///
    ///     upstream                  1-2-✕
    ///     catch { _ in Just(9) }    1-2-9|
    ///
    /// The other gets the demand that is left. Its failure is the stream's. Thread: that of whichever delivers.
    ///
    /// - Parameter handler: A closure that makes the publisher to continue with.
    @preconcurrency
    @inlinable @inline(__always)
    public func `catch`<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) -> P
    ) -> Publishers.Catch<Self, P> where P.Output == Output {
        Publishers.Catch(upstream: self, handler: handler)
    }
}

extension Publishers {
    /// Continues with another publisher when the upstream fails.
    @frozen
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = NewPublisher.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that makes the publisher to continue with.
        public let handler: @Sendable (Upstream.Failure) -> NewPublisher

        /// Creates a publisher that continues with another one when the upstream fails.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - handler: A closure that makes the publisher to continue with.
        @preconcurrency
        @inlinable @inline(__always)
        public init(upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let arbiter = SubscriptionArbiter()
            subscriber.receive(subscription: arbiter)
            if arbiter.isDone { return }
            let last = ArbitratedSubscriber<Output, Failure, AnySubscriber>(downstream: subscriber, arbiter: arbiter) {
                subscriber.receive(last: $0, of: arbiter)
            }
            upstream.receive(
                subscriber: ArbitratedSubscriber<Output, Upstream.Failure, AnySubscriber>(
                    downstream: subscriber, arbiter: arbiter
                ) { [handler] completion in
                    switch completion {
                    case .finished: subscriber.receive(last: .finished, of: arbiter)
                    case .failure(let error):
                        if !arbiter.isDone { arbiter.next { handler(error).receive(subscriber: last) } }
                    }
                })
        }
    }
}
