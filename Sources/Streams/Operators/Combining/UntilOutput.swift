extension Publisher {
    /// Delivers values until another publisher delivers one, then finishes.
    ///
    ///     upstream                          1---2---3---4|
    ///     other                             ------a-------
    ///     prefix(untilOutputFrom: other)    1---2-|
    ///
    /// Demand: what is requested; one value of the other. Failure: the upstream's. How the other ends is ignored. Both are
    /// cancelled at the end. Thread: the upstream's, or the other's for the completion.
    ///
    /// - Parameter publisher: The other publisher.
    @inlinable @inline(__always)
    public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
        Publishers.PrefixUntilOutput(upstream: self, other: publisher)
    }

    /// Drops values until another publisher delivers one.
    ///
    ///     upstream                        1---2---3---4|
    ///     other                           ------a-------
    ///     drop(untilOutputFrom: other)    --------3---4|
    ///
    /// Demand: what is requested, and one more for each value left out; one value of the other. Failure: the upstream's,
    /// and the other's before it has delivered. Finishes when the other finishes without a value. Thread: the upstream's.
    ///
    /// - Parameter publisher: The other publisher.
    @inlinable @inline(__always)
    public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where P.Failure == Failure {
        Publishers.DropUntilOutput(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// Delivers values until another publisher delivers one.
    @frozen
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The publisher whose values are delivered.
        public let upstream: Upstream
        /// The publisher whose first value ends the stream.
        public let other: Other

        /// Creates a publisher that delivers values until another one delivers.
        ///
        /// - Parameters:
        ///   - upstream: The publisher whose values are delivered.
        ///   - other: The publisher whose first value ends the stream.
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
            let values = SignalChannel<Output, Failure>()
            let others = SignalChannel<Other.Output, Other.Failure>()
            let (slot, otherSlot) = (UpstreamSlot(), UpstreamSlot())
            let join = DrainedSubscription(upstreams: [slot, otherSlot], demanded: 1)
            subscriber.receive(subscription: join)
            join.pass(values, to: subscriber) { _ in
                if others.comes(before: values) { return .end(.finished) }
                return values.comes(before: others) ? .pass : .wait
            }
            join.startFirst(other, others, otherSlot, demand: .max(1))
            join.start(upstream, values, slot)
        }
    }

    /// Drops values until another publisher delivers one.
    @frozen
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The publisher whose values are delivered.
        public let upstream: Upstream
        /// The publisher whose first value begins the delivery.
        public let other: Other

        /// Creates a publisher that drops values until another one delivers.
        ///
        /// - Parameters:
        ///   - upstream: The publisher whose values are delivered.
        ///   - other: The publisher whose first value begins the delivery.
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
            let values = SignalChannel<Output, Failure>()
            let others = SignalChannel<Other.Output, Failure>()
            let (slot, otherSlot) = (UpstreamSlot(), UpstreamSlot())
            let join = DrainedSubscription(upstreams: [slot, otherSlot], demanded: 1)
            subscriber.receive(subscription: join)
            join.pass(values, to: subscriber) { join in
                if others.latest != nil { return .pass }
                while values.comes(before: others) {
                    _ = values.popFirst()
                    slot.request(.max(1))
                }
                if others.comes(before: values), others.takeLatest() {
                    otherSlot.cancel()
                    return .pass
                }
                return others.isExhausted ? .end(others.completion) : .wait
            }
            join.startFirst(other, others, otherSlot, demand: .max(1))
            join.start(upstream, values, slot)
        }
    }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
