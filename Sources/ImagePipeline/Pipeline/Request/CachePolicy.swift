/// The use that one load makes of one cache.
public enum CachePolicy: Sendable, Hashable {
    /// Serves what the cache has and may serve, and keeps what is loaded otherwise: the default.
    case useCache
    /// Asks the source whether what the cache has is as it was. Until the answer is there, it is a degraded value.
    case revalidate
    /// Loads anew whatever the cache has, and keeps the result in its place.
    case reload
    /// Serves what the cache has, and fails with ``LoadError/notCached`` on a miss.
    case cacheOnly
    /// Goes past the cache: takes nothing from it and keeps nothing in it.
    case noStore
    /// Does what ``useCache`` does, and keeps what is loaded until a moment, a time since 1970. From then on it is never served.
    case expires(at: Duration)

    /// Whether what the cache has may be delivered as the final value.
    var mayServe: Bool {
        switch self {
        case .useCache, .cacheOnly, .expires: true
        case .revalidate, .reload, .noStore: false
        }
    }

    /// Whether the cache may keep what is loaded.
    var mayStore: Bool { self != .noStore }

    /// Whether a cache that keeps no end with what is loaded may keep it.
    var mayStoreForGood: Bool {
        switch self {
        case .useCache, .revalidate, .reload, .cacheOnly: true
        case .noStore, .expires: false
        }
    }
}
