import Streams
import Synchronization

/// A lease that a load holds while it brings a body: renewed by what arrives, released with the load's end.
final class HeldLease: Sendable {
    /// Whether the store has a body that it may not have had when it was asked for it.
    let mayHaveComeMeanwhile: Bool
    /// Whether others wait for this load. One that has waited itself, for nothing that is kept, makes nobody wait.
    private let isLeading: Bool
    private let lease: any StoreLease
    private let time: Duration
    private let tier: StoreTier
    private let state: Mutex<State>

    private struct State {
        var isReleased = false
        var renewed: Duration
    }

    init(_ lease: any StoreLease, for time: Duration, of tier: StoreTier, hasBody: Bool, isLeading: Bool) {
        self.lease = lease
        self.time = time
        self.tier = tier
        self.isLeading = isLeading
        mayHaveComeMeanwhile = hasBody
        state = Mutex(State(renewed: tier.clock.elapsed()))
    }

    deinit {
        release()
    }

    /// The load, which holds the lease until it ends.
    func covering(_ load: AnyPublisher<DataEvent, LoadError>) -> AnyPublisher<DataEvent, LoadError> {
        load.handleEvents(
            receiveOutput: { _ in self.renew() }, receiveCompletion: { _ in self.release() },
            receiveCancel: { self.release() }
        )
        .eraseToAnyPublisher()
    }

    fileprivate func releaseUnlessLeading() {
        if !isLeading { release() }
    }

    private func release() {
        let isFirst = state.withLock { state in
            defer { state.isReleased = true }
            return !state.isReleased
        }
        if isFirst { tier.threads.schedule { [lease] in try? lease.release() } }
    }

    /// Well before its time is over, but not for every chunk. A load that nothing arrives for loses it.
    private func renew() {
        let now = tier.clock.elapsed()
        let isDue = state.withLock { state in
            guard !state.isReleased, now - state.renewed >= time / 4 else { return false }
            state.renewed = now
            return true
        }
        if isDue { tier.threads.schedule { [lease] in try? lease.renew() } }
    }
}

extension StoreLoad {
    /// The lease of the body, once nobody else has it; nil where the store has none to give, or has a bad moment.
    func lease(for time: Duration) -> AnyPublisher<HeldLease?, LoadError> {
        AnyPublisher.create { emitter in
            let queue = LeaseQueue(load: self, time: time, emitter: emitter)
            queue.ask()
            return Disposable { queue.leave() }
        }
    }
}

/// Asks for a lease until nobody else has it, for the time of a lease at most: whoever renews it for ever holds nobody up for longer.
///
/// It asks again after an eighth of the time that it has waited: no load comes much later for that, and a thousand of them that wait for
/// seconds leave the store's threads to those that read.
private final class LeaseQueue: Sendable {
    private static let shortestDelay = Duration.milliseconds(2)
    private static let longestDelay = Duration.milliseconds(500)

    private let load: StoreLoad
    private let time: Duration
    private let emitter: Emitter<HeldLease?, LoadError>
    private let start: Duration
    private let pending = SerialDisposable()

    private enum Answer: Sendable {
        case held
        case ended(HeldLease?)
    }

    init(load: StoreLoad, time: Duration, emitter: Emitter<HeldLease?, LoadError>) {
        self.load = load
        self.time = time
        self.emitter = emitter
        start = load.tier.clock.elapsed()
    }

    func leave() {
        pending.cancel()
    }

    func ask(hasWaited: Bool = false) {
        // One that was not renewed since the first question can be taken over with the last.
        let rest = time - (load.tier.clock.elapsed() - start)
        // In its place before it begins: the answer may be there before it has begun.
        let question = SingleAssignmentDisposable()
        pending.set(question)
        question.set(
            load.work { [load, time] in
                let (store, key) = (load.store, load.key)
                switch try store.lease(of: key, for: time) {
                case .none: return .ended(nil)
                case .held: return .held
                case .granted(let lease, let isTakeover):
                    let held = HeldLease(
                        lease, for: time, of: load.tier, hasBody: (try? store.hasBody(for: key)) ?? false,
                        isLeading: !hasWaited || isTakeover)
                    return .ended(held)
                }
            }
            .replaceError(with: Answer.ended(nil))
            .sink { [self] answer in
                switch answer {
                case .held: if rest > .zero { askLater() } else { end(nil) }
                case .ended(let lease): end(lease)
                }
            })
    }

    private func askLater() {
        let waited = load.tier.clock.elapsed() - start
        let delay = min(max(waited / 8, Self.shortestDelay), Self.longestDelay, max(time - waited, Self.shortestDelay))
        let timer = SingleAssignmentDisposable()
        pending.set(timer)
        timer.set(load.tier.clock.after(delay) { [self] in ask(hasWaited: true) })
    }

    private func end(_ lease: HeldLease?) {
        lease?.releaseUnlessLeading()
        emitter.onNext(lease)
        emitter.onComplete()
    }
}
