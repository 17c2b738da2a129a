/// The cache policies of a request, one for each tier of caches.
///
///     request.caching = .reload          // every cache
///     request.caching.disk = .noStore    // one of them
public struct CachePolicies: Sendable, Hashable {
    /// The use of images in memory.
    public var memory: CachePolicy
    /// The use of bodies on disk.
    public var disk: CachePolicy

    /// Creates policies for each cache.
    ///
    /// - Parameters:
    ///   - memory: The use of images in memory.
    ///   - disk: The use of bodies on disk.
    public init(memory: CachePolicy = .useCache, disk: CachePolicy = .useCache) {
        self.memory = memory
        self.disk = disk
    }

    /// Serves what the caches have and may serve, and keeps what is loaded otherwise.
    public static let useCache = CachePolicies()
    /// Asks the server whether what the caches have is as it was.
    public static let revalidate = CachePolicies(memory: .revalidate, disk: .revalidate)
    /// Loads anew whatever the caches have, and keeps the result in its place.
    public static let reload = CachePolicies(memory: .reload, disk: .reload)
    /// Serves what is in memory or on disk, and fails with ``LoadError/notCached`` where there is nothing. No server is asked, also
    /// by a pipeline without a disk cache.
    public static let cacheOnly = CachePolicies(memory: .useCache, disk: .cacheOnly)
    /// Bypasses all caches: takes nothing from them and keeps nothing in them.
    public static let noStore = CachePolicies(memory: .noStore, disk: .noStore)

    /// Keeps what is loaded until a moment, after which it is never served. A disk cache by HTTP's rules keeps nothing of such a load.
    ///
    /// - Parameter end: The moment, as the time since 1970.
    public static func expires(at end: Duration) -> CachePolicies {
        CachePolicies(memory: .expires(at: end), disk: .expires(at: end))
    }
}

extension ImageRequest {
    /// The use of images in memory, by ``caching`` or else by the request's own `Cache-Control`.
    var memoryPolicy: CachePolicy { imagePolicy(caching.memory) }

    /// The use of images on disk, in the same way.
    var storedImagePolicy: CachePolicy { imagePolicy(caching.disk) }

    private func imagePolicy(_ stated: CachePolicy) -> CachePolicy {
        guard stated == .useCache, !headers.isEmpty else { return stated }
        let directives = CacheDirectives(headers)
        if directives.has("no-store") { return .noStore }
        // Caches of images know no ages: whoever names one asks the tier that does.
        let asks = ["no-cache", "max-age", "min-fresh"].contains(where: directives.has)
        let isPragma = directives.isEmpty && headers.contains { $0.name.lowercased() == "pragma" }
        return asks || isPragma ? .revalidate : .useCache
    }

    /// The identity of a load under way: the image, the use that it makes of caches, and the limits of its transfer.
    var sharingKey: CacheKey { key(of: imageKey, using: [caching.memory, caching.disk]) }

    /// The identity of a transfer, which requests for several renditions may share. Nil for bytes at hand.
    var bodyKey: CacheKey? {
        if case .data = resource { return nil }
        return key(of: dataKey, using: [caching.disk])
    }

    private func key(of contents: CacheKey, using policies: [CachePolicy]) -> CacheKey {
        let directives = headers.filter { Self.isDirective($0) }
        guard limits != nil || !directives.isEmpty || policies.contains(where: { $0 != .useCache }) else {
            return contents
        }
        let own = policies.flatMap(\.words) + (limits?.words ?? [""])
        return CacheKey([contents.digest] + own + directives.flatMap { [$0.name.lowercased(), $0.value] })
    }

    /// The request as HTTP's rules for caches know it, with a `Cache-Control` that says what the policy for the disk says.
    var statingDiskPolicy: ImageRequest {
        let directive: String
        switch caching.disk {
        case .useCache, .expires: return self
        case .revalidate, .reload: directive = "no-cache"
        case .cacheOnly: directive = "only-if-cached"
        case .noStore: directive = "no-store"
        }
        var request = self
        request.headers.removeAll { Self.isDirective($0) }
        request.headers.append(HTTPField("Cache-Control", directive))
        return request
    }
}

// Words for keys are spelled out: what the language prints of a value takes a look at its type, which may say no more than its name.

extension CachePolicy {
    fileprivate var words: [String] {
        switch self {
        case .useCache: ["useCache", ""]
        case .revalidate: ["revalidate", ""]
        case .reload: ["reload", ""]
        case .cacheOnly: ["cacheOnly", ""]
        case .noStore: ["noStore", ""]
        case .expires(let end): ["expires", end.word]
        }
    }
}

extension TransferLimits {
    fileprivate var words: [String] {
        [connect.word, "\(stall.bytes)", stall.time.word, total.word, "\(body)", "\(head)"]
    }
}

extension Duration {
    fileprivate var word: String { "\(components.seconds) \(components.attoseconds)" }
}
