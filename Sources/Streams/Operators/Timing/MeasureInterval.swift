extension Publisher {
    /// Delivers the time that has passed before each value: since the one before, or since the subscription.
    ///
    ///     upstream                     --1---2-3|
    ///     measureInterval(using: s)    --2---4-2|
    ///
    /// Demand, failure and thread are the upstream's; of the scheduler only the time is used.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler that measures time.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    @inlinable @inline(__always)
    public func measureInterval<S: Scheduler>(
        using scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.MeasureInterval<Self, S> {
        Publishers.MeasureInterval(upstream: self, logic: Stages.MeasureInterval(scheduler: scheduler))
    }
}

extension Publishers {
    /// Delivers the time that has passed before each value.
    public typealias MeasureInterval<Upstream: Publisher, Context: Scheduler> = Staged<
        Upstream, Stages.MeasureInterval<Upstream.Output, Context, Upstream.Failure>
    >
}

extension Stages {
    /// The logic of `measureInterval`; its state is the moment of the value before.
    @frozen
    public struct MeasureInterval<Input: Sendable, Context: Scheduler, UpstreamFailure: Error>: ValueStage {
        @usableFromInline let scheduler: Context

        @inlinable @inline(__always)
        init(scheduler: Context) {
            self.scheduler = scheduler
        }

        @inlinable @inline(__always)
        public func makeState() -> Context.SchedulerTimeType { scheduler.now }

        @inlinable @inline(__always)
        public func receive(
            _ input: Input, _ state: inout Context.SchedulerTimeType
        ) -> Stages.Step<Context.SchedulerTimeType.Stride, UpstreamFailure> {
            let now = scheduler.now
            defer { state = now }
            return .next(state.distance(to: now))
        }
    }
}

extension Publishers.Staged {
    /// Creates a publisher that delivers the time that has passed before each value.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - scheduler: The scheduler that measures time.
    @inlinable @inline(__always)
    public init<Context: Scheduler>(
        upstream: Upstream, scheduler: Context
    ) where Logic == Stages.MeasureInterval<Upstream.Output, Context, Upstream.Failure> {
        self.init(upstream: upstream, logic: Stages.MeasureInterval(scheduler: scheduler))
    }
}
