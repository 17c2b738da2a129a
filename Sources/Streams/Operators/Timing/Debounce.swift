extension Publishers {
    /// The treatment of a value that is still waiting when the upstream finishes.
    public enum PendingValue: Sendable, Hashable {
        /// Drops the value, as Combine does.
        case drop
        /// Delivers the value before the completion, as Rx does.
        case deliver
    }
}

extension Publisher {
    /// Delivers a value once no other has followed it for some time.
    ///
    ///     upstream            1-2-----3--------4|
    ///     debounce(for: 3)    -----2-----3------|
    ///
    /// Demand: requests everything of the upstream; a value that was not requested waits, and is replaced by a newer
    /// one. Failure: the upstream's, on the scheduler; a value that waits is dropped. Cancellation drops it too. Thread:
    /// the scheduler's. Complexity: a value costs a look at the clock; no timer is made for it.
    ///
    /// - Parameters:
    ///   - dueTime: The time without another value after which a value is delivered.
    ///   - scheduler: The scheduler that measures time and delivers values.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - atFinish: The treatment of a value that is still waiting when the upstream finishes.
    @inlinable @inline(__always)
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        atFinish: Publishers.PendingValue = .drop
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(
            upstream: self, dueTime: dueTime, scheduler: scheduler, options: options, atFinish: atFinish)
    }
}

extension Publishers {
    /// Delivers a value once no other has followed it for some time.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The time without another value after which a value is delivered.
        public let dueTime: Context.SchedulerTimeType.Stride
        /// The scheduler that measures time and delivers values.
        public let scheduler: Context
        /// The options with which work is scheduled.
        public let options: Context.SchedulerOptions?
        /// The treatment of a value that is still waiting when the upstream finishes.
        public let atFinish: PendingValue

        /// Creates a publisher that delivers a value once no other has followed it for some time.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - dueTime: The time without another value after which a value is delivered.
        ///   - scheduler: The scheduler that measures time and delivers values.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
        ///   - atFinish: The treatment of a value that is still waiting when the upstream finishes.
        @inlinable
        public init(
            upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?, atFinish: PendingValue = .drop
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
            self.atFinish = atFinish
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            SettledValue<Output, Failure, Context.SchedulerTimeType>(
                .quiet(dueTime), on: Clockwork(scheduler, options: options), unfinished: atFinish
            ).connect(upstream, to: subscriber)
        }
    }
}
