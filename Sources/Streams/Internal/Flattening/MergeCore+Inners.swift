public import CThread
import Synchronization

extension MergeCore {
    /// Subscribes to one more inner publisher.
    ///
    /// - Returns: How many more values the outer publisher is asked for.
    @inlinable @inline(__always)
    func attach<P: Publisher>(_ publisher: P) -> Subscribers.Demand where P.Output == Output, P.Failure == Failure {
        guard !gate.isClosed, !outer.isDone else { return .none }
        let slot = InnerSlot()
        admit(slot)
        publisher.receive(subscriber: MergeInner(core: self, slot: slot))
        attached(slot)
        return isOuterPulled.load(ordering: .relaxed) ? demandOfOuter() : .none
    }

    /// The inner publisher has its subscriber: whatever comes of it now comes by itself.
    @inlinable
    func attached(_ slot: InnerSlot) {
        slot.subscribingThread.store(0, ordering: .relaxed)
        switch slot.start {
        case .asOwner:
            subscribingThread.store(0, ordering: .relaxed)
            settle(delivered: 0, added: .none)
        case .probing where slot.held < InnerSlot.window: slot.request(.unlimited)
        default: break
        }
    }

    /// One more where nothing waits; else it waits too.
    @inlinable
    func demandOfOuter() -> Subscribers.Demand {
        if queued.load(ordering: .acquiring) == 0 { return .max(1) }
        return state.withLock { state in
            state.isOuterWaiting = !state.values.isEmpty
            return state.isOuterWaiting ? .none : .max(1)
        }
    }

    /// What an inner publisher is asked for when its subscription comes.
    @inlinable
    func firstDemand(of slot: InnerSlot, _ subscription: any Subscription) -> Subscribers.Demand {
        // A newest one has been asked for what is open as it was let in.
        if gate.demand != .max { return isSwitching ? .none : .max(1) }
        let thread = UInt(current_thread())
        // One that comes later, or inside another that passes its values through.
        guard slot.subscribingThread.load(ordering: .relaxed) == thread,
            subscribingThread.load(ordering: .relaxed) != thread
        else { return .unlimited }
        if DrainedSubscription.isPulled(subscription), gate.tryEnter() != nil {
            slot.start = .asOwner
            subscribingThread.store(thread, ordering: .relaxed)
        } else if gate.word.load(ordering: .relaxed) & DemandGate.owned != 0 {
            slot.start = .probing
            return .max(InnerSlot.window)
        }
        return .unlimited
    }

    @inlinable
    func admit(_ slot: InnerSlot) {
        var open = 0
        let refused = state.withLock { state -> (slots: [InnerSlot], values: Deque<QueuedValue>) in
            if state.isFailing { return ([slot], Deque()) }
            if isSwitching { open = gate.demand }
            let superseded = isSwitching ? (state.takeInners(), state.values) : ([], Deque())
            if isSwitching {
                state.values = Deque()
                queued.store(0, ordering: .releasing)
            }
            state.add(slot)
            return superseded
        }
        for slot in refused.slots { slot.cancel() }
        if open != .max { slot.request(.max(open)) }
        // Cancelled while it was being admitted: nobody else will.
        if gate.isClosed { slot.cancel() }
    }
}
