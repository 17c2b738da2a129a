import Synchronization

/// A connection that knows whether its upstream has ended.
@usableFromInline
protocol EndingConnection: Cancellable, Sendable {
    /// Whether the upstream has ended, and not by a cancel of the connection.
    var hasEnded: Bool { get }
}

/// Keeps a connection while it has users, and for good once its upstream has ended.
///
/// Connecting and disconnecting are never under way at the same time, and each sees the count that the one before has
/// left behind: whoever finds nobody at it brings the connection in line with the count. A user who comes while it is being
/// disconnected waits until that is over: what is taken down is not what that one is to be attached to.
@usableFromInline
final class ConnectionUsers: Sendable {
    private struct State: Sendable {
        var count = 0
        var connection: (any Cancellable)?
        var isSettling = false
        var isDisconnecting = false
        var waiting: [@Sendable () -> Void] = []
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

    /// One more: attached first, then connected.
    @usableFromInline
    func add(_ attach: @escaping @Sendable () -> Void) {
        let mustWait = state.withLock { state in
            state.count += 1
            if state.isDisconnecting { state.waiting.append(attach) }
            return state.isDisconnecting
        }
        if mustWait { return }
        attach()
        settle()
    }

    /// One less.
    @usableFromInline
    func remove() {
        state.withLock { $0.count -= 1 }
        settle()
    }

    private func settle() {
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
            case .disconnect(let connection):
                connection.cancel()
                let waiting = state.withLock { state in
                    defer { state.waiting = [] }
                    state.isDisconnecting = false
                    return state.waiting
                }
                for attach in waiting { attach() }
            case .done: return
            }
        }
    }

    private func next() -> Step {
        state.withLock { state in
            if state.count > 0, state.connection == nil { return .connect }
            // Of one that has ended a user may leave values behind; the next one must not begin it anew.
            if state.count == 0, (state.connection as? any EndingConnection)?.hasEnded != true,
                let connection = state.connection.take()
            {
                state.isDisconnecting = true
                return .disconnect(connection)
            }
            state.isSettling = false
            return .done
        }
    }
}
