// These return an erased publisher: behind an output that is a pack of a generic type, the compiler refuses most operators.
extension Publishers {
    /// Delivers the first values of any number of publishers together, then the second ones, and so on.
    ///
    ///     a                1---2-------3|
    ///     b                --x---y|
    ///     zip(a, b, …)     --1x--2y|
    ///
    /// Demand, failure and thread as the operator of two. More than eight are handled at run time: a value costs about fifteen
    /// times what it does with four. Operators in a row, `a.zip(b, c, d).zip(e)`, are several times quicker.
    ///
    /// - Parameter upstream: The upstream publishers.
    @inlinable
    public static func zip<Failure: Error, each Value: Sendable>(
        _ upstream: repeat AnyPublisher<each Value, Failure>
    ) -> AnyPublisher<(repeat each Value), Failure> {
        let joined = JoinAny(keepsLatest: false, repeat each upstream)
        return AnyPublisher(joined)
    }

    /// Delivers the latest values of any number of publishers together, whenever one of them has a newer one.
    ///
    ///     a                          1---2-----3|
    ///     b                          --x---y|
    ///     combineLatest(a, b, …)     --1x2x2y--3y|
    ///
    /// Demand, failure and thread as the operator of two. More than eight are handled at run time: a value costs many times what
    /// it does with four.
    ///
    /// - Parameter upstream: The upstream publishers.
    @inlinable
    public static func combineLatest<Failure: Error, each Value: Sendable>(
        _ upstream: repeat AnyPublisher<each Value, Failure>
    ) -> AnyPublisher<(repeat each Value), Failure> {
        let joined = JoinAny(keepsLatest: true, repeat each upstream)
        return AnyPublisher(joined)
    }

    /// Joins the values of any number of publishers of any types.
    public struct JoinAny<Failure: Error, each Value: Sendable>: Publisher {
        public typealias Output = (repeat each Value)

        /// A Boolean value that determines whether the latest values are joined, or those of the same number.
        public let keepsLatest: Bool
        /// The upstream publishers.
        public let upstreams: (repeat AnyPublisher<each Value, Failure>)

        /// Creates a publisher that joins the values of any number of others.
        ///
        /// - Parameters:
        ///   - keepsLatest: A Boolean value that determines whether the latest values are joined, or those of the
        ///     same number.
        ///   - upstream: The upstream publishers.
        @inlinable
        public init(keepsLatest: Bool, _ upstream: repeat AnyPublisher<each Value, Failure>) {
            self.keepsLatest = keepsLatest
            upstreams = (repeat each upstream)
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let channels = (repeat channel(for: each upstreams))
            var slots: [UpstreamSlot] = []
            for _ in repeat each channels { slots.append(keepsLatest ? UpstreamSlot() : PacedSlot()) }
            let join = DrainedSubscription(
                upstreams: slots, demanded: keepsLatest ? 0 : slots.count, failsAsOne: true)
            subscriber.receive(subscription: join)
            let inputs = JoinedPack(repeat each channels)
            if keepsLatest { join.combineLatest(inputs, to: subscriber) } else { join.zip(inputs, to: subscriber) }
            var index = 0
            for (upstream, channel) in repeat (each upstreams, each channels) {
                if keepsLatest {
                    join.start(upstream, channel, slots[index], by: Joins.Latest.self, demand: .unlimited)
                } else {
                    join.start(upstream, channel, slots[index], by: Joins.Zip.self)
                }
                if index == 0 { join.drain() }
                index += 1
            }
        }

        @inlinable
        func channel<T: Sendable>(for upstream: AnyPublisher<T, Failure>) -> SignalChannel<T, Failure> {
            SignalChannel()
        }
    }
}
