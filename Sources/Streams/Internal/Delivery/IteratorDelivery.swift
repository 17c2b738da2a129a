extension DrainedSubscription {
    /// Gives a subscriber its subscription, and then as many of an iterator's elements as it requests.
    ///
    /// A subscriber that asks for everything at once is served in one loop over the types that the client's compiler
    /// knows.
    ///
    /// - Parameter readsAhead: Whether one element is fetched before it is requested, to learn that there is one more:
    ///   then the completion never waits for demand.
    @inlinable @inline(__always)
    static func deliver<Iterator: IteratorProtocol, Downstream: Subscriber>(
        _ iterator: Iterator, readingAhead readsAhead: Bool = true, to downstream: Downstream
    ) where Downstream.Input == Iterator.Element {
        let subscription = DrainedSubscription(isPulled: true)
        downstream.receive(subscription: subscription)
        guard subscription.gate.demand == .max else { return subscription.keep(iterator, readsAhead, downstream) }
        var iterator = iterator
        while !subscription.gate.isClosed {
            guard let element = iterator.next() else {
                if subscription.gate.closeAsOwner() { downstream.receive(completion: .finished) }
                return
            }
            _ = downstream.receive(element)
        }
    }

    /// An iterator, and an element fetched ahead of its request.
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
    func keep<Iterator: IteratorProtocol, Downstream: Subscriber>(
        _ iterator: Iterator, _ readsAhead: Bool, _ downstream: Downstream
    ) where Downstream.Input == Iterator.Element {
        var kept: Remaining<Iterator>? = Remaining(iterator)
        deliver { subscription in
            // Taken out, not copied: an iterator may hold the only reference to what it walks over.
            guard var remaining = kept.take() else { return nil }
            var left = subscription.gate.demand
            var delivered = 0
            // Unlimited demand is more than there will ever be.
            while !subscription.gate.isClosed, left > delivered {
                guard let element = remaining.next.take() ?? remaining.iterator.next() else {
                    return subscription.end { downstream.receive(completion: .finished) }
                }
                delivered &+= 1
                let more = downstream.receive(element)
                if left != .max, more > .none {
                    left = (Subscribers.Demand(count: left) + more).count
                    _ = subscription.gate.request(more)
                }
            }
            if readsAhead, remaining.next == nil, !subscription.gate.isClosed {
                remaining.next = remaining.iterator.next()
                if remaining.next == nil {
                    return subscription.end { downstream.receive(completion: .finished) }
                }
            }
            kept = remaining
            return delivered
        }
        drain()
    }
}
