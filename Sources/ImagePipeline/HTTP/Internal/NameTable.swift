/// The names that are known, and those that are being looked up with whoever waits for them.
struct NameTable<Waiter: Hashable> {
    enum Answer {
        case known(Result<[IPAddress], NameError>)
        /// Whether the lookup has to be begun.
        case awaited(isNew: Bool)
    }

    typealias Instant = ContinuousClock.Instant

    private enum Entry {
        case lookingUp([Waiter])
        case settled(Result<[IPAddress], NameError>, until: Instant)
    }

    private let lifetime: Duration
    private var entries: [String: Entry] = [:]
    /// A failure is kept for a moment, so that a thousand loads of one bad name end with one lookup.
    private static var failureLifetime: Duration { .seconds(1) }
    /// The number of entries at which stale ones are looked for: a thousand, or twice as many as were no such ones the last time.
    private var limit = 1_000

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// Adds the waiter to those who wait, unless the answer is there.
    mutating func look(up name: String, for waiter: Waiter, at now: Instant) -> Answer {
        switch entries[name] {
        case .settled(let result, let until) where now < until: return .known(result)
        case .lookingUp(var waiters):
            // First out of the table, so that appending copies nothing.
            entries[name] = nil
            waiters.append(waiter)
            entries[name] = .lookingUp(waiters)
            return .awaited(isNew: false)
        default:
            if entries.count >= limit { removeStale(at: now) }
            entries[name] = .lookingUp([waiter])
            return .awaited(isNew: true)
        }
    }

    /// Keeps an answer.
    ///
    /// - Returns: Who has waited for it, some of whom may have left.
    mutating func settle(_ name: String, _ result: Result<[IPAddress], NameError>, at now: Instant) -> [Waiter] {
        guard case .lookingUp(let waiters) = entries[name] else { return [] }
        let isFailure = if case .failure = result { true } else { false }
        entries[name] = .settled(result, until: now + (isFailure ? Self.failureLifetime : lifetime))
        return waiters
    }

    private mutating func removeStale(at now: Instant) {
        entries = entries.filter { entry in
            if case .settled(_, let until) = entry.value { now < until } else { true }
        }
        limit = max(1_000, 2 * entries.count)
    }
}
