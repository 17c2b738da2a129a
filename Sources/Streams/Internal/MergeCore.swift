import Synchronization

/// Many inner publishers into one subscriber: what stands behind `flatMap`, `merge` and `switchToLatest`.
///
/// A value that finds the gate idle and demand left goes straight through. While an inner publisher is being subscribed
/// to, the gate is owned by that thread, and what it delivers meanwhile goes through without touching the gate. All
/// else is queued. While demand is finite every inner publisher is asked for one value at a time, so the queue holds
/// one of each at most.
///
/// Unchecked because of `holder` and `phase`, which only the owner of the gate touches.
@usableFromInline
final class MergeCore<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    @usableFromInline typealias QueuedValue = (value: Output, from: UpstreamSlot)
    @usableFromInline typealias Holder = EmitterCore<Output, Failure>.Holder

    @usableFromInline let gate = DemandGate()
    @exclusivity(unchecked) @usableFromInline var holder: Unmanaged<Holder>?
    @exclusivity(unchecked) @usableFromInline var phase = Phase()
    /// The thread that owns the gate while it subscribes to an inner publisher; 0 when there is none.
    @usableFromInline let subscribingThread = Atomic<UInt>(0)
    @usableFromInline let queued = Atomic(0)
    @usableFromInline let state = Mutex(State())
    @usableFromInline let outer = UpstreamSlot()
    @usableFromInline let maxPublishers: Subscribers.Demand
    /// Whether a new inner publisher replaces the one before.
    @usableFromInline let isSwitching: Bool

    /// What has happened since the owner began to subscribe, to be settled when it leaves.
    @usableFromInline
    struct Phase {
        @usableFromInline var isDelivering = false
        @usableFromInline var delivered = 0
        @usableFromInline var added = Subscribers.Demand.none

        @inlinable
        init() {}
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var inners: [ObjectIdentifier: UpstreamSlot] = [:]
        @usableFromInline var values = Deque<QueuedValue>()
        @usableFromInline var isOuterDone = false
        @usableFromInline var failure: Failure?

        @inlinable
        init() {}
    }

    @usableFromInline
    enum Step {
        case value(Output, from: UpstreamSlot)
        case end(Subscribers.Completion<Failure>)
        case idle
    }

    @inlinable
    init(_ downstream: AnySubscriber<Output, Failure>, maxPublishers: Subscribers.Demand, isSwitching: Bool) {
        holder = .passRetained(Holder(downstream))
        self.maxPublishers = maxPublishers
        self.isSwitching = isSwitching
    }

    deinit {
        holder?.release()
    }

    @inlinable
    func start(_ subscription: any Subscription) {
        guard outer.receive(subscription) else { return }
        holder?._withUnsafeGuaranteedRef { $0.downstream.receive(subscription: self) }
        outer.request(maxPublishers)
    }

    /// Subscribes to one more inner publisher.
    @inlinable @inline(__always)
    func attach<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        guard !gate.isClosed, !outer.isDone else { return }
        let slot = UpstreamSlot()
        admit(slot)
        let isOwner = gate.tryEnter()
        if isOwner { subscribingThread.store(currentThread, ordering: .relaxed) }
        publisher.receive(subscriber: MergeInner(core: self, slot: slot))
        if isOwner { endPhase() }
    }

    @inlinable
    func admit(_ slot: UpstreamSlot) {
        let superseded = state.withLock { state -> (slots: [UpstreamSlot], values: Deque<QueuedValue>) in
            let superseded = isSwitching ? (Array(state.inners.values), state.values) : ([], Deque())
            if isSwitching {
                state.inners = [:]
                state.values = Deque()
                queued.store(0, ordering: .releasing)
            }
            state.inners[ObjectIdentifier(slot)] = slot
            return superseded
        }
        for slot in superseded.slots { slot.cancel() }
        // Cancelled while it was being admitted: nobody else will.
        if gate.isClosed { slot.cancel() }
    }

    @inlinable
    func endPhase() {
        subscribingThread.store(0, ordering: .relaxed)
        let ended = phase
        phase = Phase()
        settle(delivered: ended.delivered, added: ended.added)
    }

    @inlinable @inline(__always)
    func receive(_ value: Output, from slot: UpstreamSlot) -> Subscribers.Demand {
        if subscribingThread.load(ordering: .relaxed) == currentThread {
            return receiveWhileSubscribing(value, from: slot)
        }
        guard gate.tryEnter() else { return enqueue(value, from: slot) }
        guard gate.demand > 0, let holder, queued.load(ordering: .acquiring) == 0 else {
            offer(value, from: slot)
            drain()
            return .none
        }
        guard !slot.isDone else {
            settle(delivered: 0, added: .none)
            return .none
        }
        let more = holder._withUnsafeGuaranteedRef { $0.downstream.receive(value) }
        settle(delivered: 1, added: more)
        return .max(1)
    }

    @inlinable @inline(__always)
    func receiveWhileSubscribing(_ value: Output, from slot: UpstreamSlot) -> Subscribers.Demand {
        let demand = gate.demand
        guard !phase.isDelivering, demand == .max || demand > phase.delivered, let holder,
            queued.load(ordering: .acquiring) == 0
        else { return enqueue(value, from: slot) }
        guard !slot.isDone, !gate.isClosed else { return .none }
        phase.isDelivering = true
        phase.delivered += 1
        let more = holder._withUnsafeGuaranteedRef { $0.downstream.receive(value) }
        phase.isDelivering = false
        if more.count != 0 { phase.added += more }
        return .max(1)
    }

    @inlinable
    func enqueue(_ value: Output, from slot: UpstreamSlot) -> Subscribers.Demand {
        guard !gate.isClosed else { return .none }
        offer(value, from: slot)
        if gate.enterOrMark() { drain() }
        return .none
    }

    @inlinable
    func offer(_ value: Output, from slot: UpstreamSlot) {
        state.withLock { state in
            guard state.inners[ObjectIdentifier(slot)] != nil else { return }
            state.values.append((value, slot))
            queued.store(state.values.count, ordering: .releasing)
        }
    }

    @inlinable
    func innerEnded(_ slot: UpstreamSlot, _ completion: Subscribers.Completion<Failure>) {
        guard slot.finish() else { return }
        state.withLock { state in
            guard state.inners.removeValue(forKey: ObjectIdentifier(slot)) != nil else { return }
            if case .failure(let error) = completion, state.failure == nil { state.failure = error }
        }
        if maxPublishers != .unlimited, case .finished = completion { outer.request(.max(1)) }
        if gate.enterOrMark() { drain() }
    }

    @inlinable
    func outerEnded(_ completion: Subscribers.Completion<Failure>) {
        guard outer.finish() else { return }
        state.withLock { state in
            state.isOuterDone = true
            if case .failure(let error) = completion, state.failure == nil { state.failure = error }
        }
        if gate.enterOrMark() { drain() }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        if gate.request(demand) { drain() }
    }

    @inlinable
    func cancel() {
        let isLastOwner = gate.close()
        outer.cancel()
        for slot in takeInners() { slot.cancel() }
        if isLastOwner { release() }
    }

    @inlinable
    func takeInners() -> [UpstreamSlot] {
        state.withLock { state in
            defer { state.inners = [:] }
            return Array(state.inners.values)
        }
    }
}
