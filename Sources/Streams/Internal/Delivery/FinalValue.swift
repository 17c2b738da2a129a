import Synchronization

/// The downstream half of an operator that delivers one value at its upstream's end: whichever comes later, the value
/// or the request, delivers it.
@usableFromInline
final class FinalValue<Output: Sendable, Downstream: Subscriber>: Subscription where Downstream.Input == Output {
    @usableFromInline let upstream = UpstreamSlot()
    @usableFromInline let state: Mutex<State>
    @usableFromInline let isCancelled = Atomic(false)

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var downstream: Downstream?
        @usableFromInline var value: Output?
        @usableFromInline var isRequested = false

        @inlinable
        init(downstream: Downstream) {
            self.downstream = downstream
        }

        /// Who gets what now, if both are there; nobody gets anything afterwards.
        @inlinable
        mutating func takeIfReady() -> (Downstream, Output)? {
            guard isRequested, let downstream, let value else { return nil }
            self.downstream = nil
            self.value = nil
            return (downstream, value)
        }
    }

    @inlinable
    init(downstream: Downstream) {
        state = Mutex(State(downstream: downstream))
    }

    @inlinable
    func start() {
        state.withLock { $0.downstream }?.receive(subscription: self)
    }

    /// The result stands; nil finishes without a value, and waits for no request.
    ///
    /// - Parameter cancelling: Whether the upstream goes on and is to be cancelled.
    @inlinable
    func finish(with value: Output?, cancelling: Bool = false) {
        guard cancelling ? upstream.cancelFirst() : upstream.finish() else { return }
        guard let value else {
            takeDownstream()?.receive(completion: .finished)
            return
        }
        deliver(
            state.withLock { state in
                state.value = value
                return state.takeIfReady()
            })
    }

    @inlinable
    func fail(_ error: Downstream.Failure, cancelling: Bool = false) {
        guard cancelling ? upstream.cancelFirst() : upstream.finish() else { return }
        takeDownstream()?.receive(completion: .failure(error))
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        deliver(
            state.withLock { state in
                state.isRequested = true
                return state.takeIfReady()
            })
    }

    @inlinable
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        _ = takeDownstream()
        upstream.cancel()
    }

    @inlinable
    func deliver(_ ready: (Downstream, Output)?) {
        guard let (downstream, value) = ready else { return }
        // A cancel inside the value must keep the completion back.
        _ = downstream.receive(value)
        if !isCancelled.load(ordering: .acquiring) { downstream.receive(completion: .finished) }
    }

    @inlinable
    func takeDownstream() -> Downstream? {
        // The value leaves the state too, and is let go of outside the lock.
        let (downstream, value) = state.withLock { state in (state.downstream.take(), state.value.take()) }
        withExtendedLifetime(value) {}
        return downstream
    }
}
