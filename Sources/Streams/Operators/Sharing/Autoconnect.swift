extension ConnectablePublisher {
    /// Connects with the first subscriber and disconnects when the last one has cancelled.
    ///
    ///     upstream    1---2---3|
    ///     first       1---2---3|
    ///     second      ----2---3|
    ///
    /// Demand, failure and thread are the upstream's. It connects once, however many subscribe at the same time, after the
    /// first one has its subscription; what is cancelled twice counts once. After the upstream's completion it never
    /// restarts: late subscribers get what the subject gives them. One that comes while the upstream is being cancelled gets
    /// its subscription after that, from the thread that cancels.
    @inlinable
    public func autoconnect() -> Publishers.Autoconnect<Self> {
        Publishers.Autoconnect(upstream: self)
    }
}

extension Publishers {
    /// Connects with the first subscriber and disconnects when the last one has cancelled.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The connectable publisher.
        public let upstream: Upstream
        @usableFromInline let users: ConnectionUsers

        /// Creates a publisher that connects another one while it has subscribers.
        ///
        /// - Parameter upstream: The connectable publisher.
        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
            users = ConnectionUsers { upstream.connect() }
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let use = Disposable { [users] in users.remove() }
            // Told of no cancel after the completion: what has ended stays connected to its end.
            users.add { [upstream] in
                upstream.handleEvents(receiveCancel: { use.dispose() }).receive(subscriber: subscriber)
            }
        }
    }
}
