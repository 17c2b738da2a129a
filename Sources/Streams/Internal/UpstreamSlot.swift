import Synchronization

/// Where a subscriber keeps its upstream's subscription: it may be cancelled or asked for values before that arrives.
///
/// It is not generic, so that its bookkeeping is compiled once, and is itself the subscription that an operator can
/// hand downstream.
@usableFromInline
final class UpstreamSlot: Subscription {
    struct State: Sendable {
        var subscription: (any Subscription)?
        var requestedEarly = Subscribers.Demand.none
    }

    private let state = Mutex(State())
    @usableFromInline let ended = Atomic(false)

    @usableFromInline
    init() {}

    /// Whether it was cancelled or has seen the completion.
    @inlinable @inline(__always)
    var isDone: Bool {
        ended.load(ordering: .acquiring)
    }

    /// Takes the subscription and passes on the demand that came before it.
    ///
    /// - Returns: False when it was refused and therefore cancelled: the slot was done, or had one (rule 2.5).
    @usableFromInline
    func receive(_ subscription: any Subscription) -> Bool {
        let early = state.withLock { state -> Subscribers.Demand? in
            if ended.load(ordering: .relaxed) || state.subscription != nil { return nil }
            state.subscription = subscription
            return state.requestedEarly
        }
        guard let early else {
            subscription.cancel()
            return false
        }
        if early > .none { subscription.request(early) }
        return true
    }

    /// Keeps demand for an upstream that hasn't come yet.
    ///
    /// - Returns: False when it has come.
    func keepEarly(_ demand: Subscribers.Demand) -> Bool {
        state.withLock { state in
            if state.subscription == nil { state.requestedEarly += demand }
            return state.subscription == nil
        }
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        state.withLock { state in
            if state.subscription == nil { state.requestedEarly += demand }
            return state.subscription
        }?.request(demand)
    }

    @usableFromInline
    func cancel() {
        end().subscription?.cancel()
    }

    /// Marks the end of the stream and lets go of the subscription, without cancelling it.
    ///
    /// - Returns: Whether this call was the first to end it: that caller may deliver the completion.
    @usableFromInline
    func finish() -> Bool {
        end().isFirst
    }

    /// Ends it like `finish()` and cancels the upstream: for an operator that ends before its upstream does.
    @usableFromInline
    func cancelFirst() -> Bool {
        let end = end()
        end.subscription?.cancel()
        return end.isFirst
    }

    /// Ends it and takes the subscription out; the caller decides what becomes of that.
    func end() -> (isFirst: Bool, subscription: (any Subscription)?) {
        state.withLock { state in
            let isFirst = !ended.exchange(true, ordering: .acquiringAndReleasing)
            defer { state.subscription = nil }
            return (isFirst, state.subscription)
        }
    }
}
