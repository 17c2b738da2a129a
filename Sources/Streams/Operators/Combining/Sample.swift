extension Publisher {
    /// Delivers the latest value whenever another publisher delivers one, if there is a newer one.
    ///
    ///     upstream           1-2---3-------4|
    ///     trigger            ----x-----x-x-----|
    ///     sample(trigger)    ----2-----3----|
    ///
    /// Demand: requests everything of both; a sample that was not requested waits, and is replaced by a newer one.
    /// Finishes when either does. Failure: the first of either. Both are cancelled at the end. Thread: the trigger's.
    ///
    /// - Parameter trigger: The publisher whose values trigger deliveries.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func sample<P: Publisher>(_ trigger: P) -> Publishers.Sample<Self, P> where P.Failure == Failure {
        Publishers.Sample(upstream: self, trigger: trigger)
    }

    /// Delivers the latest value at every interval, if there is a newer one.
    ///
    ///     upstream            1-2---3-------4|
    ///     sample(every: 4)    ----2---3------|
    ///
    /// Demand, failure and end as with a trigger. Thread: the scheduler's, for the end too.
    ///
    /// - Parameters:
    ///   - interval: The time between two deliveries.
    ///   - scheduler: The scheduler that measures time.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func sample<S: Scheduler>(
        every interval: S.SchedulerTimeType.Stride, scheduler: S
    ) -> Publishers.Sample<Self, Publishers.SetFailureType<Publishers.Timer<S>, Failure>> {
        Publishers.Sample(
            upstream: self,
            trigger: Publishers.Timer(every: interval, on: scheduler).setFailureType(to: Failure.self),
            deliveringBy: { scheduler.schedule($0) })
    }
}

extension Publishers {
    /// Delivers the latest value whenever another publisher delivers one.
    @frozen
    public struct Sample<Upstream: Publisher, Trigger: Publisher>: Publisher
    where Upstream.Failure == Trigger.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose values trigger the delivery of the latest value.
        public let trigger: Trigger

        /// Where they are delivered; nil for the trigger's thread.
        @usableFromInline let soon: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

        /// Creates a publisher that delivers the latest value whenever another one delivers, on that one's thread.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - trigger: The publisher whose values trigger deliveries.
        @inlinable @inline(__always)
        public init(upstream: Upstream, trigger: Trigger) {
            self.init(upstream: upstream, trigger: trigger, deliveringBy: nil)
        }

        @inlinable @inline(__always)
        init(
            upstream: Upstream, trigger: Trigger,
            deliveringBy soon: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        ) {
            self.upstream = upstream
            self.trigger = trigger
            self.soon = soon
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let values = SignalChannel<Output, Failure>()
            let triggers = SignalChannel<Trigger.Output, Failure>()
            let (slot, triggerSlot) = (UpstreamSlot(), UpstreamSlot())
            let upstreams = [slot, triggerSlot]
            let join =
                soon.map { DrainedSubscription(upstreams: upstreams, deliveringBy: $0) }
                ?? DrainedSubscription(upstreams: upstreams)
            subscriber.receive(subscription: join)
            var sample: Output?
            var ending: Subscribers.Completion<Failure>?
            join.deliver { join in
                var delivered = 0
                while !join.gate.isClosed {
                    while values.comes(before: triggers) { _ = values.takeLatest() }
                    if ending == nil {
                        let isFirst = values.ends(before: triggers)
                        if isFirst || triggers.ends(before: values) {
                            // A sample that waits for demand is the last one, whatever comes now.
                            ending = isFirst ? values.completion : triggers.completion
                            join.cancelUpstreams()
                            // The upstreams may have cancelled, or requested, from inside that.
                            continue
                        }
                    }
                    let isTriggered = ending == nil && triggers.comes(before: values) && triggers.popFirst() != nil
                    if isTriggered, let newest = values.latest.take() { sample = newest }
                    if join.gate.demand > delivered, let value = sample.take() {
                        delivered += 1
                        let more = subscriber.receive(value)
                        if more.count != 0 { join.request(more) }
                    } else if !isTriggered {
                        guard let ending else {
                            guard values.isExhausted || triggers.isExhausted else { return delivered }
                            // Values that came before the end go first.
                            continue
                        }
                        if case .finished = ending, sample != nil { return delivered }
                        return join.end { subscriber.receive(completion: ending) }
                    }
                }
                return delivered
            }
            join.startFirst(upstream, values, slot, demand: .unlimited)
            join.start(trigger, triggers, triggerSlot, demand: .unlimited)
        }
    }
}
