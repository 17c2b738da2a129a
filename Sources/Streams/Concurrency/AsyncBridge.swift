import Synchronization

/// The subscriber behind `values`: requests one value for each `next()` and hands it to the task that waits for it.
///
/// A publisher that delivers more than was requested is buffered. What is decided under the lock is done outside it:
/// a continuation leaves the state before it is resumed, and so is resumed exactly once.
@usableFromInline
final class AsyncBridge<Input: Sendable, Failure: Error>: Subscriber, Cancellable {
    /// A value, a failure, or nil for the end.
    @usableFromInline typealias Signal = Result<Input, Failure>?

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var buffer = Deque<Input>()
        @usableFromInline var end: Subscribers.Completion<Failure>?
        @usableFromInline var waiter: CheckedContinuation<Signal, Never>?
        /// Whether a value was requested that has not come yet.
        @usableFromInline var isRequested = false

        @inlinable
        init() {}

        /// What there is for a task that asks; nil when it must wait. A failure is told once.
        @inlinable
        mutating func take() -> Signal? {
            if let value = buffer.popFirst() { return .some(.success(value)) }
            guard let end else { return nil }
            self.end = .finished
            if case .failure(let error) = end { return .some(.failure(error)) }
            return .some(nil)
        }
    }

    @usableFromInline let upstream = UpstreamSlot()
    @usableFromInline let state = Mutex(State())

    @inlinable
    init() {}

    @inlinable
    func receive(subscription: any Subscription) {
        _ = upstream.receive(subscription)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        let waiter = state.withLock { state -> CheckedContinuation<Signal, Never>? in
            guard state.end == nil else { return nil }
            state.isRequested = false
            if state.waiter == nil { state.buffer.append(input) }
            return state.waiter.take()
        }
        waiter?.resume(returning: .success(input))
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        guard upstream.finish() else { return }
        let (waiter, signal) = state.withLock { state -> (CheckedContinuation<Signal, Never>?, Signal?) in
            state.end = state.end ?? completion
            guard let waiter = state.waiter.take() else { return (nil, nil) }
            return (waiter, state.take())
        }
        if let signal { waiter?.resume(returning: signal) }
    }

    /// Cancels the upstream, lets go of what is buffered and ends the wait of whoever waits.
    @inlinable
    func cancel() {
        // The replaced value is let go of outside the lock.
        let (waiter, buffer, end) = state.withLock { state in
            defer {
                state.buffer = Deque()
                state.end = .finished
            }
            return (state.waiter.take(), state.buffer, state.end)
        }
        upstream.cancel()
        waiter?.resume(returning: nil)
        withExtendedLifetime((buffer, end)) {}
    }

    /// The next value, the failure, or nil at the end; the end, too, when the task is cancelled.
    @inlinable
    func next(isolation: isolated (any Actor)?) async -> Signal {
        await withTaskCancellationHandler {
            // What comes while it is being requested needs no continuation.
            let (ready, mustRequest) = state.withLock { state -> (Signal?, Bool) in
                if let signal = state.take() { return (signal, false) }
                defer { state.isRequested = true }
                return (nil, !state.isRequested)
            }
            if let ready { return ready }
            if mustRequest { upstream.request(.max(1)) }
            return await withCheckedContinuation { continuation in
                let (displaced, signal) = state.withLock { state in
                    let signal = state.take()
                    let displaced = state.waiter.take()
                    if signal == nil { state.waiter = continuation }
                    return (displaced, signal)
                }
                // The iterator isn't Sendable, and so nobody waits beside us; whoever did would not wait for ever.
                displaced?.resume(returning: nil)
                if let signal { continuation.resume(returning: signal) }
            }
        } onCancel: {
            cancel()
        }
    }
}
