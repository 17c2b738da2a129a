extension Publisher {
    // Only the first is not disfavoured: the compiler tries the others where it does not fit, and not all for each `flatMap`. Combine's
    // fourth, for two that cannot fail, is not needed then: the first is that.

    /// Makes a publisher of each value, and delivers the values of all of them as they come.
    ///
    ///     upstream         a--------b---------|
    ///     flatMap { … }    -a1-a2-a3-b1-b2-b3-|
    ///
    /// Demand: asks the upstream for `maxPublishers` values, then for one more as each inner publisher finishes; while
    /// its own demand is finite, asks each inner publisher for one value at a time, and a sequence upstream for no more
    /// while values wait. An inner publisher that is subscribed to while another's value is delivered is asked for 16
    /// values at a time if it delivers them at once: a long one does not fill the memory. One that blocks while it is
    /// subscribed to holds up no other. Failure: the first, of whichever publisher, ends everything at once. Thread:
    /// wherever the values come, one at a time.
    ///
    /// - Parameters:
    ///   - maxPublishers: The largest number of inner publishers at a time.
    ///   - transform: A closure that makes a publisher of a value.
    @preconcurrency
    @inlinable @inline(__always)
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// Makes a publisher that cannot fail of each value, and delivers the values of all of them as they come.
    ///
    /// - Parameters:
    ///   - maxPublishers: The largest number of inner publishers at a time.
    ///   - transform: A closure that makes a publisher of a value.
    @preconcurrency
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
            Publishers.SetFailureType(upstream: transform($0))
        }
    }
}

extension Publisher where Failure == Never {
    /// Makes a publisher of each value of this one, which cannot fail, and delivers the values of all of them as they
    /// come.
    ///
    /// - Parameters:
    ///   - maxPublishers: The largest number of inner publishers at a time.
    ///   - transform: A closure that makes a publisher of a value.
    @preconcurrency
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping @Sendable (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        Publishers.FlatMap(
            upstream: Publishers.SetFailureType(upstream: self), maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publishers {
    /// Makes a publisher of each value, and delivers the values of all of them.
    @frozen
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        public typealias Output = NewPublisher.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The largest number of inner publishers at a time.
        public let maxPublishers: Subscribers.Demand
        /// The closure that makes an inner publisher of a value.
        public let transform: @Sendable (Upstream.Output) -> NewPublisher

        /// Creates a publisher that makes a publisher of each value, and delivers the values of all of them.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - maxPublishers: The largest number of inner publishers at a time.
        ///   - transform: A closure that makes an inner publisher of a value.
        @preconcurrency
        @inlinable @inline(__always)
        public init(
            upstream: Upstream, maxPublishers: Subscribers.Demand,
            transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Self.attach(subscriber, to: upstream, maxPublishers, transform)
        }

        /// The closure is an argument of its own, not a part of one: so the compiler can make one of these for the very closure, into
        /// which the inner publishers' loop is fused. The subscriber's type ends here: of three in a row, each part of the next, the
        /// compiler would leave the last generic, and a value would take ten times as long. A `sink`'s is the end of its chain and of
        /// its type, so it needs no hiding, which would cost a call for each value.
        @inlinable @inline(never)
        static func attach<S: Subscriber>(
            _ subscriber: S, to upstream: Upstream, _ maxPublishers: Subscribers.Demand,
            _ transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) where S.Input == Output, S.Failure == Failure {
            if let sink = subscriber as? ValueSubscriber<Output, Failure> {
                merge(upstream, into: sink, maxPublishers, transform)
            } else if let sink = subscriber as? ClosureSubscriber<Output, Failure> {
                merge(upstream, into: sink, maxPublishers, transform)
            } else {
                merge(upstream, into: AnySubscriber(subscriber), maxPublishers, transform)
            }
        }

        @inlinable @inline(__always)
        static func merge<S: Subscriber>(
            _ upstream: Upstream, into subscriber: S, _ maxPublishers: Subscribers.Demand,
            _ transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
        ) where S.Input == Output, S.Failure == Failure {
            let core = MergeCore(subscriber, maxPublishers: maxPublishers, isPaced: true)
            upstream.receive(subscriber: MergeOuter(core: core, transform: transform))
        }
    }
}
