import Synchronization

extension Publishers {
    /// The rule by which values are gathered over time.
    public enum TimeGroupingStrategy<Context: Scheduler>: Sendable {
        /// Gathers the values of each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// Gathers the values of each interval, or a number of values as soon as they have come.
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
    /// An interval in which nothing has come delivers nothing. Demand: requests everything of the upstream, or, where there
    /// is a count, of a sequence as much as an array takes (128 values at least); values without demand stay in the
    /// array. Failure: the upstream's, at once, and drops what was gathered. Thread: the
    /// scheduler's. Memory: what has gathered.
    ///
    /// - Parameters:
    ///   - strategy: The rule by which values are gathered.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
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

        /// The upstream publisher.
        public let upstream: Upstream
        /// The rule by which values are gathered.
        public let strategy: TimeGroupingStrategy<Context>
        /// The options with which work is scheduled.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that gathers values into arrays by time.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - strategy: The rule by which values are gathered.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
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
            // As much as an array takes, of a source that makes its values when they are requested.
            let limit = strategy.count
            let slot = PacedSlot(window: Swift.max(limit, PacedSlot.usualWindow))
            let join = DrainedSubscription(
                upstreams: [slot, ticks.slot],
                deliveringBy: { [strategy, options] work in
                    strategy.scheduler.schedule(options: options, work)
                })
            let taken = Tally()
            subscriber.receive(subscription: join)
            if slot.isDone { return }
            var gathered: [Upstream.Output] = []
            var isDue = false
            join.deliver { join in
                var delivered = 0
                while !join.gate.isClosed {
                    if let failure = values.failure {
                        return join.end { subscriber.receive(completion: .failure(failure)) }
                    }
                    if ticks.take() { isDue = true }
                    while gathered.count < limit, let value = values.popFirst() { gathered.append(value) }
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
                    taken.count.wrappingAdd(gathered.count, ordering: .relaxed)
                    slot.replenish(gathered.count)
                    let array = gathered
                    gathered = []
                    let more = subscriber.receive(array)
                    if more.count != 0 { join.request(more) }
                }
                return delivered
            }
            join.drain()
            ticks.start(strategy.scheduler, every: strategy.interval, options: options) { [weak join] in join?.look() }
            upstream.receive(
                subscriber: Inner(values: values, slot: slot, join: join, limit: limit, taken: taken))
        }

        /// How many values have been delivered.
        @usableFromInline
        final class Tally: Sendable {
            @usableFromInline let count = Atomic(0)

            @inlinable
            init() {}
        }

        /// Leaves values where they gather, and has an array delivered when one is full.
        @usableFromInline
        struct Inner: Subscriber {
            @usableFromInline typealias Input = Upstream.Output

            @usableFromInline let values: SignalChannel<Input, Failure>
            @usableFromInline let slot: PacedSlot
            @usableFromInline let join: DrainedSubscription
            @usableFromInline let limit: Int
            @usableFromInline let received = Serial(0)
            @usableFromInline let taken: Tally

            @inlinable
            init(
                values: SignalChannel<Input, Failure>, slot: PacedSlot, join: DrainedSubscription, limit: Int,
                taken: Tally
            ) {
                self.values = values
                self.slot = slot
                self.join = join
                self.limit = limit
                self.taken = taken
            }

            @inlinable
            func receive(subscription: any Subscription) {
                guard slot.receive(subscription) else { return }
                slot.begin(pacing: limit != .max && DrainedSubscription.isPulled(subscription))
                slot.request(.unlimited)
            }

            @inlinable
            func receive(_ input: Input) -> Subscribers.Demand {
                if slot.isDone { return .none }
                values.append(input)
                received.value += 1
                if received.value - taken.count.load(ordering: .relaxed) >= limit { join.schedule() }
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                guard slot.finish() else { return }
                values.finish(completion)
                join.schedule()
            }
        }
    }
}
