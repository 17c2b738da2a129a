extension Publisher {
    /// Finishes, or fails, when no value has come for some time.
    ///
    ///     upstream      1-2--------3-
    ///     timeout(4)    1-2---|
    ///
    /// Demand is the upstream's. Failure: the upstream's, or the one given. Thread: the upstream's; the scheduler's where
    /// time has run out. The upstream is cancelled then. Complexity: a value costs a look at the clock; no timer is made
    /// for it.
    ///
    /// - Parameter customError: Makes the failure; nil to finish instead.
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

        /// Where the values come from.
        public let upstream: Upstream
        /// How long it may take.
        public let interval: Context.SchedulerTimeType.Stride
        /// Whose time.
        public let scheduler: Context
        /// How work is scheduled.
        public let options: Context.SchedulerOptions?
        /// Makes the failure; nil to finish instead.
        public let customError: (@Sendable () -> Failure)?

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
            let alarm = Alarm(scheduler, options: options)
            let values = SignalChannel<Output, Failure>()
            let hasTimedOut = Flag()
            let slot = UpstreamSlot()
            let join = DrainedSubscription(upstreams: [slot], demanded: [slot])
            let rearm: @Sendable () -> Void = { [interval] in
                alarm.set(alarm.now().advanced(by: interval)) { [weak join] in
                    hasTimedOut.raise()
                    join?.signal()
                }
            }
            subscriber.receive(subscription: join)
            join.pass(values, to: subscriber) { [customError] _ in
                guard hasTimedOut.isRaised else { return .pass }
                return .end(customError.map { .failure($0()) } ?? .finished)
            }
            join.drain()
            rearm()
            upstream.handleEvents(receiveOutput: { _ in rearm() })
                .receive(subscriber: JoinedSubscriber(values, slot: slot, join: join))
        }
    }
}
