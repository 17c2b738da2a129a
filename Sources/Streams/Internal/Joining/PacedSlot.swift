import Synchronization

/// A slot that asks an upstream which makes its values on request for no more of them than a window at a time, however
/// much is requested: what waits for partners then is never more than that. Any other upstream is asked for everything,
/// since it may drop what it was not asked for.
///
/// Unchecked as its base: it adds a constant.
@usableFromInline
final class PacedSlot: UpstreamSlot, @unchecked Sendable {
    /// How many values wait at most, where nothing speaks for more.
    @usableFromInline static var usualWindow: Int { 128 }

    private enum Pace {
        case unknown, free, paced
    }

    private struct State: Sendable {
        var pace = Pace.unknown
        /// What was requested and not yet asked for.
        var owed = Subscribers.Demand.none
        /// How many values were asked for and not yet taken.
        var asked = 0

        mutating func take(upTo window: Int) -> Subscribers.Demand {
            let now: Subscribers.Demand =
                switch pace {
                case .unknown: .none
                case .free: owed
                case .paced: Swift.min(owed, .max(window - asked))
                }
            owed -= now
            if pace == .free { owed = .none } else { asked += now.count }
            return now
        }
    }

    private let state = Mutex(State())
    private let window: Int

    /// - Parameter window: How many values wait at most.
    @usableFromInline
    init(window: Int = PacedSlot.usualWindow) {
        self.window = window
        super.init()
    }

    /// Passes on what was requested before its upstream came; called once that has been received.
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
        ask { $0.asked -= $0.pace == .paced ? count : 0 }
    }

    private func ask(_ change: (inout State) -> Void) {
        let now = state.withLock { state in
            change(&state)
            return state.take(upTo: window)
        }
        if now > .none { super.request(now) }
    }
}
