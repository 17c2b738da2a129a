import ImagePipeline

/// A store of bodies in an object store: S3, a server compatible with it, or any HTTP server that takes `PUT`.
///
///     let store = ObjectStore(ObjectStoreAddress("http://cache.internal/images"))
///     let pipeline = ImageLoader.standard(disk: store)
///
/// Each body is one object, written in one request when it is whole, and read in ranges of 256 KiB with checksums. Until then it is kept
/// beside: a megabyte at most in memory, anything larger in a file without a name, in `TMPDIR`. There are no leases: each process that misses a body loads it for itself. The store does not list
/// objects, and so keeps no limit on their total; a bucket's own rules for expiry should, by about ``age``. Signatures need libcurl 7.88.
/// The credentials have to allow listing too (`s3:ListBucket`): without, S3 answers 403 for what is not there, which is a failure here.
/// A server that refuses to keep a body serves what it has; one that is away or slow makes no load fail: see `StoreTerms`.
public final class ObjectStore: BodyStore {
    public let terms: StoreTerms
    /// The age from which a body is not served any more, and is removed when it is found.
    public let age: Duration
    /// The length of the longest body that is kept, in bytes.
    public let largestBody: Int

    let requests: ObjectRequests
    private let now: @Sendable () -> Duration

    /// Creates a store. Connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The place of the objects.
    ///   - age: The age from which a body is not served any more.
    ///   - largestBody: The length of the longest body that is kept, in bytes.
    ///   - terms: The time that loads give the server; no request takes longer than its limit either.
    ///   - now: The wall clock, as the time since 1970.
    public init(
        _ address: ObjectStoreAddress, age: Duration = .seconds(30 * 86_400), largestBody: Int = 16 << 20,
        terms: StoreTerms = StoreTerms(), now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }
    ) {
        self.terms = terms
        self.age = age
        self.largestBody = min(max(0, largestBody), 1 << 30)
        self.now = now
        requests = ObjectRequests(address, timeLimit: terms.timeLimit)
    }

    public var wallClock: Duration { now() }

    public func storedBody(for key: CacheKey) throws -> (any StoredBody)? {
        guard let body = try ObjectBody(named: key.digest, in: self) else { return nil }
        if let header = body.header, now() - header.written < age { return body }
        // Damaged, or too old.
        try body.removal()
        return nil
    }

    public func hasBody(for key: CacheKey) throws -> Bool { try requests.has(key.digest) }

    public func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws -> (any BodyWriter)? {
        guard expectedLength ?? 0 <= largestBody, metadata.count <= ObjectHeader.largestMetadata else { return nil }
        return ObjectBodyWriter(named: key.digest, in: self, metadata: metadata)
    }

    public func setMetadata(_ metadata: [UInt8], of body: any StoredBody) throws {
        guard let body = body as? ObjectBody, let header = body.header else { return }
        let writer = ObjectBodyWriter(named: body.name, in: self, metadata: metadata, nonce: header.nonce)
        var offset = 0
        while offset < body.bodyLength {
            let chunk = try body.chunk(at: offset)
            try writer.append(chunk)
            offset += chunk.count
        }
        // Not over one that has taken its place; it may yet between the two requests, and is lost then.
        if try body.isPresent() { _ = try writer.publish() }
    }

    public func removeBody(for key: CacheKey) throws { try requests.remove(key.digest) }
}

/// An error of an object store's server, or of the connection to it.
struct ObjectStoreError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
