extension Publishers {
    /// Delivers the time at every interval, beginning an interval from now. It does not drift.
    ///
    ///     Timer(every: 3, on: s)   ---t---t---t
    ///
    /// Demand: a tick that was not requested is dropped. Never fails, never finishes. Cancellation stops the timer.
    /// Thread: the scheduler's.
    public struct Timer<Context: Scheduler>: Publisher {
        public typealias Output = Context.SchedulerTimeType
        public typealias Failure = Never

        /// The scheduler that measures time.
        public let scheduler: Context
        /// The time between two ticks; always more than zero.
        public let interval: Context.SchedulerTimeType.Stride
        /// The time by which a tick may be late.
        public let tolerance: Context.SchedulerTimeType.Stride
        /// The options with which work is scheduled.
        public let options: Context.SchedulerOptions?

        /// Creates a timer.
        ///
        /// - Parameters:
        ///   - interval: The time between two ticks. A time of zero or less counts as a millisecond, so that a computed
        ///     interval neither crashes the program nor keeps it busy.
        ///   - scheduler: The scheduler that measures time and delivers the ticks.
        ///   - tolerance: The time by which a tick may be late; nil for the scheduler's minimum.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
        @inlinable
        public init(
            every interval: Context.SchedulerTimeType.Stride, on scheduler: Context,
            tolerance: Context.SchedulerTimeType.Stride? = nil, options: Context.SchedulerOptions? = nil
        ) {
            self.interval = interval > 0 ? interval : .milliseconds(1)
            self.scheduler = scheduler
            self.tolerance = tolerance ?? scheduler.minimumTolerance
            self.options = options
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            EmitterCore(subscriber, strategy: .dropNewest).start { emitter in
                scheduler.schedule(
                    after: scheduler.now.advanced(by: interval), interval: interval, tolerance: tolerance,
                    options: options
                ) { emitter.send(scheduler.now) }
            }
        }
    }

    /// Delivers 0, 1, 2, … at every interval.
    ///
    /// Demand, thread and cancellation as `Timer`.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks.
    ///   - scheduler: The scheduler that measures time and delivers the ticks.
    @inlinable
    public static func interval<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, on scheduler: S
    ) -> Map<Enumerated<Timer<S>>, Int> {
        Timer(every: interval, on: scheduler).enumerated().map(\.offset)
    }

    /// Delivers the time once, after an interval, and finishes.
    ///
    /// Demand, thread and cancellation as `Timer`.
    ///
    /// - Parameters:
    ///   - interval: The time to wait.
    ///   - scheduler: The scheduler that measures time and delivers the ticks.
    @inlinable
    public static func timer<S: Scheduler>(
        after interval: S.SchedulerTimeType.Stride, on scheduler: S
    ) -> Output<Timer<S>> {
        Timer(every: interval, on: scheduler).first()
    }
}
