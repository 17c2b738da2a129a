extension Publisher {
    /// Finishes, or fails, when no value has come for some time.
    ///
    ///     upstream      1-2--------3-
    ///     timeout(4)    1-2---|
    ///
    /// The time that the subscriber takes for a value does not count: the clock starts anew when it has returned. The time
    /// in which it requests nothing counts. Demand is the upstream's. Failure: the upstream's, or the one given. Thread:
    /// the upstream's; the scheduler's where time has run out. The upstream is cancelled then. Complexity: a value costs
    /// a look at the clock; no timer is made for it.
    ///
    /// - Parameters:
    ///   - interval: The longest time to wait for a value.
    ///   - scheduler: The scheduler that measures time.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - customError: Makes the failure; nil to finish instead.
    @preconcurrency
    @inlinable @inline(__always)
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (@Sendable () -> Failure)? = nil
    ) -> Publishers.Timeout<Self, S> {
        Publishers.Timeout(
            upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}

extension Publishers {
    /// Finishes, or fails, when no value has come for some time.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The longest time to wait for a value.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures time.
        public let scheduler: Context
        /// The options with which work is scheduled.
        public let options: Context.SchedulerOptions?
        /// The closure that makes the failure; nil to finish instead.
        public let customError: (@Sendable () -> Failure)?

        /// Creates a publisher that finishes, or fails, when no value has come for some time.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - interval: The longest time to wait for a value.
        ///   - scheduler: The scheduler that measures time.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
        ///   - customError: A closure that makes the failure; nil to finish instead.
        @preconcurrency
        @inlinable
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?, customError: (@Sendable () -> Failure)?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.options = options
            self.customError = customError
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let alarm = Alarm(Clockwork(scheduler, options: options))
            let values = SignalChannel<Output, Failure>()
            let hasRung = Flag()
            let (slot, alarmSlot) = (UpstreamSlot(), UpstreamSlot())
            _ = alarmSlot.receive(alarm)
            let join = DrainedSubscription(upstreams: [slot, alarmSlot], demanded: 1)
            let ring: @Sendable () -> Void = { [weak join] in
                hasRung.raise()
                join?.signal()
            }
            let rearm: @Sendable () -> Void = { [interval] in alarm.set(alarm.now().advanced(by: interval), ring) }
            subscriber.receive(subscription: join)
            if slot.isDone { return }
            join.pass(values, to: Inner(downstream: subscriber, onReturn: rearm)) { [customError] _ in
                // Nothing is set before it has begun. It may have rung while a value was delivered, or with one on its way.
                guard hasRung.isRaised, !alarm.isSet, !values.hasValue else { return .pass }
                return .end(customError.map { .failure($0()) } ?? .finished)
            }
            join.drain()
            rearm()
            join.start(upstream, values, slot)
        }

        /// Calls a closure when the subscriber has returned from a value.
        @usableFromInline
        struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let onReturn: @Sendable () -> Void

            @inlinable
            init(downstream: Downstream, onReturn: @escaping @Sendable () -> Void) {
                self.downstream = downstream
                self.onReturn = onReturn
            }

            @inlinable
            func receive(subscription: any Subscription) {
                downstream.receive(subscription: subscription)
            }

            @inlinable
            func receive(_ input: Output) -> Subscribers.Demand {
                let more = downstream.receive(input)
                onReturn()
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                downstream.receive(completion: completion)
            }
        }
    }
}
