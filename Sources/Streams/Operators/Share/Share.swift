import Synchronization

extension Publisher {
    /// Lets all subscribers share one subscription to this publisher.
    ///
    /// The first subscriber connects it, the last one to cancel disconnects it. Who subscribes later gets what follows;
    /// after the end, the completion: it does not start again. Values that a subscriber hasn't requested are lost to it.
    @inlinable
    public func share() -> Publishers.Share<Self> {
        Publishers.Share(upstream: self)
    }
}

extension Publishers {
    /// Lets all subscribers share one subscription to the upstream.
    public final class Share<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        @usableFromInline let state = Mutex(State())

        @usableFromInline
        struct State: Sendable {
            /// The subject of the present connection, or of the one that has ended by itself.
            @usableFromInline var subject: PassthroughSubject<Output, Failure>?
            @usableFromInline var connection: UpstreamSlot?
            @usableFromInline var members = 0

            @inlinable
            init() {}
        }

        @inlinable
        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (subject, connection, isFirst) = state.withLock { state in
                let subject = state.subject ?? PassthroughSubject<Output, Failure>()
                let connection = state.connection ?? UpstreamSlot()
                defer {
                    state.subject = subject
                    state.connection = connection
                    state.members += 1
                }
                return (subject, connection, state.connection == nil)
            }
            subject.handleEvents(receiveCancel: { self.leave(connection) }).receive(subscriber: subscriber)
            if isFirst {
                upstream.receive(
                    subscriber: AnySubscriber(
                        receiveSubscription: { if connection.receive($0) { $0.request(.unlimited) } },
                        receiveValue: {
                            subject.send($0)
                            return .none
                        },
                        receiveCompletion: { if connection.finish() { subject.send(completion: $0) } }))
            }
        }

        /// One subscriber of a connection has cancelled.
        @usableFromInline
        func leave(_ connection: UpstreamSlot) {
            let isLast = state.withLock { state in
                guard state.connection === connection, !connection.isDone else { return false }
                state.members -= 1
                guard state.members == 0 else { return false }
                state.subject = nil
                state.connection = nil
                return true
            }
            if isLast { connection.cancel() }
        }
    }
}
