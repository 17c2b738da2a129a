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
    ///
    /// It leaves before it asks for the next inner publisher, and for more of the one that it has delivered a value of last:
    /// what these deliver at once passes straight through then.
    @inlinable
    func drain(isStaying: Bool = false) {
        var room = 0
        var last: InnerSlot?
        while true {
            var delivered = 0
            loop: while !gate.isClosed {
                switch next(after: delivered) {
                case .idle: break loop
                case .end(let completion): return end(completion)
                case .value(let value, let slot, let isLast, let hasRoom):
                    delivered += 1
                    let more = holder?._withUnsafeGuaranteedRef { $0.subscriber.receive(value) } ?? .none
                    // It counts from now on: of what waits, a failure drops what is not requested.
                    if more.count != 0 { gate.add(more) }
                    if isSwitching {
                        slot.request(passOn(more, from: slot))
                    } else if !isLast {
                        let due = isStaying ? slot : last
                        if !isStaying { last = slot }
                        due?.request(.max(1))
                    }
                    if hasRoom { room += 1 }
                }
            }
            if isStaying, room > 0 {
                outer.request(.max(room))
                room = 0
            }
            switch isStaying ? gate.stay(delivered: delivered) : gate.leave(delivered: delivered) {
            case .left:
                // What the deliveries asked for may be there already, or have come while the demand was unknown.
                if gate.demand > 0, !state.withLock({ $0.values.isEmpty }), isStaying || gate.enterOrMark() { break }
                if room > 0 { outer.request(.max(room)) }
                last?.request(.max(1))
                return
            case .again: break
            case .closed: return release()
            }
        }
    }

    /// - Parameter delivered: How many values have been delivered that are still part of the demand.
    @inlinable
    func next(after delivered: Int) -> Step {
        state.withLock { state in
            // Under the lock, so that what was requested before a failure is seen with it.
            let demand = gate.demand
            let hasDemand = demand == .max || delivered < demand
            // A failure comes behind the values that wait and are requested: they came before it.
            if hasDemand, let (value, slot) = state.values.popFirst() {
                queued.store(state.values.count, ordering: .releasing)
                slot.queued -= 1
                let isLast = slot.place != nil && slot.isFinished && slot.queued == 0
                if isLast { state.remove(slot) }
                let isOuterDue = state.isOuterWaiting && state.values.isEmpty
                if isOuterDue { state.isOuterWaiting = false }
                return .value(
                    value, from: slot, isLast: isLast, hasRoom: isOuterDue || isLast && maxPublishers != .unlimited)
            }
            if let failure = state.failure { return .end(.failure(failure)) }
            if state.isFailing { return .idle }
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
    ///
    /// Whoever cancels may still be about to look for the inner publishers, and would find none.
    @inlinable
    func release() {
        let left = state.withLock { state -> (inners: [InnerSlot], values: Deque<QueuedValue>, failure: Failure?) in
            defer { state = State() }
            return (state.takeInners(), state.values, state.failure)
        }
        for slot in left.inners { slot.cancel() }
        holder.take()?.release()
        withExtendedLifetime(left) {}
    }
}
