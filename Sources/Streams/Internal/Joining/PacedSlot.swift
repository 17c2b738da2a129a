import CThread
import Synchronization

/// A slot that asks an upstream which delivers inside its requests for no more than a window at a time, however much is
/// requested: what waits for partners then is never more than that, and an endless one comes back from each request. Any
/// other upstream is asked for everything, since it may drop what it was not asked for.
///
/// Of a sequence it is known that it delivers so, and of a subject that it does not. All others are watched: one that
/// has delivered everything it was asked for by the time the request returns, or the subscription where it was made inside
/// that, is asked for windows until it once has not.
///
/// The gate is kept for a sequence while it is subscribed to, so that it need not be entered for each of its values. Of any other
/// nobody knows for how long it would be kept.
///
/// Unchecked as its base: it adds constants, what is behind a lock, and `holdsGate`, which one thread touches.
@usableFromInline
final class PacedSlot: UpstreamSlot, @unchecked Sendable {
    /// How many values wait at most, where nothing speaks for more.
    @usableFromInline static var usualWindow: Int { 128 }

    private enum Pace {
        case unknown, free, paced, watched
    }

    private struct State: Sendable {
        var pace = Pace.unknown
        /// What was requested and not yet asked for.
        var owed = Subscribers.Demand.none
        /// How many values were asked for and not yet taken.
        var asked = 0
        /// While it is watched: how many were asked for and have not come.
        var open = 0
        /// While it is watched: how many requests have not returned, and the subscribing itself. One that is made inside
        /// a delivery or the subscription may be answered when that has returned.
        var underWay = 1

        mutating func take(upTo window: Int) -> Subscribers.Demand {
            let now: Subscribers.Demand =
                switch pace {
                case .unknown: .none
                case .free: owed
                case .paced, .watched: Swift.min(owed, .max(window - asked))
                }
            owed -= now
            if pace == .free { owed = .none } else { asked += now.count }
            if pace == .watched, now > .none {
                open += now.count
                underWay += 1
            }
            return now
        }

        /// A request has returned, or the subscribing.
        ///
        /// - Returns: Whether the upstream turns out to deliver by itself.
        mutating func judge() -> Bool {
            underWay -= 1
            guard pace == .watched, underWay == 0, open > 0 else { return false }
            pace = .free
            return true
        }
    }

    private let state = Mutex(State())
    private let window: Int
    /// The thread that is subscribing to its upstream; 0 afterwards.
    private let subscribingThread = Atomic(UInt(current_thread()))
    /// Whether that thread has entered the join's gate for what a sequence delivers meanwhile. It alone touches this.
    @exclusivity(unchecked) private var holdsGate = false

    /// - Parameter window: How many values wait at most.
    @usableFromInline
    init(window: Int = PacedSlot.usualWindow) {
        self.window = window
        super.init()
    }

    /// Its upstream has been subscribed to; the subscription may still be on its way.
    @usableFromInline
    func attached(to join: DrainedSubscription) {
        subscribingThread.store(0, ordering: .relaxed)
        if holdsGate {
            holdsGate = false
            join.drain()
        }
        judge()
    }

    /// Passes on what was requested before its upstream came, at the pace that suits it; called once that has been
    /// received.
    @usableFromInline
    func begin(with subscription: any Subscription, of join: DrainedSubscription) {
        if DrainedSubscription.isPulled(subscription) {
            if subscribingThread.load(ordering: .relaxed) == UInt(current_thread()) { holdsGate = join.tryHold() }
            return begin(pacing: true)
        }
        if subscription is ConduitHandle { return begin(pacing: false) }
        watch(true)
        ask { $0.pace = .watched }
    }

    /// Passes on what was requested so far at a pace that is known.
    @usableFromInline
    func begin(pacing isPaced: Bool) {
        ask { $0.pace = isPaced ? .paced : .free }
    }

    @usableFromInline
    override func request(_ demand: Subscribers.Demand) {
        ask { $0.owed += demand }
    }

    /// So many of its values have been taken.
    @usableFromInline
    func replenish(_ count: Int) {
        ask { $0.asked -= $0.pace == .free ? 0 : count }
    }

    @usableFromInline
    override func noteValue() {
        state.withLock { $0.open = Swift.max($0.open - 1, 0) }
    }

    private func ask(_ change: (inout State) -> Void) {
        let (now, isWatched) = state.withLock { state in
            change(&state)
            return (state.take(upTo: window), state.pace == .watched)
        }
        guard now > .none else { return }
        super.request(now)
        if isWatched { judge() }
    }

    private func judge() {
        guard state.withLock({ $0.judge() }) else { return }
        watch(false)
        ask { _ in }
    }
}
