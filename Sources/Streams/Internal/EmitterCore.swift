import Synchronization

/// One subscriber of `create`: serialises what any thread sends, within the demand, by the strategy.
///
/// A value that finds the gate idle and demand left goes straight through: two atomic operations. Everything else is
/// queued and delivered by the gate's owner. The queue is empty whenever the gate is idle and there is demand.
///
/// Unchecked because of `holder`, which only the owner of the gate touches: entering the gate acquires, leaving it
/// releases, and it has one owner at a time.
@usableFromInline
final class EmitterCore<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    @usableFromInline typealias Completion = Subscribers.Completion<Failure>

    /// Owned until the subscription was delivered.
    @usableFromInline let gate = DemandGate(owned: true)
    /// Unmanaged, so that a call through it neither retains nor releases; nil once it is over.
    @exclusivity(unchecked) @usableFromInline var holder: Unmanaged<Holder>?
    @usableFromInline let pending = Mutex(Pending())
    @usableFromInline let strategy: BackpressureStrategy<Failure>
    /// What the factory returned.
    @usableFromInline let resource = SingleAssignmentDisposable()

    @usableFromInline
    final class Holder: Sendable {
        @usableFromInline let downstream: AnySubscriber<Output, Failure>

        @inlinable
        init(_ downstream: AnySubscriber<Output, Failure>) {
            self.downstream = downstream
        }
    }

    @usableFromInline
    struct Pending: Sendable {
        @usableFromInline var values = Deque<Output>()
        @usableFromInline var completion: Completion?
        @usableFromInline var hasOverflowed = false
        @usableFromInline var onRequest: (@Sendable (Subscribers.Demand) -> Void)?
        @usableFromInline var requestedEarly = Subscribers.Demand.none

        @inlinable
        init() {}
    }

    @usableFromInline
    enum Step {
        case value(Output)
        case complete(Completion)
        case overflow
        case idle
    }

    @inlinable
    init(_ downstream: AnySubscriber<Output, Failure>, strategy: BackpressureStrategy<Failure>) {
        holder = .passRetained(Holder(downstream))
        self.strategy = strategy
    }

    deinit {
        holder?.release()
    }

    /// Delivers the subscription, then runs the factory.
    @inlinable
    func start(_ factory: (Emitter<Output, Failure>) -> any Cancellable) {
        holder?._withUnsafeGuaranteedRef { $0.downstream.receive(subscription: self) }
        drain()
        if !gate.isClosed { resource.set(factory(Emitter(core: self))) }
    }

    /// Delivers the subscription, then subscribes to an upstream, which a cancel reaches from its first value on.
    @inlinable
    func start(cancelling upstream: UpstreamSlot, _ subscribe: (Emitter<Output, Failure>) -> Void) {
        resource.set(upstream)
        holder?._withUnsafeGuaranteedRef { $0.downstream.receive(subscription: self) }
        drain()
        if !gate.isClosed { subscribe(Emitter(core: self)) }
    }

    @inlinable
    func send(_ value: Output) {
        guard let demand = gate.tryEnter() else {
            if !gate.isClosed, offer(value), gate.enterOrMark() { drain() }
            return
        }
        guard demand > 0, let holder else {
            _ = offer(value)
            return drain()
        }
        let more = holder._withUnsafeGuaranteedRef { $0.downstream.receive(value) }
        if more.count != 0 { noteRequest(more) }
        switch gate.leave(delivered: 1, adding: more) {
        case .left: break
        case .again: drain()
        case .closed: release()
        }
    }

    @inlinable
    func send(completion: Completion) {
        let dropped = pending.withLock { pending in
            guard pending.completion == nil else { return Deque<Output>() }
            pending.completion = completion
            guard strategy.failsAtOnce, case .failure = completion else { return Deque<Output>() }
            defer { pending.values = Deque() }
            return pending.values
        }
        withExtendedLifetime(dropped) {}
        if gate.enterOrMark() { drain() }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        if gate.request(demand) { drain() }
        noteRequest(demand)
    }

    @inlinable
    func cancel() {
        if gate.close() { release() }
        resource.cancel()
    }

    /// Tells `handler` of every request from now on, and of all that came before.
    @inlinable
    func onRequest(_ handler: @escaping @Sendable (Subscribers.Demand) -> Void) {
        let early = pending.withLock { pending in
            defer { pending.requestedEarly = .none }
            if !gate.isClosed { pending.onRequest = handler }
            return pending.requestedEarly
        }
        if early > .none { handler(early) }
    }

    @inlinable
    func noteRequest(_ demand: Subscribers.Demand) {
        pending.withLock { pending in
            if pending.onRequest == nil { pending.requestedEarly += demand }
            return pending.onRequest
        }?(demand)
    }

    /// Queues a value, if the strategy has room for it beyond what is requested.
    @inlinable
    func offer(_ value: Output) -> Bool {
        let dropped = pending.withLock { pending -> (isNews: Bool, Output?) in
            guard pending.completion == nil, !pending.hasOverflowed else { return (false, nil) }
            let (room, isEndless) = strategy.limit.addingReportingOverflow(gate.demand)
            if isEndless || pending.values.count < room {
                pending.values.append(value)
                return (true, nil)
            }
            switch strategy.overflow {
            case .dropNewest: return (false, nil)
            case .dropOldest:
                pending.values.append(value)
                return (true, pending.values.popFirst())
            case .fail:
                pending.hasOverflowed = true
                return (true, nil)
            }
        }
        return dropped.isNews
    }

    @inlinable
    func drain() {
        while true {
            var delivered = 0
            var added = Subscribers.Demand.none
            let available = gate.demand
            loop: while !gate.isClosed {
                switch next(hasDemand: available == .max || delivered < available) {
                case .idle: break loop
                case .complete(let completion): return end(completion)
                case .overflow: return endOverflowed()
                case .value(let value):
                    delivered += 1
                    let more = holder?._withUnsafeGuaranteedRef { $0.downstream.receive(value) } ?? .none
                    if more.count != 0 {
                        added += more
                        noteRequest(more)
                    }
                }
            }
            switch gate.leave(delivered: delivered, adding: added) {
            case .left where added.count == 0 || !hasWork: return
            case .left: if !gate.enterOrMark() { return }
            case .again: break
            case .closed: return release()
            }
        }
    }

    @inlinable
    var hasWork: Bool {
        pending.withLock { !$0.values.isEmpty || $0.completion != nil }
    }

    @inlinable
    func next(hasDemand: Bool) -> Step {
        let (step, dropped) = pending.withLock { pending -> (Step, [Output]) in
            if pending.hasOverflowed { return (.overflow, []) }
            if hasDemand, let value = pending.values.popFirst() { return (.value(value), []) }
            // What came while somebody else was delivering may be more than the strategy keeps.
            var dropped: [Output] = []
            while !hasDemand, pending.values.count > strategy.limit {
                if case .fail = strategy.overflow { return (.overflow, []) }
                if let value = pending.values.popFirst() { dropped.append(value) }
            }
            if pending.values.isEmpty, let completion = pending.completion { return (.complete(completion), dropped) }
            return (.idle, dropped)
        }
        withExtendedLifetime(dropped) {}
        return step
    }

    @inlinable
    func end(_ completion: Completion) {
        if gate.closeAsOwner() {
            holder?._withUnsafeGuaranteedRef { $0.downstream.receive(completion: completion) }
        }
        release()
        resource.cancel()
    }

    @inlinable
    func endOverflowed() {
        // The user's closure, so not under the lock.
        if case .fail(let makeFailure) = strategy.overflow { end(.failure(makeFailure())) }
    }

    /// Lets go of the subscriber and of what was queued for it: only the last owner does.
    @inlinable
    func release() {
        let emptied = pending.withLock { pending in
            defer { pending = Pending() }
            return pending
        }
        withExtendedLifetime(emptied) {}
        holder.take()?.release()
    }
}
