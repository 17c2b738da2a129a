import Synchronization

/// Delivers an iterator's elements as they are requested: what stands behind `Just`, `Sequence` and their kin.
///
/// `start` runs on the subscriber that the client's compiler knows, and so the whole chain is one loop; what is
/// requested later comes through `request`, one gate word for each burst.
///
/// Unchecked because of `state`, which only the owner of the gate touches: entering the gate acquires, leaving it
/// releases, and it has one owner at a time. Whoever makes the subscription owns the gate until `start`.
@usableFromInline
final class IteratorSubscription<Iterator: IteratorProtocol, Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Input == Iterator.Element {
    @usableFromInline let gate = DemandGate(owned: true)
    @exclusivity(unchecked) @usableFromInline var state: State?

    @usableFromInline
    struct State {
        @usableFromInline var iterator: Iterator
        @usableFromInline let downstream: Downstream
        /// An element fetched to learn that there is one more, so that completion never waits for demand.
        @usableFromInline var next: Iterator.Element?

        @inlinable @inline(__always)
        init(iterator: Iterator, downstream: Downstream) {
            self.iterator = iterator
            self.downstream = downstream
        }
    }

    @inlinable @inline(__always)
    init(_ iterator: consuming Iterator, _ downstream: Downstream) {
        state = State(iterator: iterator, downstream: downstream)
    }

    /// Delivers what the subscriber requested when it got its subscription.
    @inlinable @inline(__always)
    func start(_ downstream: Downstream, _ iterator: consuming Iterator) {
        guard gate.demand == .max, !gate.isClosed else { return drain() }
        var iterator = iterator
        while let element = iterator.next() {
            _ = downstream.receive(element)
            if gate.isClosed { return release() }
        }
        if gate.closeAsOwner() { downstream.receive(completion: .finished) }
        release()
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        if gate.request(demand) { drain() }
    }

    @inlinable
    func cancel() {
        if gate.close() { release() }
    }

    @inlinable
    func drain() {
        guard var state = take() else { return }
        while true {
            if state.next == nil { state.next = state.iterator.next() }
            var delivered = 0
            var left = gate.demand
            while let element = state.next, left > delivered || left == .max, !gate.isClosed {
                delivered += 1
                let more = state.downstream.receive(element)
                if left != .max, more > .none {
                    left = more == .unlimited ? .max : left + more.count
                    _ = gate.request(more)
                }
                state.next = state.iterator.next()
            }
            if state.next == nil {
                if gate.closeAsOwner() { state.downstream.receive(completion: .finished) }
                return
            }
            // Back into the cell before leaving: another owner may enter at once.
            self.state = state
            switch gate.leave(delivered: delivered) {
            case .left: return
            case .closed: return release()
            case .again: release()
            }
        }
    }

    @inlinable
    func take() -> State? {
        defer { state = nil }
        return state
    }

    @inlinable
    func release() {
        _ = take()
    }
}
