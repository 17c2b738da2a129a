extension Publishers {
    /// How values are gathered by time.
    public enum TimeGroupingStrategy<Context: Scheduler>: Sendable {
        /// What has come in each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// What has come in each interval, or that many values as soon as there are.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)

        @inlinable
        var scheduler: Context {
            switch self {
            case .byTime(let scheduler, _), .byTimeOrCount(let scheduler, _, _): scheduler
            }
        }

        @inlinable
        var interval: Context.SchedulerTimeType.Stride {
            switch self {
            case .byTime(_, let interval), .byTimeOrCount(_, let interval, _): interval
            }
        }

        @inlinable
        var count: Int {
            if case .byTimeOrCount(_, _, let count) = self { Swift.max(1, count) } else { .max }
        }
    }
}

extension Publisher {
    /// Gathers values into arrays, by time or by time and count.
    ///
    ///     upstream                  1-2----------3|
    ///     collect(.byTime(s, 5))    -----[1, 2]---[3]|
    ///
    /// An interval in which nothing has come delivers nothing. Demand: requests everything of the upstream; what nobody has
    /// requested stays in the array. Failure: the upstream's, at once, and drops what was gathered. Thread: the
    /// scheduler's, or the upstream's for a full array and the end. Memory: what has gathered.
    @inlinable
    public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
    }
}

extension Publishers {
    /// Gathers values into arrays by time.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        /// How they are gathered.
        public let strategy: TimeGroupingStrategy<Context>
        /// How work is scheduled.
        public let options: Context.SchedulerOptions?

        @inlinable
        public init(
            upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.strategy = strategy
            self.options = options
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let values = SignalChannel<Upstream.Output, Failure>()
            let ticks = Ticks()
            let slot = UpstreamSlot()
            let join = DrainedSubscription(upstreams: [slot, ticks.slot])
            subscriber.receive(subscription: join)
            var gathered: [Upstream.Output] = []
            var isDue = false
            join.deliver { [limit = strategy.count] join in
                var delivered = 0
                while !join.gate.isClosed {
                    if let failure = values.failure {
                        return join.end { subscriber.receive(completion: .failure(failure)) }
                    }
                    if ticks.take() { isDue = true }
                    while gathered.count < limit, let value = values.outlet.popFirst() { gathered.append(value) }
                    let isOver = values.isExhausted
                    if gathered.isEmpty {
                        isDue = false
                        guard isOver else { return delivered }
                        return join.end { subscriber.receive(completion: .finished) }
                    }
                    guard isDue || isOver || gathered.count >= limit, join.gate.demand > delivered else {
                        return delivered
                    }
                    delivered += 1
                    if !values.hasValue { isDue = false }
                    let array = gathered
                    gathered = []
                    let more = subscriber.receive(array)
                    if more.count != 0 { join.request(more) }
                }
                return delivered
            }
            join.drain()
            ticks.start(strategy.scheduler, every: strategy.interval, options: options) { [weak join] in join?.signal()
            }
            upstream.receive(subscriber: JoinedSubscriber(values, slot: slot, join: join, demand: .unlimited))
        }
    }
}
