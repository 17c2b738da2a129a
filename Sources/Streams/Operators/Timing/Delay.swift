extension Publisher {
    /// Delays every signal by an interval, and keeps their order: values, completion and failure.
    ///
    ///     upstream         1-2-----3|
    ///     delay(for: 2)    --1-2-----3|
    ///
    /// Demand is the upstream's. Failure: the upstream's, behind the values before it. Cancellation drops what is on its
    /// way. Thread: the scheduler's. Complexity: one timer for what is on its way, and none for each value.
    ///
    /// - Parameters:
    ///   - interval: The time by which signals are delayed.
    ///   - tolerance: The time by which a signal may be later still; nil for the scheduler's minimum.
    ///   - scheduler: The scheduler that measures time and delivers values.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    @inlinable @inline(__always)
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> {
        Publishers.Delay(
            upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
            scheduler: scheduler, options: options)
    }
}

extension Publishers {
    /// Delays every signal by an interval.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The time by which signals are delayed.
        public let interval: Context.SchedulerTimeType.Stride
        /// The time by which a signal may be later still.
        public let tolerance: Context.SchedulerTimeType.Stride
        /// The scheduler that measures time and delivers signals.
        public let scheduler: Context
        /// The options with which work is scheduled.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that delays every signal by an interval.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - interval: The time by which signals are delayed.
        ///   - tolerance: The time by which a signal may be later still.
        ///   - scheduler: The scheduler that measures time and delivers signals.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
        @inlinable
        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
            tolerance: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            typealias Time = Context.SchedulerTimeType
            let clock = Clockwork(scheduler, tolerance: tolerance, options: options)
            let alarm = Alarm(clock)
            let signals = SignalChannel<(due: Time, signal: Signal<Output, Failure>), Never>()
            let (slot, alarmSlot) = (UpstreamSlot(), UpstreamSlot())
            _ = alarmSlot.receive(alarm)
            let join = DrainedSubscription(
                upstreams: [slot, alarmSlot], demanded: 1, deliveringBy: clock.soon)
            subscriber.receive(subscription: join)
            if slot.isDone { return }
            var next: (due: Time, signal: Signal<Output, Failure>)?
            join.deliver { join in
                var delivered = 0
                while !join.gate.isClosed {
                    if next == nil { next = signals.popFirst() }
                    guard let (due, signal) = next else { return delivered }
                    guard due <= alarm.now() else {
                        alarm.set(due) { join.look() }
                        return delivered
                    }
                    next = nil
                    switch signal {
                    case .value(let value):
                        delivered += 1
                        let more = subscriber.receive(value)
                        if more.count != 0 { join.request(more) }
                    case .finished: return join.end { subscriber.receive(completion: .finished) }
                    case .failure(let failure):
                        return join.end { subscriber.receive(completion: .failure(failure)) }
                    }
                }
                return delivered
            }
            join.drain()
            upstream.receive(
                subscriber: Inner(signals: signals, slot: slot, join: join, alarm: alarm, interval: interval))
        }

        @usableFromInline
        struct Inner: Subscriber {
            @usableFromInline typealias Time = Context.SchedulerTimeType

            @usableFromInline let signals: SignalChannel<(due: Time, signal: Signal<Output, Failure>), Never>
            @usableFromInline let slot: UpstreamSlot
            @usableFromInline let join: DrainedSubscription
            @usableFromInline let alarm: Alarm<Time>
            @usableFromInline let interval: Time.Stride

            @inlinable
            init(
                signals: SignalChannel<(due: Time, signal: Signal<Output, Failure>), Never>, slot: UpstreamSlot,
                join: DrainedSubscription, alarm: Alarm<Time>, interval: Time.Stride
            ) {
                self.signals = signals
                self.slot = slot
                self.join = join
                self.alarm = alarm
                self.interval = interval
            }

            @inlinable
            func receive(subscription: any Subscription) {
                _ = slot.receive(subscription)
            }

            @inlinable
            func receive(_ input: Output) -> Subscribers.Demand {
                if !slot.isDone { append(.value(input)) }
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                guard slot.finish() else { return }
                switch completion {
                case .finished: append(.finished)
                case .failure(let failure): append(.failure(failure))
                }
            }

            @inlinable
            func append(_ signal: Signal<Output, Failure>) {
                let due = alarm.now().advanced(by: interval)
                signals.append((due, signal))
                // Whoever drains sets the alarm anew as long as something is on its way.
                alarm.setIfClear(due) { [join] in join.look() }
            }
        }
    }
}
