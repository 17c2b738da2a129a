/// A store of bodies by key: a directory, a Redis server, an object store, or one of your own.
///
/// ``Source/cached(in:by:priority:policy:openBodies:on:clock:)`` and ``Source/httpCached(in:openBodies:on:clock:)`` look bodies up in it and keep them
/// there. Every method may block: it is called on threads that may, several at once. Whatever a method throws makes no load fail, and
/// no load waits longer than ``StoreTerms/timeLimit``: the load goes on without the store, which is asked again later.
public protocol BodyStore: Sendable {
    /// The time that loads give the store.
    var terms: StoreTerms { get }
    /// The wall clock by which the freshness of responses is measured, as the time since 1970.
    var wallClock: Duration { get }

    /// Returns the body of a key; nil is a miss. A body that is not what was written is a miss too.
    ///
    /// - Parameter key: The key of the body.
    func storedBody(for key: CacheKey) throws -> (any StoredBody)?
    /// Returns whether there is a body of a key, whole or not, without looking into it.
    ///
    /// - Parameter key: The key of the body.
    func hasBody(for key: CacheKey) throws -> Bool
    /// Begins to write a body; nil when it would be too large.
    ///
    /// - Parameters:
    ///   - key: The key of the body.
    ///   - metadata: The bytes to store beside the body.
    ///   - expectedLength: The length of the body in bytes, if it is known.
    func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws -> (any BodyWriter)?
    /// Replaces the bytes stored beside a body, which stays as it is.
    ///
    /// - Parameters:
    ///   - metadata: The new bytes.
    ///   - body: A body that was found in this store.
    func setMetadata(_ metadata: [UInt8], of body: any StoredBody) throws
    /// Removes the body of a key, if there is one.
    ///
    /// - Parameter key: The key of the body.
    func removeBody(for key: CacheKey) throws
    /// Takes the right to load a body that the store does not have, so that processes that want it at once load it once.
    ///
    /// - Parameters:
    ///   - key: The key of the body.
    ///   - time: The time after which it ends unless it is renewed.
    func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer
}

extension BodyStore {
    public var wallClock: Duration { DiskCache.timeSinceEpoch }

    /// Says that this store has no leases: each process loads for itself.
    ///
    /// - Parameters:
    ///   - key: The key of the body.
    ///   - time: The time after which a lease would end.
    public func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer { .none }
}

/// A body that was found in a store, to be read in pieces from its beginning to its end.
public protocol StoredBody: Sendable {
    /// The bytes that were stored beside the body.
    var metadata: [UInt8] { get }
    /// The length of the body in bytes.
    var bodyLength: Int { get }
    /// A closure that removes the body unless another one has taken its place; it keeps nothing open.
    var removal: @Sendable () throws -> Void { get }

    /// Returns the next bytes of the body, some tens of kilobytes at a time; an empty array at its end. Throws ``DamagedBody`` where they are
    /// not those that were written; the store is well then, and the body is loaded anew.
    ///
    /// - Parameter offset: The number of bytes that were read so far.
    func chunk(at offset: Int) throws -> [UInt8]
}

/// A writer of one body. It is used by one thread at a time; a writer that is released before it has published keeps nothing.
public protocol BodyWriter: AnyObject, Sendable {
    /// Appends bytes. A writer that cannot go on throws, or ignores the rest and does not publish.
    ///
    /// - Parameter bytes: The bytes to append.
    func append(_ bytes: [UInt8]) throws
    /// Makes the body visible, in place of the one that the key had, if any.
    ///
    /// - Returns: `true` if it is in the store now.
    func publish() throws -> Bool
}

/// An answer of a store that was asked for a lease.
public enum LeaseAnswer: Sendable {
    /// The store has no leases.
    case none
    /// Somebody else has the lease.
    case held
    /// The lease is the caller's. `isTakeover` says that it was somebody's who has not renewed it in time.
    case granted(any StoreLease, isTakeover: Bool)
}

/// The right to load a body, until it is released or its time is over.
public protocol StoreLease: Sendable {
    /// Begins the lease's time anew, if it is still the caller's.
    func renew() throws
    /// Ends the lease, if it is still the caller's.
    func release() throws
}

/// An error of a stored body that is not, or not any more, what was written: a miss, and no fault of its store.
public struct DamagedBody: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error with its reason.
    ///
    /// - Parameter reason: The reason, in words.
    public init(_ reason: String) {
        description = reason
    }
}

/// The part of a body that is on a store's medium and can be read there, whatever becomes of the entry and of its writer.
struct WrittenBody: Sendable {
    /// The bytes that can be read, from the first on.
    let length: Int
    /// Reads bytes that have been written. Blocks the calling thread.
    let read: @Sendable (Range<Int>) throws -> [UInt8]
}

/// A writer whose body can be read while it is being written.
protocol ReadableBodyWriter: BodyWriter {
    /// The part that has been written; nil once the writer has given up.
    var written: WrittenBody? { get }
}
