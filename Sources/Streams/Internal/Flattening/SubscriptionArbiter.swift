import Synchronization

/// One downstream subscription over upstreams that follow each other: `append`, `catch`, `retry`.
///
/// It keeps the demand that is still open and hands it to the next upstream. What was delivered is counted by the
/// subscriber, where signals are serial, and settled only when the upstream changes.
@usableFromInline
final class SubscriptionArbiter: Subscription {
    private struct State: Sendable {
        var current: (any Subscription)?
        var open = Subscribers.Demand.none
    }

    private let state = Mutex(State())
    @usableFromInline let ended = Atomic(false)
    /// How many times the next upstream is due; whoever finds it idle subscribes, so that recursion is bounded.
    private let turns = Atomic(0)

    /// What was delivered by the present upstream, and what the subscriber asked for in return.
    @usableFromInline let count = Serial((delivered: 0, granted: Subscribers.Demand.none))

    @usableFromInline
    init() {}

    /// Whether it was cancelled or has seen the last completion.
    @inlinable @inline(__always)
    var isDone: Bool { ended.load(ordering: .acquiring) }

    /// Passes the open demand to a new upstream.
    @usableFromInline
    func follow(_ subscription: any Subscription) {
        let open = state.withLock { state -> Subscribers.Demand? in
            if ended.load(ordering: .relaxed) || state.current != nil { return nil }
            state.current = subscription
            return state.open
        }
        guard let open else { return subscription.cancel() }
        if open > .none { subscription.request(open) }
    }

    @inlinable @inline(__always)
    func deliver<S: Subscriber>(_ value: S.Input, to downstream: S) -> Subscribers.Demand {
        if isDone { return .none }
        count.value.delivered += 1
        let more = downstream.receive(value)
        if more.count != 0 { count.value.granted += more }
        return more
    }

    /// The present upstream has ended: settles, and keeps something to be cancelled until the next is due.
    @usableFromInline
    func wait(with subscription: any Subscription) {
        let (isRefused, old) = state.withLock { state -> (Bool, (any Subscription)?) in
            if ended.load(ordering: .relaxed) { return (true, nil) }
            state.open = state.open + count.value.granted - count.value.delivered
            defer { state.current = subscription }
            return (false, state.current)
        }
        withExtendedLifetime(old) {}
        count.value = (0, .none)
        if isRefused { subscription.cancel() }
    }

    /// The present upstream has ended: settles, then subscribes to the next, unless all is over.
    ///
    /// When the next one ends while it is still being subscribed to, the loop goes round instead of recursing.
    @usableFromInline
    func next(_ subscribe: () -> Void) {
        let ended = state.withLock { state in
            state.open = state.open + count.value.granted - count.value.delivered
            return state.current.take()
        }
        // Let go of outside the lock: it may be the last reference to a user's object.
        withExtendedLifetime(ended) {}
        count.value = (0, .none)
        guard turns.add(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat {
            if isDone { return }
            subscribe()
        } while turns.subtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }

    /// The last upstream has ended.
    ///
    /// - Returns: Whether the completion is to be delivered.
    @usableFromInline
    func finish() -> Bool {
        let left = state.withLock { state in
            (isFirst: !ended.exchange(true, ordering: .acquiringAndReleasing), subscription: state.current.take())
        }
        // Let go of outside the lock: the optimiser destroys what is not used inside.
        withExtendedLifetime(left.subscription) {}
        return left.isFirst
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            state.open += demand
            return state.current
        }?.request(demand)
    }

    @usableFromInline
    func cancel() {
        state.withLock { state in
            ended.store(true, ordering: .releasing)
            return state.current.take()
        }?.cancel()
    }
}

/// The subscriber of one of several upstreams that follow each other.
@frozen @usableFromInline
struct ArbitratedSubscriber<Input: Sendable, Failure: Error, Downstream: Subscriber>: Subscriber
where Downstream.Input == Input {
    @usableFromInline let downstream: Downstream
    @usableFromInline let arbiter: SubscriptionArbiter
    @usableFromInline let ended: @Sendable (Subscribers.Completion<Failure>) -> Void

    @inlinable @inline(__always)
    init(
        downstream: Downstream, arbiter: SubscriptionArbiter,
        ended: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
    ) {
        self.downstream = downstream
        self.arbiter = arbiter
        self.ended = ended
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        arbiter.follow(subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        arbiter.deliver(input, to: downstream)
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        ended(completion)
    }
}

extension Subscriber {
    /// Passes on the last completion of an arbiter's upstreams.
    @inlinable
    func receive(last completion: Subscribers.Completion<Failure>, of arbiter: SubscriptionArbiter) {
        if arbiter.finish() { receive(completion: completion) }
    }
}
