import ImagePipeline

/// A store of bodies in a Redis server, for programs that outgrow one machine.
///
///     let store = RedisStore(RedisAddress(host: "cache.internal"))
///     let pipeline = ImageLoader.standard(disk: store)
///
/// Each body is a hash of pieces of 64 KiB with checksums, written under a name of its own and renamed when it is whole; the server
/// removes it when its age is over, and whatever else its `maxmemory-policy` says. Leases are keys set with `NX` and `PX`: of all processes
/// and machines that miss one body at once one loads it. A server that is full, or takes nothing for another reason, serves what it has. One that is away or slow makes no load fail: see `StoreTerms`.
public final class RedisStore: BodyStore {
    public let terms: StoreTerms
    /// The beginning of the names of all keys.
    public let prefix: String
    /// The time after which the server removes a body.
    public let age: Duration
    /// The length of the longest body that is kept, in bytes.
    public let largestBody: Int

    let connections: RedisConnections

    private static let largestMetadata = 1 << 20
    /// The bytes of an answer that are taken at most: a header with all its metadata, and then some.
    static let largestReply = largestMetadata + (64 << 10)

    /// Creates a store. Connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The address of the server.
    ///   - prefix: The beginning of the names of all keys.
    ///   - age: The time after which the server removes a body.
    ///   - largestBody: The length of the longest body that is kept, in bytes.
    ///   - terms: The time that loads give the server; no call takes longer than its limit either.
    public init(
        _ address: RedisAddress, prefix: String = "images:", age: Duration = .seconds(30 * 86_400),
        largestBody: Int = 16 << 20, terms: StoreTerms = StoreTerms()
    ) {
        self.terms = terms
        self.prefix = prefix
        self.age = age
        self.largestBody = largestBody
        connections = RedisConnections(address, timeLimit: terms.timeLimit)
    }

    public func storedBody(for key: CacheKey) throws -> (any StoredBody)? {
        guard let bytes = try header(of: key) else { return nil }
        guard let header = RedisHeader(bytes, of: name(of: key)) else {
            try removeBody(for: key)
            return nil
        }
        return RedisBody(store: self, name: name(of: key), header: header)
    }

    /// The bytes of a body's header; none for another value than a body, which is to be removed as a damaged one is.
    private func header(of key: CacheKey) throws -> [UInt8]? {
        do {
            guard case .bytes(let bytes) = try connections.command("HGET", name(of: key), RedisHeader.field) else {
                return nil
            }
            return bytes
        } catch let error as RedisError where error.isWrongType {
            return []
        }
    }

    public func hasBody(for key: CacheKey) throws -> Bool {
        try connections.command("EXISTS", name(of: key)) == .integer(1)
    }

    public func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws -> (any BodyWriter)? {
        guard expectedLength ?? 0 <= largestBody, metadata.count <= Self.largestMetadata else { return nil }
        return RedisBodyWriter(store: self, name: name(of: key), metadata: metadata)
    }

    public func setMetadata(_ metadata: [UInt8], of body: any StoredBody) throws {
        guard let body = body as? RedisBody else { return }
        var header = body.header
        header.metadata = metadata
        do {
            _ = try connections.command(
                "EVAL",
                """
                local h = redis.call('HGET', KEYS[1], 'h')
                if h and string.sub(h, 2, 9) == ARGV[1] then redis.call('HSET', KEYS[1], 'h', ARGV[2]) end
                return 1
                """, "1", body.name, header.nonce, header.bytes)
        } catch let error as RedisError where error.isRefusal {
            // The entries that are there stay, and are asked about again.
        }
    }

    public func removeBody(for key: CacheKey) throws {
        _ = try connections.command("DEL", name(of: key))
    }

    public func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer {
        let lease = RedisLease(store: self, name: "\(prefix)lease:\(key.digest)", time: time)
        do {
            return try lease.take() ? .granted(lease, isTakeover: false) : .held
        } catch let error as RedisError where error.isRefusal {
            return .none
        }
    }

    private func name(of key: CacheKey) -> String { "\(prefix)\(key.digest)" }
}

/// The address of a Redis server, and what it asks for.
public struct RedisAddress: Sendable, Hashable {
    /// The name or the address of the machine.
    public var host: String
    /// The port.
    public var port: Int
    /// The user's name; nil for the default user.
    public var username: String?
    /// The password; nil for none.
    public var password: String?
    /// The number of the database.
    public var database: Int

    /// Creates an address; see the properties.
    ///
    /// - Parameters:
    ///   - host: The name or the address of the machine.
    ///   - port: The port.
    ///   - username: The user's name; nil for the default user.
    ///   - password: The password; nil for none.
    ///   - database: The number of the database.
    public init(
        host: String = "127.0.0.1", port: Int = 6379, username: String? = nil, password: String? = nil,
        database: Int = 0
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.database = database
    }
}
