import Synchronization

/// An attempt that waits to be made. A cancel of its slot lets go of it, and of whatever comes later: an attempt holds
/// what decides about it.
@usableFromInline
final class WaitingAttempt: Subscription {
    private let state = Mutex((attempt: (@Sendable () -> Void)?.none, isCancelled: false))
    /// It in the place of an upstream.
    @usableFromInline let slot = UpstreamSlot()

    @usableFromInline
    init() {
        _ = slot.receive(self)
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

    @usableFromInline
    func take() -> (@Sendable () -> Void)? {
        state.withLock { $0.attempt.take() }
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {}

    @usableFromInline
    func cancel() {
        let dropped = state.withLock { state in
            state.isCancelled = true
            return state.attempt.take()
        }
        withExtendedLifetime(dropped) {}
    }
}
