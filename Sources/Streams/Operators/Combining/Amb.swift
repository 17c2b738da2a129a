extension Publisher {
    /// Mirrors the first of two publishers to deliver a value or to end; the other is cancelled.
    ///
    ///     upstream      ----1---2|
    ///     other         --a---b|
    ///     amb(other)    --a---b|
    ///
    /// Demand: what is requested is requested of both until one has won, then of that. Failure and thread are the
    /// winner's.
    ///
    /// - Parameter other: The other publisher.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func amb<P: Publisher>(_ other: P) -> Publishers.Amb<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Amb(self, other)
    }
}

extension Publishers {
    /// Mirrors the first of two publishers to deliver a value or to end.
    @frozen
    public struct Amb<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B

        /// Creates a publisher that mirrors the first of two to deliver a value or to end.
        ///
        /// - Parameters:
        ///   - a: The first upstream publisher.
        ///   - b: The second upstream publisher.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let contest = AmbSubscription()
            subscriber.receive(subscription: contest)
            if contest.a.isDone { return }
            a.receive(subscriber: Inner(downstream: subscriber, contest: contest, slot: contest.a, rival: contest.b))
            if contest.b.isDone { return }
            b.receive(subscriber: Inner(downstream: subscriber, contest: contest, slot: contest.b, rival: contest.a))
        }

        @frozen @usableFromInline
        struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == A.Output, Downstream.Failure == A.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let contest: AmbSubscription
            @usableFromInline let slot: UpstreamSlot
            @usableFromInline let rival: UpstreamSlot

            @inlinable @inline(__always)
            init(downstream: Downstream, contest: AmbSubscription, slot: UpstreamSlot, rival: UpstreamSlot) {
                self.downstream = downstream
                self.contest = contest
                self.slot = slot
                self.rival = rival
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                _ = slot.receive(subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Downstream.Input) -> Subscribers.Demand {
                // In this order: whoever wins cancels the other, and may be cancelled in turn there.
                contest.wins(slot, over: rival) && !slot.isDone ? downstream.receive(input) : .none
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Downstream.Failure>) {
                guard !slot.isDone, contest.wins(slot, over: rival), slot.finish() else { return }
                downstream.receive(completion: completion)
            }
        }
    }
}
