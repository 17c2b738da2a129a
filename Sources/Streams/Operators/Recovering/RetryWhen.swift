extension Publisher {
    /// Subscribes again whenever a publisher, made of the failures, delivers a value.
    ///
    ///     1st attempt                   1-✕
    ///     2nd attempt                   1-2|
    ///     trigger                       ----x|
    ///     retryWhen { _ in trigger }    1---1|
    ///
    /// Demand: each attempt gets what is left; everything of the trigger. The trigger's end is the stream's. Failure: the
    /// trigger's. Cancellation cancels the attempt and the trigger, and releases both. Thread: the upstream's; later
    /// attempts begin on the trigger's.
    ///
    /// - Parameter trigger: A closure that makes a publisher of the failures; each of its values starts another
    ///   attempt.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func retryWhen<Trigger: Publisher>(
        _ trigger: @escaping @Sendable (AnyPublisher<Failure, Never>) -> Trigger
    ) -> Publishers.RetryWhen<Self, Trigger> where Trigger.Failure == Failure {
        Publishers.RetryWhen(upstream: self, trigger: trigger)
    }
}

extension Publishers {
    /// Subscribes again whenever a publisher, made of the failures, delivers a value.
    public struct RetryWhen<Upstream: Publisher, Trigger: Publisher>: Publisher
    where Trigger.Failure == Upstream.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that makes the publisher whose values start further attempts.
        public let trigger: @Sendable (AnyPublisher<Failure, Never>) -> Trigger

        /// Creates a publisher that subscribes again whenever a publisher, made of the failures, delivers a value.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - trigger: A closure that makes a publisher of the failures; each of its values starts another attempt.
        @preconcurrency
        @inlinable
        public init(
            upstream: Upstream, trigger: @escaping @Sendable (AnyPublisher<Failure, Never>) -> Trigger
        ) {
            self.upstream = upstream
            self.trigger = trigger
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let failures = PassthroughSubject<Failure, Never>()
            let waiting = WaitingAttempt()
            let values = SignalChannel<Output, Failure>()
            let triggers = SignalChannel<Trigger.Output, Failure>()
            let (slot, triggerSlot, waitingSlot) = (UpstreamSlot(), UpstreamSlot(), UpstreamSlot())
            _ = waitingSlot.receive(waiting)
            let join = DrainedSubscription(upstreams: [slot, triggerSlot, waitingSlot], demanded: 1)
            subscriber.receive(subscription: join)
            if slot.isDone { return }
            join.pass(values, to: subscriber) { _ in
                while triggers.comes(before: values), triggers.popFirst() != nil {
                    // Outside of a delivery, so that the attempt's values pass straight on instead of gathering here.
                    if let attempt = waiting.take() { return .errand(attempt) }
                }
                return triggers.ends(before: values) ? .end(triggers.completion) : .pass
            }
            join.startFirst(trigger(failures.eraseToAnyPublisher()), triggers, triggerSlot, demand: .unlimited)
            Resubscribe(upstream: upstream) { completion, _ in
                guard case .failure(let failure) = completion else { return .end }
                return .later { attempt in
                    waiting.set(attempt)
                    failures.send(failure)
                    return Subscriptions.empty
                }
            }.receive(subscriber: JoinedSubscriber(values, slot: slot, join: join, by: Joins.Latest.self))
        }
    }
}
