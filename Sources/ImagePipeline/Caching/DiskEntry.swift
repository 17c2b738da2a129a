/// A cached entry that has been found whole: its metadata, and its body to be read in pieces.
///
/// It stays readable when the entry is replaced or evicted meanwhile. Reading blocks the calling thread.
public final class DiskEntry: Sendable {
    /// What was stored beside the body, such as the response's headers.
    public let metadata: [UInt8]
    /// How long the body is, in bytes.
    public let bodyLength: Int

    private let file: FileDescriptor
    private let bodyOffset: Int

    /// Opens an entry and checks it from end to end.
    ///
    /// - Returns: Nil when it is not the entry of this key, or its length or a checksum is off.
    init?(verifying file: consuming FileDescriptor, key: CacheKey) throws(SystemError) {
        let size = Int(try file.status().st_size)
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
        self.file = file
    }

    func setLastUse(_ time: Duration) {
        file.setTimes(lastUse: time)
    }

    /// Up to 64 KiB of the body from an offset on; empty at its end. Throws when the medium fails.
    public func chunk(at offset: Int) throws -> [UInt8] {
        try read(at: offset)
    }

    func read(at offset: Int) throws(SystemError) -> [UInt8] {
        guard offset >= 0, offset < bodyLength else { return [] }
        return try file.read(min(FileDescriptor.chunkSize, bodyLength - offset), at: bodyOffset + offset)
    }

    /// The whole body.
    public func body() throws -> [UInt8] {
        try file.read(bodyLength, at: bodyOffset)
    }
}
