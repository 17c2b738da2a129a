/// Decides whether a store is worth asking: after several failures in a row it is left alone for a while, and then tried by one load.
struct StoreBreaker: Sendable {
    private let terms: StoreTerms
    /// The failures in a row.
    private(set) var failures = 0
    private var pausedUntil: Duration?

    init(terms: StoreTerms) {
        self.terms = terms
    }

    /// Whether the store is left alone.
    var isPaused: Bool { pausedUntil != nil }

    /// Whether the caller is to ask the store. Of those that come when the pause is over, the first one is, and the others wait for
    /// what comes of it, or for the end of another pause.
    mutating func mayAsk(at now: Duration) -> Bool {
        guard let end = pausedUntil else { return true }
        guard now >= end else { return false }
        pausedUntil = now + terms.pause
        return true
    }

    /// Notes an answer.
    ///
    /// - Returns: Whether the store had been left alone.
    mutating func didAnswer() -> Bool {
        defer { (failures, pausedUntil) = (0, nil) }
        return isPaused
    }

    /// Notes a failure.
    ///
    /// - Returns: Whether the store is left alone from now on.
    mutating func didFail(at now: Duration) -> Bool {
        failures += 1
        guard failures >= terms.failures else { return false }
        defer { pausedUntil = now + terms.pause }
        return !isPaused
    }
}

/// A reason for a load to go on without its store.
enum StoreFault: Error, Sendable {
    /// It has no body that may be served.
    case miss
    /// It is left alone after failures.
    case paused
    /// The load has waited for it as long as it may.
    case timedOut
    /// It failed, for the reason given.
    case failed(String)
}
