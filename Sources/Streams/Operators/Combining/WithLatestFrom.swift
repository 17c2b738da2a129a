extension Publisher {
    /// Delivers each value together with the latest of another publisher.
    ///
    ///     upstream                 1---2----3----4-|
    ///     other                    --a---------b-|
    ///     withLatestFrom(other)    ----2a---3a---4b|
    ///
    /// A value that comes before the other has delivered is left out. Demand: what is requested, and one more for each
    /// value left out; everything of the other, which comes first: a sequence is walked to its end before the upstream is
    /// subscribed to. Failure: the upstream's, behind its values; the other's, at once. The other's completion is ignored;
    /// it is cancelled at the end. Thread: the upstream's.
    ///
    /// - Parameter other: The other publisher.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func withLatestFrom<P: Publisher>(_ other: P) -> Publishers.WithLatestFrom<Self, P>
    where P.Failure == Failure {
        Publishers.WithLatestFrom(upstream: self, other: other)
    }

    /// Delivers the result of a closure for each value and the latest value of another publisher.
    ///
    ///     upstream                       1---2----3-|
    ///     other                          --a|
    ///     withLatestFrom(other) { … }    ----2a---3a|
    ///
    /// Demand, failure and thread as without the closure.
    ///
    /// - Parameters:
    ///   - other: The other publisher.
    ///   - transform: A closure that makes one value of two.
    @_disfavoredOverload
    @preconcurrency
    @inlinable @inline(__always)
    public func withLatestFrom<P: Publisher, T: Sendable>(
        _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, T> where P.Failure == Failure {
        withLatestFrom(other).map { transform($0.0, $0.1) }
    }
}

extension Publishers {
    /// Delivers each value together with the latest of another publisher.
    @frozen
    public struct WithLatestFrom<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
        public typealias Output = (Upstream.Output, Other.Output)
        public typealias Failure = Upstream.Failure

        /// The publisher whose values are delivered.
        public let upstream: Upstream
        /// The publisher whose latest value goes with each.
        public let other: Other

        /// Creates a publisher that delivers each value together with the latest of another one.
        ///
        /// - Parameters:
        ///   - upstream: The publisher whose values are delivered.
        ///   - other: The publisher whose latest value goes with each.
        @inlinable @inline(__always)
        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let values = SignalChannel<Upstream.Output, Failure>()
            let others = SignalChannel<Other.Output, Failure>()
            let (slot, otherSlot) = (UpstreamSlot(), UpstreamSlot())
            let join = DrainedSubscription(upstreams: [slot, otherSlot], demanded: 1)
            subscriber.receive(subscription: join)
            join.deliver { join in
                var delivered = 0
                while !join.gate.isClosed {
                    while others.comes(before: values) { _ = others.takeLatest() }
                    // A failure comes behind the values that came before it and are requested.
                    if let failure = others.failure, others.ends(before: values) || join.gate.demand <= delivered {
                        return join.end { subscriber.receive(completion: .failure(failure)) }
                    }
                    guard values.comes(before: others) else {
                        guard values.isExhausted else { return delivered }
                        return join.end { subscriber.receive(completion: values.completion) }
                    }
                    guard let other = others.latest else {
                        _ = values.popFirst()
                        slot.request(.max(1))
                        continue
                    }
                    guard join.gate.demand > delivered, let value = values.popFirst() else { return delivered }
                    delivered += 1
                    let more = subscriber.receive((value, other))
                    if more.count != 0 { join.request(more) }
                }
                return delivered
            }
            join.startFirst(other, others, otherSlot, demand: .unlimited)
            join.start(upstream, values, slot)
        }
    }
}
