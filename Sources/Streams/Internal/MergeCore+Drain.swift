import Synchronization

extension MergeCore {
    /// As the owner: settles what was delivered and leaves, or goes on with what was missed.
    @inlinable @inline(__always)
    func settle(delivered: Int, added: Subscribers.Demand) {
        switch gate.leave(delivered: delivered, adding: added) {
        case .left: break
        case .again: drain()
        case .closed: release()
        }
    }

    /// As the owner: delivers what is queued, within the demand, and leaves, unless it stays.
    @inlinable
    func drain(isStaying: Bool = false) {
        while true {
            var delivered = 0
            var added = Subscribers.Demand.none
            let available = gate.demand
            loop: while !gate.isClosed {
                switch next(hasDemand: available == .max || delivered < available) {
                case .idle: break loop
                case .end(let completion): return end(completion)
                case .value(let value, let slot, let isLast):
                    delivered += 1
                    let more = holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(value) } ?? .none
                    added += more
                    if isLast { admitNext() } else { slot.request(.max(1)) }
                }
            }
            let outcome =
                isStaying
                ? gate.stay(delivered: delivered, adding: added) : gate.leave(delivered: delivered, adding: added)
            switch outcome {
            case .left:
                // What the deliveries asked for may be there already, or have come while the demand was unknown.
                guard gate.demand > 0, !state.withLock({ $0.values.isEmpty }), isStaying || gate.enterOrMark() else {
                    return
                }
            case .again: break
            case .closed: return release()
            }
        }
    }

    @inlinable
    func next(hasDemand: Bool) -> Step {
        state.withLock { state in
            if let failure = state.failure { return .end(.failure(failure)) }
            if hasDemand, let (value, slot) = state.values.popFirst() {
                queued.store(state.values.count, ordering: .releasing)
                let key = ObjectIdentifier(slot)
                state.inners[key]?.queued -= 1
                let isLast = state.inners[key].map { $0.isFinished && $0.queued == 0 } ?? false
                if isLast { state.inners[key] = nil }
                return .value(value, from: slot, isLast: isLast)
            }
            if state.isOuterDone, state.inners.isEmpty, state.values.isEmpty { return .end(.finished) }
            return .idle
        }
    }

    @inlinable
    func end(_ completion: Subscribers.Completion<Failure>) {
        let isFirst = gate.closeAsOwner()
        outer.cancel()
        for slot in state.withLock({ $0.takeInners() }) { slot.cancel() }
        if isFirst { holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(completion: completion) } }
        release()
    }

    /// Lets go of the subscriber and of what was queued for it: only the last owner does.
    @inlinable
    func release() {
        let left = state.withLock { state in
            defer { state = State() }
            return state
        }
        withExtendedLifetime(left) {}
        holder.take()?.release()
    }
}

/// The subscriber of one inner publisher.
@frozen @usableFromInline
struct MergeInner<Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Input = Downstream.Input
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline let core: MergeCore<Downstream>
    @usableFromInline let slot: UpstreamSlot

    @inlinable @inline(__always)
    init(core: MergeCore<Downstream>, slot: UpstreamSlot) {
        self.core = core
        self.slot = slot
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        guard slot.receive(subscription) else { return }
        subscription.request(core.gate.demand == .max ? .unlimited : .max(1))
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        slot.isDone ? .none : core.receive(input, from: slot)
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Failure>) {
        core.innerEnded(slot, completion)
    }
}

/// The subscriber of the publisher whose values become publishers.
@frozen @usableFromInline
struct MergeOuter<Input: Sendable, Inner: Publisher, Downstream: Subscriber>: Subscriber
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
    @usableFromInline let core: MergeCore<Downstream>
    @usableFromInline let transform: @Sendable (Input) -> Inner

    @inlinable @inline(__always)
    init(core: MergeCore<Downstream>, transform: @escaping @Sendable (Input) -> Inner) {
        self.core = core
        self.transform = transform
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        core.start(subscription)
    }

    @inlinable @inline(__always)
    func receive(_ input: Input) -> Subscribers.Demand {
        core.attach(transform(input))
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Inner.Failure>) {
        core.outerEnded(completion)
    }
}
