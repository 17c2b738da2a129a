extension Publisher {
    /// Relays one subscription to the upstream through a subject to all subscribers, once it is connected.
    ///
    ///     upstream                1---2---3|
    ///     each, connected at 2    ----2---3|
    ///
    /// Demand: the subject's; of the upstream as the subject asks. Failure and thread are the upstream's. Cancelling what
    /// `connect()` returns, or letting go of it, cancels the upstream; the next `connect()` serves those who are still
    /// subscribed.
    ///
    /// - Parameter createSubject: Makes the subject, once.
    @preconcurrency
    @inlinable
    public func multicast<S: Subject>(
        _ createSubject: @escaping @Sendable () -> S
    ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
        Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// Relays one subscription to the upstream through a given subject, once it is connected.
    ///
    ///     upstream                1---2---3|
    ///     each, connected at 2    ----2---3|
    ///
    /// Demand, failure, connections and thread as with a closure that makes the subject.
    ///
    /// - Parameter subject: The subject that values are relayed through.
    @inlinable
    public func multicast<S: Subject>(
        subject: S
    ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
        multicast { subject }
    }

    /// Shares one subscription to the upstream among all subscribers; new ones get the newest values first.
    ///
    ///     upstream    1---2------3---4|
    ///     first       1---2------3---4|
    ///     second      ------(12)-3---4|
    ///
    /// The first subscriber connects it, the last one to cancel disconnects it. Demand: everything of the upstream; what a
    /// subscriber has not requested is kept for it. Failure and thread are the upstream's. After the upstream's completion
    /// late subscribers get the kept values and the completion. Memory: the kept values.
    ///
    /// - Parameters:
    ///   - replay: The number of values that are kept for new subscribers.
    ///   - scope: The time for which they are kept.
    @inlinable
    public func share(
        replay: Int, scope: Publishers.ReplayScope = .whileConnected
    ) -> Publishers.Autoconnect<Publishers.Multicast<Self, ReplaySubject<Output, Failure>>> {
        switch scope {
        case .whileConnected:
            Publishers.Multicast(upstream: self, isRenewing: true) { ReplaySubject(bufferSize: replay) }.autoconnect()
        case .forever: multicast(subject: ReplaySubject(bufferSize: replay)).autoconnect()
        }
    }
}

extension Publisher where Failure == Never {
    /// Delivers nothing until it is connected.
    ///
    ///     upstream                1---2---3|
    ///     each, connected at 2    ----2---3|
    ///
    /// Demand, failure and thread as `multicast` with a passthrough subject.
    @inlinable
    public func makeConnectable() -> Publishers.MakeConnectable<Self> {
        multicast { PassthroughSubject() }
    }
}

extension Publishers {
    /// The time for which a shared publisher keeps values for new subscribers.
    public enum ReplayScope: Sendable, Hashable {
        /// Values are kept until the last subscriber has gone; the next connection begins with none.
        case whileConnected
        /// Values are kept as long as the publisher lives.
        case forever
    }

    /// Delivers nothing until it is connected.
    public typealias MakeConnectable<Upstream: Publisher> = Multicast<
        Upstream, PassthroughSubject<Upstream.Output, Never>
    > where Upstream.Failure == Never

    /// Relays one subscription to the upstream through a subject to all subscribers.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
    where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that makes the subject.
        public let createSubject: @Sendable () -> SubjectType
        @usableFromInline let connections: Connections<SubjectType>

        /// Creates a publisher that relays one subscription to the upstream through a subject, once it is connected.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - createSubject: A closure that makes the subject.
        @preconcurrency
        @inlinable
        public convenience init(upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType) {
            self.init(upstream: upstream, isRenewing: false, createSubject: createSubject)
        }

        /// - Parameter isRenewing: Whether each connection has a subject of its own.
        @inlinable
        init(upstream: Upstream, isRenewing: Bool, createSubject: @escaping @Sendable () -> SubjectType) {
            self.upstream = upstream
            self.createSubject = createSubject
            connections = Connections(isRenewing: isRenewing)
        }

        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            connections.subject(createSubject).receive(subscriber: subscriber)
        }

        @inlinable
        public func connect() -> any Cancellable {
            let (connection, subject, isNew) = connections.connect(createSubject)
            if isNew { upstream.receive(subscriber: SubjectRelay(subject: subject, slot: connection.upstream)) }
            return connection
        }
    }
}

extension Publishers.Multicast
where Upstream.Failure == Never, SubjectType == PassthroughSubject<Upstream.Output, Never> {
    /// Creates a publisher that delivers nothing until it is connected.
    ///
    /// - Parameter upstream: The upstream publisher.
    @inlinable
    public convenience init(upstream: Upstream) {
        self.init(upstream: upstream) { PassthroughSubject() }
    }
}
