import Synchronization

/// A value that waits until it is settled, and then until it is requested: what stands behind `debounce` and `throttle`.
///
/// The upstream replaces the value, a timer settles it, and whoever drains delivers it, on the scheduler.
@usableFromInline
final class SettledValue<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var waiting: Output?
        @usableFromInline var settled: Output?
        @usableFromInline var completion: Subscribers.Completion<Failure>?

        @inlinable
        init() {}
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let slot = UpstreamSlot()
    @usableFromInline let join: DrainedSubscription
    /// Whether a value that is waiting stays when another comes.
    @usableFromInline let keepsFirst: Bool
    @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    @inlinable
    init<Downstream: Subscriber>(
        to downstream: Downstream, keepsFirst: Bool = false,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) where Downstream.Input == Output, Downstream.Failure == Failure {
        self.keepsFirst = keepsFirst
        self.schedule = schedule
        join = DrainedSubscription(upstreams: [slot])
        downstream.receive(subscription: join)
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
    }

    /// Subscribes to the upstream.
    ///
    /// - Parameter onValue: Sees to it that a value that has come is settled some time.
    @inlinable @inline(__always)
    func start<Upstream: Publisher>(
        _ upstream: Upstream, unfinished: Publishers.PendingValue,
        _ onValue: @escaping @Sendable (SettledValue) -> Void
    ) where Upstream.Output == Output, Upstream.Failure == Failure {
        join.drain()
        upstream.receive(subscriber: Inner(core: self, unfinished: unfinished, onValue: onValue))
    }

    /// The value that is waiting may be delivered.
    @usableFromInline
    func settle() {
        let old = state.withLock { state -> Output? in
            guard let waiting = state.waiting.take() else { return nil }
            defer { state.settled = waiting }
            return state.settled
        }
        // Let go of outside the lock.
        withExtendedLifetime(old) {}
        join.signal()
    }

    @frozen @usableFromInline
    struct Inner: Subscriber {
        @usableFromInline typealias Input = Output

        @usableFromInline let core: SettledValue
        @usableFromInline let unfinished: Publishers.PendingValue
        @usableFromInline let onValue: @Sendable (SettledValue) -> Void

        @inlinable @inline(__always)
        init(
            core: SettledValue, unfinished: Publishers.PendingValue,
            onValue: @escaping @Sendable (SettledValue) -> Void
        ) {
            self.core = core
            self.unfinished = unfinished
            self.onValue = onValue
        }

        @inlinable @inline(__always)
        func receive(subscription: any Subscription) {
            if core.slot.receive(subscription) { subscription.request(.unlimited) }
        }

        @inlinable @inline(__always)
        func receive(_ input: Output) -> Subscribers.Demand {
            guard !core.slot.isDone else { return .none }
            let old = core.state.withLock { state -> Output? in
                if core.keepsFirst, state.waiting != nil { return nil }
                defer { state.waiting = input }
                return state.waiting
            }
            withExtendedLifetime(old) {}
            onValue(core)
            return .none
        }

        @inlinable @inline(__always)
        func receive(completion: Subscribers.Completion<Failure>) {
            guard core.slot.finish() else { return }
            let dropped = core.state.withLock { state -> [Output?] in
                let waiting = state.waiting.take()
                let settled = state.settled
                switch completion {
                case .finished where unfinished == .deliver && waiting != nil: state.settled = waiting
                case .finished: break
                case .failure: state.settled = nil
                }
                state.completion = completion
                return [waiting, settled]
            }
            withExtendedLifetime(dropped) {}
            core.schedule { core.join.signal() }
        }
    }
}
