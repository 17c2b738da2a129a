extension Publisher {
    /// Delivers one value an interval at most: at once the first, then the newest or the first of each interval.
    ///
    ///     upstream                          1-2-3-------4-5|
    ///     throttle(for: 5, latest: true)    1----3------4--5|
    ///
    /// Demand: requests everything of the upstream; a value that nobody has requested waits, and is replaced by a newer
    /// one. Failure: the upstream's, on the scheduler; a value that waits is dropped. A value that waits when the upstream
    /// finishes is delivered before the completion. Thread: the scheduler's. Complexity: within an interval a value costs a
    /// lock; no timer is made for it.
    @inlinable @inline(__always)
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}

extension Publishers {
    /// Delivers one value an interval at most.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        /// How long it is between two values at least.
        public let interval: Context.SchedulerTimeType.Stride
        /// Whose time, and where values are delivered.
        public let scheduler: Context
        /// Whether the newest value of an interval is delivered, or the first.
        public let latest: Bool

        @inlinable
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.latest = latest
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            SettledValue<Output, Failure, Context.SchedulerTimeType>(
                .paced(interval, keepsFirst: !latest), on: Clockwork(scheduler), unfinished: .deliver
            ).connect(upstream, to: subscriber)
        }
    }
}
