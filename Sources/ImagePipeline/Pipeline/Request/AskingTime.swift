import Synchronization

/// The moment at which a server was asked.
struct AskingTime: Sendable, Hashable {
    /// By the wall clock, which may jump: the time since 1970.
    let sinceEpoch: Duration
    /// The number among all of this process; nil for a moment that a cache has noted, of this process or another one.
    let turn: Int?

    private static let turns = Atomic(0)
    /// The caches note whole milliseconds.
    private static let coarseness = Duration.milliseconds(1)

    /// The moment that is now.
    init(now: Duration) {
        sinceEpoch = now
        turn = Self.turns.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// A moment that a cache has noted.
    init(noted: Duration) {
        (sinceEpoch, turn) = (noted, nil)
    }

    /// Whether it is later than another moment. One of the future is of a clock that was wrong, and later than none.
    func isLater(than other: AskingTime, at now: Duration) -> Bool {
        if let turn, let otherTurn = other.turn { return turn > otherTurn }
        return sinceEpoch >= other.sinceEpoch + (other.turn == nil ? Self.coarseness : .nanoseconds(1))
            && sinceEpoch <= now
    }
}
