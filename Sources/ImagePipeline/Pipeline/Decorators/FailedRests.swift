import Synchronization

/// The bodies whose rest a server has failed to deliver, and how often.
final class FailedRests: Sendable {
    /// The number of failures that may be those of a server that is overloaded: what there is of the body is not given up for one.
    private static let limit = 2
    /// They are forgotten with the process in any case.
    private static let capacity = 1_000

    private let counts = Mutex<[CacheKey: Int]>([:])

    func note(_ key: CacheKey) {
        counts.withLock { counts in
            if counts.count >= Self.capacity { counts = [:] }
            counts[key, default: 0] += 1
        }
    }

    /// Returns whether the whole is to be asked for this time. If that fails as well, the count begins anew.
    func areEnough(for key: CacheKey) -> Bool {
        counts.withLock { counts in
            guard counts[key] ?? 0 >= Self.limit else { return false }
            counts[key] = nil
            return true
        }
    }
}
