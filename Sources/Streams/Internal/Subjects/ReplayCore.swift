import Synchronization

/// The machinery under `ReplaySubject`: everything that happens goes through one inbox, so that each subscriber gets what
/// was kept and then what follows, with no gap and in one order.
///
/// Cancelled emitters stay until they outnumber the rest: so a cancel takes constant time, amortised, and nobody's place
/// in the order changes.
///
/// Unchecked because of `kept`, `emitters`, `cancelled` and `completion`, which only the owner of the gate touches.
@usableFromInline
final class ReplayCore<Output: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline
    enum Event: Sendable {
        case value(Output)
        case completion(Subscribers.Completion<Failure>)
        case attach(Emitter<Output, Failure>)
        /// One of the emitters was cancelled.
        case detach
        case abandon
    }

    @usableFromInline let upstreams = CompositeDisposable()
    private let gate = DemandGate(isUnlimited: true)
    private let inbox = Mutex([Event]())
    @exclusivity(unchecked) private var kept: RecentValues<Output>
    @exclusivity(unchecked) private var emitters: [Emitter<Output, Failure>] = []
    /// How many of them have been cancelled, or somewhat more.
    @exclusivity(unchecked) private var cancelled = 0
    @exclusivity(unchecked) private var completion: Subscribers.Completion<Failure>?

    @usableFromInline
    init(capacity: Int) {
        kept = RecentValues(capacity)
    }

    @usableFromInline
    func post(_ event: Event) {
        inbox.withLock { $0.append(event) }
        if gate.enterOrMark() { drain() }
    }

    /// The subject has gone: its upstreams are cancelled, and its subscribers let go of.
    @usableFromInline
    func abandon() {
        upstreams.cancel()
        post(.abandon)
    }

    private func drain() {
        repeat {
            while true {
                let events = inbox.withLock { inbox in
                    defer { inbox = [] }
                    return inbox
                }
                if events.isEmpty { break }
                for event in events { handle(event) }
            }
        } while gate.leave() == .again
    }

    private func handle(_ event: Event) {
        switch event {
        case .value(let value):
            guard completion == nil else { return }
            _ = kept.push(value)
            for emitter in emitters { emitter.send(value) }
        case .completion(let end):
            guard completion == nil else { return }
            completion = end
            let ended = emitters
            emitters = []
            upstreams.cancel()
            for emitter in ended { emitter.send(completion: end) }
        case .attach(let emitter):
            for value in kept.values { emitter.send(value) }
            if let completion { emitter.send(completion: completion) } else { emitters.append(emitter) }
        case .abandon: emitters = []
        case .detach:
            cancelled += 1
            guard 2 * cancelled > emitters.count else { return }
            cancelled = 0
            emitters.removeAll(where: \.isCancelled)
        }
    }
}
