import Synchronization

/// The present subject and connection of a multicast publisher.
@usableFromInline
final class Connections<SubjectType: Sendable>: Sendable {
    private struct State: Sendable {
        var subject: SubjectType?
        var connection: Connection<SubjectType>?
    }

    private let state = Mutex(State())

    @usableFromInline
    init() {}

    /// The present subject; the one made by the closure, if there is none.
    @usableFromInline
    func subject(_ create: () -> SubjectType) -> SubjectType {
        if let subject = state.withLock({ $0.subject }) { return subject }
        // Made outside the lock, because it is the user's code; of two made at once, one is used.
        let created = create()
        return state.withLock { state in
            if let subject = state.subject { return subject }
            state.subject = created
            return created
        }
    }

    /// The present connection and its subject, and whether it has just been made.
    ///
    /// Both at once: another connection that ends meanwhile must not take the subject away from this one.
    @usableFromInline
    func connect(_ create: () -> SubjectType) -> (Connection<SubjectType>, subject: SubjectType, isNew: Bool) {
        let candidate = subject(create)
        return state.withLock { state in
            let subject = state.subject ?? candidate
            if let connection = state.connection { return (connection, subject, false) }
            let connection = Connection(self)
            state.connection = connection
            state.subject = subject
            return (connection, subject, true)
        }
    }

    func end(_ connection: Connection<SubjectType>) {
        let dropped = state.withLock { state -> SubjectType? in
            guard state.connection === connection else { return nil }
            state.connection = nil
            return state.subject.take()
        }
        withExtendedLifetime(dropped) {}
    }
}

/// One connection: cancelled, it gives way to the next one, with a subject of its own.
@usableFromInline
final class Connection<SubjectType: Sendable>: Cancellable {
    @usableFromInline let upstream = UpstreamSlot()
    private let connections: Connections<SubjectType>

    init(_ connections: Connections<SubjectType>) {
        self.connections = connections
    }

    @usableFromInline
    func cancel() {
        connections.end(self)
        upstream.cancel()
    }
}
