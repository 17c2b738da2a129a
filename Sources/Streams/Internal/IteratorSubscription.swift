import Synchronization

/// Delivers an iterator's elements as they are requested: what stands behind `Just`, `Sequence` and their kin.
///
/// A subscriber that asks for everything when it gets its subscription is served in one loop over the types that the
/// client's compiler knows. For any other a closure made of them is kept: a generic class in its place would be entered,
/// and taken apart, through code that looks its types up at run time.
///
/// Unchecked because of `advance`, which only the owner of the gate touches: entering the gate acquires, leaving it
/// releases, and it has one owner at a time. Whoever makes the subscription owns the gate at first.
@usableFromInline
final class IteratorSubscription: Subscription, @unchecked Sendable {
    @usableFromInline let gate = DemandGate(owned: true)
    /// Delivers what there is demand for; returns how much that was, or nil when that was the end.
    @exclusivity(unchecked) @usableFromInline var advance: ((IteratorSubscription) -> Int?)?

    @inlinable
    init() {}

    /// Gives a subscriber its subscription, and then what it has requested.
    @inlinable @inline(__always)
    static func deliver<Iterator: IteratorProtocol, Downstream: Subscriber>(
        _ iterator: Iterator, to downstream: Downstream
    ) where Downstream.Input == Iterator.Element {
        let subscription = IteratorSubscription()
        downstream.receive(subscription: subscription)
        guard subscription.gate.demand == .max else { return subscription.keep(iterator, downstream) }
        var iterator = iterator
        while !subscription.gate.isClosed {
            guard let element = iterator.next() else {
                if subscription.gate.closeAsOwner() { downstream.receive(completion: .finished) }
                return
            }
            _ = downstream.receive(element)
        }
    }

    /// An iterator, and an element fetched to learn that there is one more, so that completion never waits for demand.
    @usableFromInline
    struct Remaining<Iterator: IteratorProtocol> {
        @usableFromInline var iterator: Iterator
        @usableFromInline var next: Iterator.Element?

        @inlinable
        init(_ iterator: Iterator) {
            self.iterator = iterator
        }
    }

    @inlinable
    func keep<Iterator: IteratorProtocol, Downstream: Subscriber>(_ iterator: Iterator, _ downstream: Downstream)
    where Downstream.Input == Iterator.Element {
        var kept: Remaining<Iterator>? = Remaining(iterator)
        advance = { subscription in
            // Taken out, not copied: an iterator may hold the only reference to what it walks over.
            guard var remaining = kept.take() else { return nil }
            var left = subscription.gate.demand
            var delivered = 0
            if remaining.next == nil { remaining.next = remaining.iterator.next() }
            while let element = remaining.next, left > delivered || left == .max, !subscription.gate.isClosed {
                delivered += 1
                let more = downstream.receive(element)
                if left != .max, more > .none {
                    left = more == .unlimited ? .max : left + more.count
                    _ = subscription.gate.request(more)
                }
                remaining.next = remaining.iterator.next()
            }
            guard remaining.next != nil else {
                if subscription.gate.closeAsOwner() { downstream.receive(completion: .finished) }
                return nil
            }
            kept = remaining
            return delivered
        }
        drain()
    }

    @usableFromInline
    func drain() {
        guard let advance else { return }
        while let delivered = advance(self) {
            switch gate.leave(delivered: delivered) {
            case .left: return
            case .again: continue
            case .closed: return release()
            }
        }
        release()
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        if gate.request(demand) { drain() }
    }

    @usableFromInline
    func cancel() {
        if gate.close() { release() }
    }

    private func release() {
        advance = nil
    }
}
