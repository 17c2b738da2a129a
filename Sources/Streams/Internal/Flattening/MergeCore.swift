public import CThread
import Synchronization

/// Many inner publishers into one subscriber: what stands behind `flatMap`, `merge` and `switchToLatest`.
///
/// A value that finds the gate idle and demand left goes straight through; all else is queued. An inner publisher that
/// makes its values when it is asked owns the gate while it is subscribed to, and what it delivers meanwhile goes
/// through without entering the gate. Any other may block there, so it enters for each value, and holds nobody up.
///
/// The queue stays short. While demand is finite every inner publisher is asked for one value at a time. Where it is
/// not, one that is subscribed to while somebody delivers is asked for a window first, and for everything else only
/// if it has left some of that open: then it doesn't deliver because it was asked. One that has finished makes room for
/// the next only when what it left in the queue is delivered.
///
/// Unchecked because of `holder`, which only the owner of the gate touches. Whoever makes the core owns the gate until
/// the subscriber has its subscription, so that a cancel meanwhile doesn't release it under its own call.
@usableFromInline
final class MergeCore<Downstream: Subscriber>: Subscription, @unchecked Sendable {
    @usableFromInline typealias Output = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline typealias QueuedValue = (value: Output, from: InnerSlot)

    @usableFromInline let gate = DemandGate(owned: true)
    /// Unmanaged, so that a call through it neither retains nor releases; nil once it is over.
    @exclusivity(unchecked) @usableFromInline var holder: Unmanaged<SubscriberBox<Downstream>>?
    /// The thread that owns the gate while it subscribes to an inner publisher that it asked for values; 0 when there is
    /// none, and while it delivers.
    @usableFromInline let subscribingThread = Atomic<UInt>(0)
    @usableFromInline let queued = Atomic(0)
    @usableFromInline let state = Mutex(State())
    @usableFromInline let outer = UpstreamSlot()
    @usableFromInline let maxPublishers: Subscribers.Demand
    /// Whether a new inner publisher replaces the one before.
    @usableFromInline let isSwitching: Bool
    /// Whether an outer publisher that makes its values when it is asked waits while the queue does, though any number of
    /// inner publishers is allowed.
    @usableFromInline let isPaced: Bool
    /// Whether it does: set before the first of its values.
    @usableFromInline let isOuterPulled = Atomic(false)

    @usableFromInline
    enum Step {
        /// `isLast`: the publisher that it came from has finished, and nothing of it is left; `hasRoom`: one more may
        /// be asked for.
        case value(Output, from: InnerSlot, isLast: Bool, hasRoom: Bool)
        case end(Subscribers.Completion<Failure>)
        case idle
    }

    @inlinable
    init(
        _ downstream: Downstream, maxPublishers: Subscribers.Demand, isSwitching: Bool = false, isPaced: Bool = false
    ) {
        holder = .passRetained(SubscriberBox(downstream))
        self.maxPublishers = maxPublishers
        self.isSwitching = isSwitching
        self.isPaced = isPaced && maxPublishers == .unlimited
    }

    deinit {
        holder?.release()
    }

