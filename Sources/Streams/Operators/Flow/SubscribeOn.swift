extension Publisher {
    /// Subscribes, requests and cancels on a scheduler.
    ///
    ///     upstream            1-2-3|
    ///     subscribe(on: s)    1-2-3|
    ///
    /// Demand and failure are the upstream's. The subscriber gets its subscription at once, on its own thread: a cancel
    /// that comes before the scheduler's turn spares the upstream altogether. Thread: whatever thread the upstream delivers
    /// on; of one that delivers when asked, that is the scheduler's.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler to subscribe, request and cancel on.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    @inlinable @inline(__always)
    public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.SubscribeOn<Self, S>
    {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}

extension Publishers {
    /// Subscribes, requests and cancels on a scheduler.
    @frozen
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The scheduler that subscribes, requests and cancels.
        public let scheduler: Context
        /// The options with which that work is scheduled.
        public let options: Context.SchedulerOptions?

        /// Creates a publisher that subscribes, requests and cancels on a scheduler.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - scheduler: The scheduler to subscribe, request and cancel on.
        ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
        @inlinable @inline(__always)
        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            let slot = StartingSlot(Optional((upstream: upstream, downstream: subscriber)), schedule: hop)
            subscriber.receive(subscription: slot)
            // Cancelled already, it lets go of what it holds, here and now.
            if slot.isDone { slot.run() } else { scheduler.schedule(options: options) { slot.run() } }
        }

        /// Without options it holds nothing but the scheduler, and an object alone needs no context of its own.
        @inlinable @inline(__always)
        var hop: @Sendable (@escaping @Sendable () -> Void) -> Void {
            guard let options else { return { [scheduler] in scheduler.schedule($0) } }
            return { [scheduler] in scheduler.schedule(options: options, $0) }
        }
    }
}
