import Synchronization

/// Cancels the wrapped value once it and every handle from `retain()` have been cancelled.
public final class RefCountDisposable: Cancellable {
    private struct State: Sendable {
        var count = 1
        var isCancelled = false
        var wrapped: (any Cancellable)?
    }

    private let state: Mutex<State>

    /// Creates a disposable that wraps a cancellable.
    ///
    /// - Parameter cancellable: The cancellable that is cancelled at the end.
    public init(_ cancellable: any Cancellable) {
        state = Mutex(State(wrapped: cancellable))
    }

    /// Returns a handle that has to be cancelled before the wrapped value is. After the end it is one that does
    /// nothing.
    public func retain() -> any Cancellable {
        let isLive = state.withLock { state in
            if state.wrapped != nil { state.count += 1 }
            return state.wrapped != nil
        }
        return isLive ? Disposable { self.release() } : Disposable()
    }

    public func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled
        }
        if isFirst { release() }
    }

    private func release() {
        state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.wrapped.take() : nil
        }?.cancel()
    }
}
