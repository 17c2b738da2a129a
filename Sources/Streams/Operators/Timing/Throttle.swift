extension Publisher {
    /// Delivers at most one value per interval: the first at once, then the newest or the first of each interval.
    ///
    ///     upstream                          1-2-3-------4-5|
    ///     throttle(for: 5, latest: true)    1----3------4--5|
    ///
    /// Demand: requests everything of the upstream; a value that was not requested waits, and is replaced by a newer
    /// one. Failure: the upstream's, on the scheduler. A value that waits when the upstream ends, or fails, is
    /// delivered before the completion. Thread: the scheduler's. Complexity: within an interval a value costs a
    /// lock; no timer is made for it.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values.
    ///   - scheduler: The scheduler that measures time and delivers values.
    ///   - latest: A Boolean value that determines whether the newest value of an interval is delivered, or the first.
    @inlinable @inline(__always)
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}

extension Publishers {
    /// Delivers at most one value per interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The shortest time between two values.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures time and delivers values.
        public let scheduler: Context
        /// A Boolean value that determines whether the newest value of an interval is delivered, or the first.
        public let latest: Bool

        /// Creates a publisher that delivers at most one value per interval.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - interval: The shortest time between two values.
        ///   - scheduler: The scheduler that measures time and delivers values.
        ///   - latest: A Boolean value that determines whether the newest value of an interval is delivered, or the
        ///     first.
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
