extension Publisher {
    /// Shares one subscription to the upstream among all subscribers.
    ///
    ///     upstream    1---2---3|
    ///     first       1---2---3|
    ///     second      ----2---3|
    ///
    /// The first subscriber connects it, once; when the last one has cancelled the upstream is cancelled, and the next
    /// subscriber connects it anew: when the cancel is through, on the thread that cancels, if it comes in between. No value
    /// of one connection reaches a subscriber of the next. After the upstream's completion it never restarts: late subscribers get the
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

        /// The upstream publisher.
        public let upstream: Upstream
        @usableFromInline let core = SubjectCore<Output, Failure>(countsReferences: true)

        /// Creates a publisher that shares one subscription to the upstream among all subscribers.
        ///
        /// - Parameter upstream: The upstream publisher.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            guard let connection = core.attach(subscriber) else { return }
            core.connect(connection) { [upstream, core] in
                upstream.receive(subscriber: Inner(core: core, connection: connection))
            }
        }

        @frozen @usableFromInline
        struct Inner: Subscriber {
            @usableFromInline let core: SubjectCore<Output, Failure>
            @usableFromInline let connection: SharedConnection

            @inlinable @inline(__always)
            init(core: SubjectCore<Output, Failure>, connection: SharedConnection) {
                self.core = core
                self.connection = connection
            }

            @inlinable @inline(__always)
            func receive(subscription: any Subscription) {
                _ = connection.receive(subscription)
            }

            @inlinable @inline(__always)
            func receive(_ input: Output) -> Subscribers.Demand {
                if !connection.isDone { core.send(input, of: connection.generation) }
                return .none
            }

            @inlinable @inline(__always)
            func receive(completion: Subscribers.Completion<Failure>) {
                if connection.finish() { core.post(.end(completion, generation: connection.generation)) }
            }
        }
    }
}

extension Publishers.Share: Equatable {
    public static func == (lhs: Publishers.Share<Upstream>, rhs: Publishers.Share<Upstream>) -> Bool { lhs === rhs }
}
