// As with `flatMap`, only the first is not disfavoured: the compiler need not try all.
extension Publisher where Output: Publisher, Output.Failure == Failure {
    /// Delivers the values of the newest inner publisher; the one before is cancelled when a newer one comes.
    ///
    ///     upstream            a----------b--------|
    ///     switchToLatest()    -a1-a2-a3---b1-b2-b3---b4|
    ///
    /// Nothing of an inner publisher follows once it was superseded, and nothing follows a failure of either level.
    /// Demand: everything from the upstream; what is requested is requested of the newest inner publisher, and what is
    /// left of it of the next. Finishes when the
    /// upstream and the newest inner publisher have. Thread: that of the inner publisher.
    @inlinable @inline(__always)
    public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
        Publishers.SwitchToLatest(upstream: self)
    }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
    /// Delivers the values of the newest inner publisher, which cannot fail; the one before is cancelled when a newer
    /// one comes.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Publishers.SetFailureType<Output, Failure>,
            Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
        >
    {
        map { Publishers.SetFailureType<Output, Failure>(upstream: $0) }.switchToLatest()
    }
}

extension Publisher where Output: Publisher, Failure == Never {
    /// Delivers the values of the newest inner publisher of a publisher that cannot fail; the one before is cancelled
    /// when a newer one comes.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func switchToLatest()
        -> Publishers.SwitchToLatest<
            Output, Publishers.SetFailureType<Self, Output.Failure>
        >
    {
        Publishers.SwitchToLatest(upstream: Publishers.SetFailureType(upstream: self))
    }
}

extension Publishers {
    /// Delivers the values of the newest inner publisher.
    @frozen
    public struct SwitchToLatest<Inner: Publisher, Upstream: Publisher>: Publisher
    where Upstream.Output == Inner, Inner.Failure == Upstream.Failure {
        public typealias Output = Inner.Output
        public typealias Failure = Inner.Failure

        /// The publisher of the inner publishers.
        public let upstream: Upstream

        /// Creates a publisher that delivers the values of the newest inner publisher.
        ///
        /// - Parameter upstream: The publisher of the inner publishers.
        @inlinable @inline(__always)
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            // Erased as that of `flatMap` is.
            let core = MergeCore(AnySubscriber(subscriber), maxPublishers: .unlimited, isSwitching: true)
            upstream.receive(subscriber: MergeOuter(core: core) { $0 })
        }
    }
}
