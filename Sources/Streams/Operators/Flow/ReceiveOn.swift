extension Publisher {
    /// Delivers every signal on a scheduler.
    ///
    ///     upstream          1-2-3---4|
    ///     receive(on: s)    1-2-3---4|
    ///
    /// Thread: the scheduler's. Values keep their order and none is lost, on a concurrent queue too. Demand is passed on as it is, so no more is
    /// queued than was requested. A cancel wins over whatever is queued: once it has returned on the scheduler, nothing
    /// is delivered any more, a completion neither. A failure waits behind the values.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler to deliver signals on.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    @inlinable @inline(__always)
    public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.ReceiveOn<Self, S>
    {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}

extension Publishers {
    /// Delivers every signal on a scheduler.
    @frozen
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The scheduler that signals are delivered on.
        public let scheduler: Context
        /// The options with which signals are scheduled.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that delivers every signal on a scheduler.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - scheduler: The scheduler to deliver signals on.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
        @inlinable @inline(__always)
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let core = ReceiveOnCore(subscriber) { [scheduler, options] work in
                scheduler.schedule(options: options, work)
            }
            upstream.receive(subscriber: Inner(core: core))
        }

        @frozen @usableFromInline
        struct Inner: Subscriber {
            @usableFromInline let core: ReceiveOnCore<Output, Failure>

            @inlinable @inline(__always)
            init(core: ReceiveOnCore<Output, Failure>) {
                self.core = core
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                core.start(subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                core.push(input)
                return .none
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                core.push(completion: completion)
            }
        }
    }
}
