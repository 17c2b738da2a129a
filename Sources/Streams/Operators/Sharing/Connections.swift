import Synchronization

/// The subject and the present connection of a multicast publisher.
@usableFromInline
final class Connections<SubjectType: Sendable>: Sendable {
    private struct State: Sendable {
        var subject: SubjectType?
        /// Its user's, with whose last reference it ends.
        weak var connection: Connection<SubjectType>?
        /// Tells the connection that ends from the next one: while the last reference goes, `connection` is nil already.
        var number = 0
    }

    private let state = Mutex(State())
    /// Whether the subject goes with its connection.
    private let isRenewing: Bool

    @usableFromInline
    init(isRenewing: Bool) {
        self.isRenewing = isRenewing
    }

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
            state.number += 1
            let connection = Connection(self, number: state.number)
            state.connection = connection
            state.subject = subject
            return (connection, subject, true)
        }
    }

    func end(_ number: Int) {
        let dropped = state.withLock { state -> SubjectType? in
            guard state.number == number else { return nil }
            // It ends once more when it is let go of, which may be after others have come to the next subject.
            state.number += 1
            state.connection = nil
            return isRenewing ? state.subject.take() : nil
        }
        withExtendedLifetime(dropped) {}
    }
}

/// One connection: cancelled, or let go of, it gives way to the next one.
@usableFromInline
final class Connection<SubjectType: Sendable>: EndingConnection {
    @usableFromInline let upstream = UpstreamSlot()
    private let connections: Connections<SubjectType>
    private let number: Int
    private let isCancelled = Atomic(false)

    init(_ connections: Connections<SubjectType>, number: Int) {
        self.connections = connections
        self.number = number
    }

    deinit {
        cancel()
    }

    @usableFromInline
    var hasEnded: Bool { upstream.isDone && !isCancelled.load(ordering: .acquiring) }

    @usableFromInline
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        connections.end(number)
        upstream.cancel()
    }
}
