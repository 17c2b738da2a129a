import Synchronization

/// The properties of a request and its keys, which are computed when they are first asked for: shared by the
/// request's copies, so that one that is kept is hashed once, and copied as one reference.
final class RequestContents: Sendable {
    /// The properties of ``ImageRequest``.
    struct Fields: Sendable, Hashable {
        var resource: ImageRequest.Resource
        var identity: String?
        var version: String?
        var expectsFileOfVersion = false
        var partition: String?
        var headers: [HTTPField]
        var rendition: Rendition
        var delivery: ImageDelivery
        var previewRequests: [ImageRequest] = []
        var previewInterest: PreviewInterest?
        var priority = LoadPriority.normal
        var caching = CachePolicies.useCache
        var storedForm: StoredForm?
        var limits: TransferLimits?
        var validators: HTTPValidators?
        var trace: LoadTrace?
        /// Whether it only watches a load that is observed already.
        var isWatching = false
        var resumption: HTTPResumption?
    }

    /// The keys that are known.
    struct Keys: Sendable {
        var data: CacheKey?
        var image: CacheKey?
    }

    let fields: Fields
    private let known: Mutex<Keys>

    init(_ fields: Fields, keys: Keys = Keys()) {
        self.fields = fields
        known = Mutex(keys)
    }

    var keys: Keys { known.withLock { $0 } }

    func dataKey(orMake make: () -> CacheKey) -> CacheKey {
        // Two who come at once compute it twice: nothing runs under the lock.
        if let key = known.withLock({ $0.data }) { return key }
        let key = make()
        known.withLock { $0.data = key }
        return key
    }

    func imageKey(orMake make: () -> CacheKey) -> CacheKey {
        if let key = known.withLock({ $0.image }) { return key }
        let key = make()
        known.withLock { $0.image = key }
        return key
    }
}

extension RequestContents: Hashable {
    static func == (left: RequestContents, right: RequestContents) -> Bool {
        left === right || left.fields == right.fields
    }

    func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
