import Synchronization

/// The keys of a request, computed when one is first asked for and shared by the request's copies: a request that is kept is
/// hashed once.
///
/// A part of no comparison, so that requests keep the equality that the compiler makes of all their properties.
final class RequestKeys: Sendable, Hashable {
    private let data = Mutex<CacheKey?>(nil)
    private let image = Mutex<CacheKey?>(nil)

    func data(orMake make: () -> CacheKey) -> CacheKey { Self.key(in: data, orMake: make) }

    func image(orMake make: () -> CacheKey) -> CacheKey { Self.key(in: image, orMake: make) }

    /// Two who come at once compute it twice: nothing runs under the lock.
    private static func key(in kept: borrowing Mutex<CacheKey?>, orMake make: () -> CacheKey) -> CacheKey {
        if let key = kept.withLock({ $0 }) { return key }
        let key = make()
        kept.withLock { $0 = key }
        return key
    }

    static func == (left: RequestKeys, right: RequestKeys) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
