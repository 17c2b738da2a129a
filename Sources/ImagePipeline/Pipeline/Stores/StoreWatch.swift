import Streams
import Synchronization

/// The time that one load may still wait for its store: all that it waits for there, one after the other, takes of it.
final class StoreAllowance: Sendable {
    private let rest: Mutex<Duration>

    init(_ time: Duration) {
        rest = Mutex(time)
    }

    var left: Duration { rest.withLock { $0 } }
    var isSpent: Bool { left <= .zero }

    func spend(_ time: Duration) {
        rest.withLock { $0 -= time }
    }

    func spendAll() {
        rest.withLock { $0 = .zero }
    }
}

/// Measures how long a load waits, and says when it has waited as long as it may.
final class StoreWatch: Sendable {
    private let allowance: StoreAllowance
    private let clock: StoreClock
    private let onTimeout: @Sendable () -> Void
    private let state = Mutex(State())
    private let timer = SerialDisposable()

    private struct State {
        /// The beginning of the waiting that is not over.
        var since: Duration?
        var isTimed = false
        var isOver = false
    }

    init(_ allowance: StoreAllowance, clock: StoreClock, onTimeout: @escaping @Sendable () -> Void) {
        self.allowance = allowance
        self.clock = clock
        self.onTimeout = onTimeout
    }

    /// Begins to wait, unless that has begun.
    func begin() {
        let now = clock.elapsed()
        let isNew = state.withLock { state in
            guard !state.isOver, state.since == nil else { return false }
            state.since = now
            defer { state.isTimed = true }
            return !state.isTimed
        }
        if isNew { arm(allowance.left) }
    }

    /// Ends to wait for the moment.
    func end() {
        let now = clock.elapsed()
        let waited = state.withLock { state in
            defer { state.since = nil }
            return state.since.map { now - $0 } ?? .zero
        }
        allowance.spend(waited)
    }

    /// Ends for good.
    func stop() {
        end()
        state.withLock { $0.isOver = true }
        timer.cancel()
    }

    private func arm(_ delay: Duration) {
        let next = SingleAssignmentDisposable()
        timer.set(next)
        next.set(clock.after(max(delay, .zero)) { [weak self] in self?.check() })
    }

    private func check() {
        let now = clock.elapsed()
        let left = allowance.left
        let rest = state.withLock { state -> Duration? in
            guard !state.isOver else { return nil }
            // The next wait sets the timer again.
            guard let since = state.since else {
                state.isTimed = false
                return nil
            }
            let rest = left - (now - since)
            if rest <= .zero { state.isOver = true }
            return rest
        }
        guard let rest else { return }
        if rest > .zero { return arm(rest) }
        allowance.spendAll()
        onTimeout()
    }
}

extension Publisher where Output: Sendable {
    /// Fails when the subscriber has waited too long in all, from a request to the value.
    ///
    /// - Parameter note: Called before the failure is delivered.
    func waiting(
        atMost allowance: StoreAllowance, _ clock: StoreClock, or failure: Failure,
        _ note: @escaping @Sendable () -> Void = {}
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher.create { emitter in
            let upstream = SingleAssignmentDisposable()
            let watch = StoreWatch(allowance, clock: clock) {
                note()
                emitter.onError(failure)
            }
            self.subscribe(WatchedSubscriber(emitter: emitter, upstream: upstream, watch: watch))
            return Disposable {
                watch.stop()
                upstream.cancel()
            }
        }
    }

    /// The one value of something that is asked once, or the failure when that has taken too long: never both, however long the end takes that
    /// follows the value.
    ///
    /// - Parameter note: Called before the failure is delivered.
    func answering(
        within allowance: StoreAllowance, _ clock: StoreClock, or failure: Failure,
        _ note: @escaping @Sendable () -> Void = {}
    ) -> AnyPublisher<Output, Failure> {
        waiting(atMost: allowance, clock, or: failure, note).first().eraseToAnyPublisher()
    }
}

/// Passes on what comes, and tells the watch when somebody waits for it.
private struct WatchedSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    let emitter: Emitter<Input, Failure>
    let upstream: SingleAssignmentDisposable
    let watch: StoreWatch

    func receive(subscription: any Subscription) {
        guard upstream.set(subscription) else { return }
        emitter.onRequest { demand in
            watch.begin()
            subscription.request(demand)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        watch.end()
        emitter.onNext(input)
        if emitter.requested > .none { watch.begin() }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        emitter.send(completion: completion)
    }
}
