import Synchronization

/// An attempt that waits to be made, and the timer that it waits for, if any. In the place of an upstream a cancel lets go
/// of both, and of whatever comes later: an attempt holds what decides about it.
@usableFromInline
final class WaitingAttempt: Subscription {
    private struct State: Sendable {
        var attempt: (@Sendable () -> Void)?
        var timer: (any Cancellable)?
        var isCancelled = false
    }

    private let state: Mutex<State>

    @usableFromInline
    init(_ attempt: (@Sendable () -> Void)? = nil) {
        state = Mutex(State(attempt: attempt))
    }

    @usableFromInline
    func set(_ attempt: @escaping @Sendable () -> Void) {
        let old = state.withLock { state -> (@Sendable () -> Void)? in
            if state.isCancelled { return nil }
            defer { state.attempt = attempt }
            return state.attempt
        }
        withExtendedLifetime(old) {}
    }

    /// Keeps the timer, unless the attempt has been made or is not wanted any more.
    @usableFromInline
    func keep(_ timer: any Cancellable) {
        let isLate = state.withLock { state in
            if state.attempt != nil { state.timer = timer }
            return state.attempt == nil
        }
        if isLate { timer.cancel() }
    }

    @usableFromInline
    func take() -> (@Sendable () -> Void)? {
        let (attempt, timer) = state.withLock { ($0.attempt.take(), $0.timer.take()) }
        timer?.cancel()
        return attempt
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {}

    @usableFromInline
    func cancel() {
        let (dropped, timer) = state.withLock { state in
            state.isCancelled = true
            return (state.attempt.take(), state.timer.take())
        }
        timer?.cancel()
        withExtendedLifetime(dropped) {}
    }
}
