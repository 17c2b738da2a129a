import Files

/// A cached entry that has been found whole: its metadata, and its body to be read in pieces.
///
/// It stays readable when the entry is replaced or evicted meanwhile. Reading blocks the calling thread.
public final class DiskEntry: Sendable {
    /// The bytes that were stored beside the body, such as the response's headers.
    public let metadata: [UInt8]
    /// The length of the body in bytes.
    public let bodyLength: Int

    private let cache: DiskCache
    let key: CacheKey
    private let facts: FileFacts
    private let file: FileDescriptor
    private let bodyOffset: Int

    /// Opens an entry and checks it from end to end.
    ///
    /// - Returns: Nil when it is not the entry of this key, or its length or a checksum is off.
    init?(
        verifying file: consuming FileDescriptor, _ facts: FileFacts, key: CacheKey, of cache: DiskCache
    ) throws(SystemError) {
        let size = facts.size
        let start = try file.read(EntryHeader.size, at: 0)
        guard let header = EntryHeader(start, fileSize: size), header.keyLength == key.bytes.count else { return nil }
        let storedKey = try file.read(header.keyLength, at: EntryHeader.size)
        let metadata = try file.read(header.metadataLength, at: EntryHeader.size + header.keyLength)
        guard storedKey == key.bytes, header.matches(start, key: storedKey, metadata: metadata) else { return nil }
        var checksum: UInt32 = 0
        var offset = header.bodyOffset
        while offset < size {
            let chunk = try file.read(min(FileDescriptor.chunkSize, size - offset), at: offset)
            if chunk.isEmpty { return nil }
            checksum = EntryHeader.checksum(checksum, chunk)
            offset += chunk.count
        }
        guard checksum == header.bodyChecksum else { return nil }
        self.metadata = metadata
        bodyLength = header.bodyLength
        bodyOffset = header.bodyOffset
        self.cache = cache
        self.key = key
        self.facts = facts
        self.file = file
    }

    /// Notes a use. A file that was written when the clock was ahead ages from now.
    func setLastUse(_ time: Duration) {
        file.setTimes(lastUse: time, change: facts.isDatedAhead(of: time) ? time : nil)
    }

    /// Removes the entry from its cache, because its body is of no use. An entry that has taken its place stays.
    public func remove() {
        cache.remove(key, ifStill: facts)
    }

    /// A closure that does what ``remove()`` does without keeping the file open.
    public var removal: @Sendable () throws -> Void {
        { [cache, key, facts] in _ = cache.remove(key, ifStill: facts) }
    }

    /// Returns up to 64 KiB of the body, starting at an offset; an empty array at its end.
    ///
    /// Throws when the medium fails, which the cache counts and logs.
    ///
    /// - Parameter offset: The offset in the body, in bytes.
    public func chunk(at offset: Int) throws -> [UInt8] {
        guard offset >= 0, offset < bodyLength else { return [] }
        return try read(min(FileDescriptor.chunkSize, bodyLength - offset), at: offset)
    }

    /// Returns the whole body. Throws when the medium fails, which the cache counts and logs.
    public func body() throws -> [UInt8] {
        try read(bodyLength, at: 0)
    }

    private func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        do {
            return try file.read(count, at: bodyOffset + offset)
        } catch {
            cache.report(error, while: .reading)
            throw error
        }
    }
}