    @inlinable
    func start(_ subscription: any Subscription) {
        guard outer.receive(subscription) else { return }
        holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(subscription: self) }
        settle(delivered: 0, added: .none)
        if isPaced, gate.demand != .max, DrainedSubscription.isPulled(subscription) {
            isOuterPulled.store(true, ordering: .relaxed)
            outer.request(.max(1))
        } else {
            outer.request(maxPublishers)
        }
    }

    @inlinable @inline(__always)
    func receive(_ value: Output, from slot: InnerSlot) -> Subscribers.Demand {
        let thread = current_thread()
        if subscribingThread.load(ordering: .relaxed) == thread {
            return passThrough(value, from: slot, on: thread)
        }
        guard let demand = gate.tryEnter() else { return enqueue(value, from: slot) }
        guard demand > 0, let holder, queued.load(ordering: .acquiring) == 0 else {
            offer(value, from: slot)
            drain()
            return .none
        }
        guard !slot.isDone else {
            settle(delivered: 0, added: .none)
            return .none
        }
        let more = holder._withUnsafeGuaranteedRef { $0.subscriber.receive(value) }
        settle(delivered: 1, added: more)
        return isSwitching ? passOn(more, from: slot) : .max(1)
    }

    /// Demand that a subscriber returned for a value is requested of the inner publisher that is the newest by now.
    ///
    /// - Returns: What is requested by returning it, as that is the one that the value has come from.
    @inlinable
    func passOn(_ demand: Subscribers.Demand, from slot: InnerSlot) -> Subscribers.Demand {
        if !slot.isDone || demand == .none { return demand }
        state.withLock { $0.newest }?.request(demand)
        return .none
    }

    /// A value on the thread that subscribes to a publisher whose values pass through: the gate is ours, and everything is requested.
    ///
    /// - Returns: One more: it may be another publisher's, sent from a closure on the way, which was asked for one value while
    ///   the demand was finite.
    @inlinable @inline(__always)
    func passThrough(_ value: Output, from slot: InnerSlot, on thread: UInt) -> Subscribers.Demand {
        // What comes from inside the delivery has to queue up.
        subscribingThread.store(0, ordering: .relaxed)
        defer { subscribingThread.store(thread, ordering: .relaxed) }
        guard gate.word.load(ordering: .acquiring) & (DemandGate.closed | DemandGate.missed) == 0, let holder else {
            // It is over, or something is queued, which goes first.
            offer(value, from: slot)
            drain(isStaying: true)
            return .none
        }
        _ = holder._withUnsafeGuaranteedRef { $0.subscriber.receive(value) }
        return isSwitching ? .none : .max(1)
    }

    @inlinable
    func enqueue(_ value: Output, from slot: InnerSlot) -> Subscribers.Demand {
        guard !gate.isClosed else { return .none }
        if slot.subscribingThread.load(ordering: .relaxed) == UInt(current_thread()) { slot.held += 1 }
        offer(value, from: slot)
        if gate.enterOrMark() { drain() }
        return .none
    }

    @inlinable
    func offer(_ value: Output, from slot: InnerSlot) {
        state.withLock { state in
            guard slot.place != nil else { return }
            slot.queued += 1
            state.values.append((value, slot))
            queued.store(state.values.count, ordering: .releasing)
        }
    }

    @inlinable
    func innerEnded(_ slot: InnerSlot, _ completion: Subscribers.Completion<Failure>) {
        guard slot.finish() else { return }
        if case .failure(let error) = completion {
            fail(error, of: slot)
        } else if finished(slot), maxPublishers != .unlimited {
            outer.request(.max(1))
        }
        if gate.enterOrMark() { drain() }
    }

    /// - Returns: Whether there is room for another: nothing of it is in the queue.
    @inlinable
    func finished(_ slot: InnerSlot) -> Bool {
        state.withLock { state in
            guard slot.place != nil else { return false }
            slot.isFinished = true
            guard slot.queued == 0 else { return false }
            state.remove(slot)
            return true
        }
    }

    /// Cancels everything else at once, whoever is delivering, and keeps the first failure to be delivered then.
    ///
    /// - Parameter slot: Whose failure it is; nil for the outer publisher's.
    @inlinable
    func fail(_ error: Failure, of slot: InnerSlot?) {
        let others = state.withLock { state -> [InnerSlot]? in
            if let slot, slot.place == nil { return nil }
            guard !state.isFailing else { return nil }
            state.isFailing = true
            return state.takeInners()
        }
        guard let others else { return }
        // All of them are over before the first is cancelled: what another sends from inside that comes too late.
        let subscriptions = ([outer] + others).map { $0.end().subscription }
        for subscription in subscriptions { subscription?.cancel() }
        state.withLock { if $0.isFailing { $0.failure = error } }
    }

    @inlinable
    func outerEnded(_ completion: Subscribers.Completion<Failure>) {
        guard outer.finish() else { return }
        if case .failure(let error) = completion {
            fail(error, of: nil)
        } else {
            state.withLock { $0.isOuterDone = true }
        }
        if gate.enterOrMark() { drain() }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard isSwitching else {
            if gate.request(demand) { drain() }
            return
        }
        guard demand > .none else { return }
        // Under the lock, so that an inner publisher that comes meanwhile is asked for this once.
        let newest = state.withLock { state in
            gate.add(demand)
            return state.newest
        }
        // Outside of the gate: what it delivers at once passes straight through, and does not gather here.
        newest?.request(demand)
        if gate.enterOrMark() { drain() }
    }

    @inlinable
    func cancel() {
        let isLastOwner = gate.close()
        outer.cancel()
        for slot in state.withLock({ $0.takeInners() }) { slot.cancel() }
        if isLastOwner { release() }
    }
}
