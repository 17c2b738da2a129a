import Synchronization

/// A value that waits until it is settled, and then until it is requested: what stands behind `debounce` and `throttle`.
///
/// The upstream replaces the value, a timer settles it, and a turn on the scheduler delivers it. The value and its
/// deadline are behind one lock, so that a timer settles the value that it was set for and no newer one.
@usableFromInline
final class SettledValue<Output: Sendable, Failure: Error, Time: Strideable & Sendable>: Sendable
where Time.Stride: Sendable {
    /// When a value is settled.
    @usableFromInline
    enum Policy: Sendable {
        /// When none has followed it for that long.
        case quiet(Time.Stride)
        /// At once, or that long after the one before.
        case paced(Time.Stride, keepsFirst: Bool)
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var waiting: Output?
        @usableFromInline var settled: Output?
        @usableFromInline var completion: Subscribers.Completion<Failure>?
        @usableFromInline var deadline = Deadline<Time>()
        /// Where values are paced: when the next one may go.
        @usableFromInline var earliest: Time?

        @inlinable
        init() {}

        /// A timer is due, and settles the value that waits if that is.
        ///
        /// - Returns: What it finds, and what is to be cancelled and let go of; nil where the deadline is another by now.
        @inlinable
        mutating func ring(
            _ number: Int, isDue: Bool, ifStill version: Int, next earliest: Time?
        ) -> (finding: Deadline<Time>.Finding, done: (any Cancellable)?, dropped: Output?)? {
            guard deadline.version == version else { return nil }
            let (finding, done) = deadline.check(number, isDue: isDue)
            guard case .due = finding, let value = waiting.take() else { return (finding, done, nil) }
            self.earliest = earliest
            defer { settled = value }
            return (finding, done, settled)
        }
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let slot: UpstreamSlot
    @usableFromInline let join: DrainedSubscription
    @usableFromInline let policy: Policy
    @usableFromInline let clock: Clockwork<Time>
    /// What becomes of a value that is waiting when the upstream finishes.
    @usableFromInline let unfinished: Publishers.PendingValue

    @inlinable
    init(_ policy: Policy, on clock: Clockwork<Time>, unfinished: Publishers.PendingValue) {
        self.policy = policy
        self.clock = clock
        self.unfinished = unfinished
        slot = UpstreamSlot()
        let emptying = UpstreamSlot()
        join = DrainedSubscription(upstreams: [slot, emptying], deliveringBy: clock.soon)
        // Whoever keeps the subscription is not to keep a timer, and a value that nobody waits for.
        _ = emptying.receive(CancellableSubscription(Disposable { [weak self] in self?.empty() }))
    }

    @usableFromInline
    func empty() {
        let (timer, dropped) = state.withLock { state in
            (state.deadline.end(), [state.waiting.take(), state.settled.take()])
        }
        timer?.cancel()
        withExtendedLifetime(dropped) {}
    }

    /// Gives the subscriber its subscription and subscribes to the upstream.
    @inlinable @inline(__always)
    func connect<Upstream: Publisher, Downstream: Subscriber>(_ upstream: Upstream, to downstream: Downstream)
    where
        Upstream.Output == Output, Upstream.Failure == Failure, Downstream.Input == Output,
        Downstream.Failure == Failure
    {
        downstream.receive(subscription: join)
        if slot.isDone { return }
        join.deliver { [self] join in
            var delivered = 0
            while !join.gate.isClosed {
                let hasDemand = join.gate.demand > delivered
                let (value, completion) = state.withLock { state in
                    let value = hasDemand ? state.settled.take() : nil
                    return (value, state.settled == nil ? state.completion : nil)
                }
                if let value {
                    delivered += 1
                    let more = downstream.receive(value)
                    if more.count != 0 { join.request(more) }
                } else if let completion {
                    return join.end { downstream.receive(completion: completion) }
                } else {
                    return delivered
                }
            }
            return delivered
        }
        join.drain()
        upstream.receive(subscriber: SettlingSubscriber(core: self))
    }

    /// Takes a value of the upstream.
    @inlinable @inline(__always)
    func receive(_ input: Output) {
        switch policy {
        case .quiet(let time):
            let due = clock.now().advanced(by: time)
            put(input, due)
        case .paced(_, let keepsFirst):
            // While one is waiting for its time, the clock isn't looked at.
            if replace(input, keepsFirst: keepsFirst) { return }
            // While none is, nobody moves the earliest moment.
            let (now, earliest) = (clock.now(), state.withLock { $0.earliest })
            put(input, earliest.map { Swift.max($0, now) } ?? now)
        }
    }

    /// - Returns: Whether a value was waiting, and has been replaced or kept.
    @inlinable
    func replace(_ input: Output, keepsFirst: Bool) -> Bool {
        let (isWaiting, old) = state.withLock { state -> (Bool, Output?) in
            guard let old = state.waiting else { return (false, nil) }
            if !keepsFirst { state.waiting = input }
            return (true, old)
        }
        // Let go of outside the lock.
        withExtendedLifetime(old) {}
        return isWaiting
    }

    /// Moments are compared outside of the lock: mostly the timer under way is the earlier one, and that was all.
    @inlinable @inline(__always)
    func put(_ input: Output, _ due: Time) {
        let (setting, old) = state.withLock { state in
            defer { state.waiting = input }
            return (state.deadline.set(due), state.waiting)
        }
        withExtendedLifetime(old) {}
        let isArming =
            switch setting {
            case .first: true
            case .armed(let armed, let version): due < armed && state.withLock { $0.deadline.hasten(ifStill: version) }
            case .ignored: false
            }
        if isArming { arm() }
    }

    @inlinable
    func arm() {
        guard let arming = state.withLock({ $0.deadline.arm() }) else { return }
        arming.superseded?.cancel()
        let timer = clock.at(arming.time) { self.ring(arming.number) }
        state.withLock { $0.deadline.keep(timer, arming.number) }?.cancel()
    }

    @inlinable
    func ring(_ number: Int) {
        let now = clock.now()
        let earliest: Time? = if case .paced(let interval, _) = policy { now.advanced(by: interval) } else { nil }
        while true {
            let (time, version) = state.withLock { ($0.deadline.time, $0.deadline.version) }
            let isDue = time.map { $0 <= now } ?? false
            guard let rung = state.withLock({ $0.ring(number, isDue: isDue, ifStill: version, next: earliest) })
            else { continue }
            rung.done?.cancel()
            withExtendedLifetime(rung.dropped) {}
            switch rung.finding {
            case .due: join.look()
            case .nothing: break
            case .early: arm()
            }
            return
        }
    }

    /// Takes the upstream's end, which is delivered on the scheduler.
    @inlinable
    func finish(_ completion: Subscribers.Completion<Failure>) {
        let dropped = state.withLock { state -> [Output?] in
            let waiting = state.waiting.take()
            let settled = state.settled
            switch (completion, policy) {
            case (.finished, _) where unfinished == .deliver && waiting != nil: state.settled = waiting
            case (.failure, .paced) where waiting != nil: state.settled = waiting
            case (.finished, _), (.failure, .paced): break
            case (.failure, .quiet): state.settled = nil
            }
            state.completion = completion
            return [waiting, settled]
        }
        withExtendedLifetime(dropped) {}
        join.schedule()
    }
}

/// The subscriber of a settled value's upstream.
@frozen @usableFromInline
struct SettlingSubscriber<Input: Sendable, Failure: Error, Time: Strideable & Sendable>: Subscriber
where Time.Stride: Sendable {
    @usableFromInline let core: SettledValue<Input, Failure, Time>

    @inlinable @inline(__always)
    init(core: SettledValue<Input, Failure, Time>) {
        self.core = core
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if core.slot.receive(subscription) { subscription.request(.unlimited) }
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        if !core.slot.isDone { core.receive(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        if core.slot.finish() { core.finish(completion) }
    }
}
