import Synchronization

/// Cancels what it wraps when it has been cancelled itself and so has everything that was retained of it.
public final class RefCountDisposable: Cancellable {
    private struct State: Sendable {
        var count = 1
        var isCancelled = false
        var wrapped: (any Cancellable)?
    }

    private let state: Mutex<State>

    /// - Parameter cancellable: What is cancelled at last.
    public init(_ cancellable: any Cancellable) {
        state = Mutex(State(wrapped: cancellable))
    }

    /// One more that has to be cancelled before. After the end it is one that does nothing.
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
