extension Publisher {
    /// Shares one subscription to the upstream among all subscribers.
    ///
    ///     upstream    1---2---3|
    ///     first       1---2---3|
    ///     second      ----2---3|
    ///
    /// The first subscriber connects it, once; when the last one has cancelled the upstream is cancelled, and the next
    /// subscriber connects it anew. After the upstream's completion it never restarts: late subscribers get the
    /// completion. Demand: asks for everything once some subscriber has requested something; a value is dropped for a
    /// subscriber that has requested none. Failure is the upstream's. Thread: the upstream's.
    @inlinable @inline(__always)
    public func share() -> Publishers.Share<Self> {
        Publishers.Share(upstream: self)
    }
}

extension Publishers {
    /// Shares one subscription to the upstream among all subscribers.
    public final class Share<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream
        @usableFromInline let core = SubjectCore<Output, Failure>(countsReferences: true)

        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            if let slot = core.attach(subscriber) {
                upstream.receive(subscriber: Inner(core: core, slot: slot))
            }
        }

        @frozen @usableFromInline
        struct Inner: Subscriber {
            @usableFromInline let core: SubjectCore<Output, Failure>
            /// One connection: cancelled, when the last subscriber has gone, even if its subscription is yet to come.
            @usableFromInline let slot: UpstreamSlot

            @inlinable @inline(__always)
            init(core: SubjectCore<Output, Failure>, slot: UpstreamSlot) {
                self.core = core
                self.slot = slot
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                _ = slot.receive(subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Output) -> Subscribers.Demand {
                if !slot.isDone { core.send(input) }
                return .none
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Failure>) {
                if slot.finish() { core.send(completion: completion) }
            }
        }
    }
}
