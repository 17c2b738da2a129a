import Synchronization

/// Keeps a connection while it has users.
///
/// Connecting and disconnecting are never under way at the same time, and each sees the count that the one before has
/// left behind: whoever finds nobody at it brings the connection in line with the count.
@usableFromInline
final class ConnectionUsers: Sendable {
    private struct State: Sendable {
        var count = 0
        var connection: (any Cancellable)?
        var isSettling = false
    }

    private enum Step {
        case connect
        case disconnect(any Cancellable)
        case done
    }

    private let state = Mutex(State())
    private let connect: @Sendable () -> any Cancellable

    @usableFromInline
    init(_ connect: @escaping @Sendable () -> any Cancellable) {
        self.connect = connect
    }

    /// One more; `settle()` connects for it.
    @usableFromInline
    func add() {
        state.withLock { $0.count += 1 }
    }

    /// One less.
    @usableFromInline
    func remove() {
        state.withLock { $0.count -= 1 }
        settle()
    }

    @usableFromInline
    func settle() {
        let isBusy = state.withLock { state in
            defer { state.isSettling = true }
            return state.isSettling
        }
        if isBusy { return }
        while true {
            switch next() {
            case .connect:
                let connection = connect()
                state.withLock { $0.connection = connection }
            case .disconnect(let connection): connection.cancel()
            case .done: return
            }
        }
    }

    private func next() -> Step {
        state.withLock { state in
            if state.count > 0, state.connection == nil { return .connect }
            if state.count == 0, let connection = state.connection.take() { return .disconnect(connection) }
            state.isSettling = false
            return .done
        }
    }
}
