extension Publisher {
    /// Delivers the first values of all publishers together, then the second ones, and so on.
    ///
    ///     upstream       1---2-------3|
    ///     other          --a---b|
    ///     zip(other)     --1a--2b|
    ///
    /// Demand: what is requested is requested of each; a value that waits for its partners is kept. Finishes when a
    /// finished publisher has no value left. Failure: the first of any, at once. The others are cancelled at the end.
    /// Thread: that of the value that completes a tuple. Complexity: linear. Memory: what waits.
    @inlinable @inline(__always)
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
        Publishers.Zip(self, other)
    }

    /// The same, with what a closure makes of the values.
    @inlinable @inline(__always)
    public func zip<P: Publisher, T: Sendable>(
        _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
        zip(other).map { transform($0.0, $0.1) }
    }

    /// The same with two others.
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        zip(publisher1).zip(publisher2).map { ($0.0.0, $0.0.1, $0.1) }
    }

    /// The same with two others, and what a closure makes of the values.
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher, T: Sendable>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
        zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }

    /// The same with three others.
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.Zip4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        zip(publisher1).zip(publisher2).zip(publisher3).map { ($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
    }

    /// The same with three others, and what a closure makes of the values.
    @inlinable @inline(__always)
    public func zip<P: Publisher, Q: Publisher, R: Publisher, T: Sendable>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}

extension Publishers {
    /// Delivers the first values of all publishers together, then the second ones, and so on.
    @frozen
    public struct Zip<A: Publisher, B: Publisher>: Publisher
    where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        @inlinable @inline(__always)
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let channelA = SignalChannel<A.Output, Failure>()
            let channelB = SignalChannel<B.Output, Failure>()
            let slotA = UpstreamSlot()
            let slotB = UpstreamSlot()
            let join = DrainedSubscription(upstreams: [slotA, slotB], demanded: [slotA, slotB])
            subscriber.receive(subscription: join)
            join.zip(JoinedPair(channelA, channelB), to: subscriber)
            a.receive(subscriber: JoinedSubscriber(channelA, slot: slotA, join: join))
            join.drain()
            // What the first one has ended already is not begun with the second.
            if slotB.isDone { return }
            b.receive(subscriber: JoinedSubscriber(channelB, slot: slotB, join: join))
        }
    }

    /// The same with three.
    public typealias Zip3<A: Publisher, B: Publisher, C: Publisher> = Map<
        Zip<Zip<A, B>, C>, (A.Output, B.Output, C.Output)
    > where A.Failure == B.Failure, A.Failure == C.Failure
    /// The same with four.
    public typealias Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Map<
        Zip<Zip<Zip<A, B>, C>, D>, (A.Output, B.Output, C.Output, D.Output)
    > where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure

    /// Delivers the first values of all publishers together, then the second ones, and so on. Of any number of publishers of one type.
    public struct ZipMany<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstreams: [Upstream]

        @inlinable
        public init(_ upstreams: some Swift.Sequence<Upstream>) {
            self.upstreams = Array(upstreams)
        }

        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let inputs = JoinedList<Failure, Upstream.Output>(count: upstreams.count)
            let slots = upstreams.map { _ in UpstreamSlot() }
            let join = DrainedSubscription(upstreams: slots, demanded: slots)
            subscriber.receive(subscription: join)
            guard !upstreams.isEmpty else {
                _ = join.end { subscriber.receive(completion: .finished) }
                return
            }
            join.zip(inputs, to: subscriber)
            for (index, upstream) in upstreams.enumerated() {
                upstream.receive(
                    subscriber: JoinedSubscriber(inputs.channels[index], slot: slots[index], join: join))
            }
            join.drain()
        }
    }
}

extension Collection where Element: Publisher {
    /// Delivers the first values of all publishers together, then the second ones, and so on. Finishes at once where there is none.
    ///
    /// As the operator of two.
    @inlinable
    public func zipped() -> Publishers.ZipMany<Element> {
        Publishers.ZipMany(self)
    }
}
