import ImagePipeline

/// A store that leaves to a directory what it does not do itself.
protocol ForwardingStore: BodyStore {
    var cache: DiskCache { get }
}

extension ForwardingStore {
    var terms: StoreTerms { cache.terms }
    var wallClock: Duration { cache.wallClock }

    func storedBody(for key: CacheKey) throws -> (any StoredBody)? { cache.storedBody(for: key) }

    func hasBody(for key: CacheKey) throws -> Bool { cache.hasBody(for: key) }

    func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws -> (any BodyWriter)? {
        cache.bodyWriter(for: key, metadata: metadata, expectedLength: expectedLength)
    }

    func setMetadata(_ metadata: [UInt8], of body: any StoredBody) throws { cache.setMetadata(metadata, of: body) }

    func removeBody(for key: CacheKey) throws { cache.removeBody(for: key) }

    func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer { try cache.lease(of: key, for: time) }
}
