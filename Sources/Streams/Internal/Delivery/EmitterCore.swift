import Synchronization

/// One subscriber of `create`, `buffer`, `ReplaySubject` or a group: serialises what any thread sends, within the demand, by the
/// strategy; `Backlog` says how.
///
/// A value that finds the gate idle and demand left goes straight through: two atomic operations. Everything else is
/// queued and delivered by the gate's owner.
///
/// Unchecked because of `holder` and `batch`, which only the owner of the gate touches: entering the gate acquires,
/// leaving it releases, and it has one owner at a time.
@usableFromInline
final class EmitterCore<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>

    /// Owned until the subscription was delivered.
    @usableFromInline let gate = DemandGate(owned: true)
    /// Unmanaged, so that a call through it neither retains nor releases; nil once it is over.
    @exclusivity(unchecked) @usableFromInline var holder: Unmanaged<SubscriberBox<AnySubscriber<Output, Failure>>>?
    /// What is being delivered, out of the lock's reach.
    @exclusivity(unchecked) @usableFromInline var batch = Deque<Output>()
    @usableFromInline let backlog = Mutex(Backlog<Output, Failure>())
    @usableFromInline let listener = RequestListener()
    @usableFromInline let strategy: BackpressureStrategy<Failure>
    /// What the factory returned.
    @usableFromInline let resource = SingleAssignmentDisposable()

    @inlinable
    convenience init(_ downstream: AnySubscriber<Output, Failure>, strategy: BackpressureStrategy<Failure>) {
        self.init(strategy: strategy)
        holder = .passRetained(SubscriberBox(downstream))
    }

    /// One whose subscriber is still to come: until then the strategy decides about what is sent, and nobody but the one
    /// that begins owns the gate.
    @inlinable
    init(strategy: BackpressureStrategy<Failure>) {
        self.strategy = strategy
    }

    deinit {
        holder?.release()
    }

    /// Delivers the subscription to the subscriber that has come, then what waits for it.
    @inlinable
    func begin(_ downstream: AnySubscriber<Output, Failure>) {
        let holder = SubscriberBox(downstream)
        self.holder = .passRetained(holder)
        holder.subscriber.receive(subscription: self)
        drain()
    }

    /// Delivers the subscription, then runs the factory.
    @inlinable
    func start(_ factory: (Emitter<Output, Failure>) -> any Cancellable) {
        holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(subscription: self) }
        drain()
        if !gate.isClosed { resource.set(factory(Emitter(core: self))) }
    }

    /// Delivers the subscription, then subscribes to an upstream, which a cancel reaches from its first value on.
    @inlinable
    func start(cancelling upstream: UpstreamSlot, _ subscribe: (Emitter<Output, Failure>) -> Void) {
        resource.set(upstream)
        holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(subscription: self) }
        drain()
        if !gate.isClosed { subscribe(Emitter(core: self)) }
    }

    /// The way straight through stands alone: with the others in one function it would save and restore registers for each value, and be too
    /// large for its callers to take in.
    @inlinable
    func send(_ value: Output) {
        let entry = gate.tryEnterUnlimited()
        guard entry.exchanged else { return send(value, within: entry.original) }
        let more = deliver(value)
        let left = gate.leaveUnlimited()
        if left.exchanged, more.count == 0 { return }
        settle(left, adding: more)
    }

    /// Sends where demand has an end, or none is left.
    @inlinable @inline(never)
    func send(_ value: Output, within word: UInt) {
        guard gate.tryTake(from: word) else { return enqueue(value) }
        let more = deliver(value)
        settle(gate.leaveUnlimited(), adding: more)
    }

    @inlinable @inline(__always)
    func deliver(_ value: Output) -> Subscribers.Demand {
        holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(value) } ?? .none
    }

    @inlinable @inline(never)
    func settle(_ left: (exchanged: Bool, original: UInt), adding more: Subscribers.Demand) {
        settle(left.exchanged ? .left : gate.leave(from: left.original, delivered: 0, adding: more), adding: more)
    }

    /// Does what is left to be done after a delivery, as its outcome at the gate says.
    @inlinable
    func settle(_ outcome: DemandGate.Leave, adding more: Subscribers.Demand) {
        // Once it counts: told before that, a source would look at `requested` in vain, and not be told again.
        if more.count != 0 { listener.note(more) }
        switch outcome {
        case .left: if more.count != 0 { listener.tell() }
        case .again: drain()
        case .closed: release()
        }
    }

    @inlinable
    func enqueue(_ value: Output) {
        guard !gate.isClosed else { return }
        let (isNews, dropped) = backlog.withLock { $0.offer(value, gate, strategy) }
        withExtendedLifetime(dropped) {}
        if isNews, gate.enterOrMark() { drain() }
    }

    @inlinable
    func send(completion: Completion) {
        let discardsKept = if case .failure = completion { strategy.failsAtOnce } else { false }
        backlog.withLock { $0.finish(.completion(completion), discardingKept: discardsKept, gate) }
        if gate.enterOrMark() { drain() }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let isOwner = gate.request(demand)
        listener.note(demand)
        // Whoever is delivering may have looked before that was noted, and looks again.
        if isOwner || gate.enterOrMark() { drain() }
    }

    /// What was requested and neither sent nor kept; nothing once the end has been sent, or the subscriber has left.
    @inlinable
    var requested: Subscribers.Demand {
        let word = gate.word.load(ordering: .acquiring)
        if word & DemandGate.closed != 0 { return .none }
        // An idle gate with demand has nothing queued.
        if word & DemandGate.owned == 0 { return Subscribers.Demand(count: DemandGate.demand(in: word)) }
        return Subscribers.Demand(count: backlog.withLock { $0.demand(gate) })
    }

    @inlinable
    func cancel() {
        if gate.close() { release() }
        resource.cancel()
    }

    /// Tells `handler` of every request from now on, and of all that came before: behind the delivery that is under way.
    @inlinable
    func onRequest(_ handler: @escaping @Sendable (Subscribers.Demand) -> Void) {
        listener.set(handler, unless: { gate.isClosed })
        if gate.enterOrMark() { drain() }
    }

    /// As the owner of the gate: delivers what there is, and leaves.
    @inlinable
    func drain() {
        while true {
            switch gate.isClosed ? .idle : backlog.withLock({ $0.next(into: &batch, gate) }) {
            case .values: deliverBatch()
            case .end(.completion(let completion)): return end(completion)
            case .end(.overflow): return endOverflowed()
            case .idle:
                switch gate.leave() {
                case .left: return listener.tell()
                case .again: break
                case .closed: return release()
                }
            }
        }
    }

    @inlinable
    func deliverBatch() {
        guard let holder else { return }
        while !gate.isClosed, let value = batch.popFirst() {
            let more = holder._withUnsafeGuaranteedRef { $0.subscriber.receive(value) }
            if more.count != 0 {
                // It counts from now on, not from the end of the batch.
                gate.add(more)
                listener.note(more)
            }
        }
    }

    @inlinable
    func end(_ completion: Completion) {
        if gate.closeAsOwner() {
            holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(completion: completion) }
        }
        release()
        resource.cancel()
    }

    @inlinable
    func endOverflowed() {
        // Who ends a stream before its upstream does cancels that first.
        resource.cancel()
        if case .fail(let makeFailure) = strategy.overflow { end(.failure(makeFailure())) }
    }

    /// Lets go of the subscriber and of what was queued for it: only the last owner does.
    @inlinable
    func release() {
        let queued = backlog.withLock { $0.close() }
        let undelivered = batch
        batch = Deque()
        listener.remove()
        holder.take()?.release()
        withExtendedLifetime((queued, undelivered)) {}
    }
}
