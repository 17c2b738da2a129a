import Files
import Synchronization

/// A validated cache entry: its metadata, and its body to be read in pieces.
///
/// It stays readable when the entry is replaced or evicted meanwhile. Reading blocks the calling thread. A body is read when it is checked,
/// and held in memory for as long as the entry is, if it takes up to 512 KiB together with its metadata and a header of 64 bytes. A larger one
/// is read again when it is asked for: what somebody else changes in the file meanwhile is not noticed, unless it gets shorter.
public final class DiskEntry: Sendable {
    /// The bytes that were stored beside the body, such as the response's headers.
    public let metadata: [UInt8]
    /// The length of the body in bytes.
    public let bodyLength: Int

    private let cache: DiskCache
    let key: CacheKey
    let facts: FileFacts
    private let place: Place
    private let file: FileDescriptor
    /// The body, which has been read to be checked, where it is small enough to be held until it is asked for; nil where it is not.
    private let held: [UInt8]?

    /// The size of the largest file whose body is held, in bytes: a photo for a screen. Larger ones are read twice.
    private static let largestHeld = 512 << 10

    /// Opens an entry and checks it from end to end.
    ///
    /// - Returns: Nil when it is not the entry of this key, or its length or a checksum is off.
    init?(
        verifying file: consuming FileDescriptor, _ facts: FileFacts, key: CacheKey, of cache: DiskCache
    ) throws(SystemError) {
        let size = facts.size
        let isHeld = size <= Self.largestHeld
        // One call, into memory of its own for the body: it is not copied.
        var (start, contents) = try file.read(EntryHeader.size, then: isHeld ? max(0, size - EntryHeader.size) : 0)
        guard let header = EntryHeader(start, fileSize: size), header.key == key else { return nil }
        if !isHeld { contents = try file.read(header.metadataLength, at: header.metadataOffset) }
        let metadata = Array(contents.suffix(header.metadataLength))
        guard metadata.count == header.metadataLength, EntryHeader.isSound(start, metadata: metadata) else {
            return nil
        }
        var checksum = Checksum()
        if isHeld {
            contents.removeLast(metadata.count)
            guard contents.count == header.bodyLength else { return nil }
            checksum.append(contents)
            held = contents
        } else {
            var offset = EntryHeader.size
            while offset < header.metadataOffset {
                let chunk = try file.read(min(FileDescriptor.chunkSize, header.metadataOffset - offset), at: offset)
                if chunk.isEmpty { return nil }
                checksum.append(chunk)
                offset += chunk.count
            }
            held = nil
        }
        guard checksum.value == header.bodyChecksum else { return nil }
        self.metadata = metadata
        bodyLength = header.bodyLength
        self.cache = cache
        self.key = key
        self.facts = facts
        place = Place(facts)
        self.file = file
    }

    /// Notes that another file has the body now, beside new metadata.
    func didMove(to facts: FileFacts) { place.facts.withLock { $0 = facts } }

    /// Notes a use. A file that was written when the clock was ahead ages from now.
    func setLastUse(_ time: Duration) {
        file.setTimes(lastUse: time, change: facts.isDatedAhead(of: time) ? time : nil)
    }

    /// Removes the entry from its cache, because its body is of no use, also with the metadata that it has got since it was found. An entry
    /// that has taken its place stays.
    public func remove() {
        place.remove(key, from: cache)
    }

    /// A closure that does what ``remove()`` does without keeping the file open.
    public var removal: @Sendable () throws -> Void {
        { [cache, key, place] in place.remove(key, from: cache) }
    }

    /// Returns up to 64 KiB of the body, starting at an offset; an empty array at its end.
    ///
    /// Throws when the medium fails, which the cache counts and logs.
    ///
    /// - Parameter offset: The offset in the body, in bytes.
    public func chunk(at offset: Int) throws -> [UInt8] {
        guard offset >= 0, offset < bodyLength else { return [] }
        let count = min(FileDescriptor.chunkSize, bodyLength - offset)
        if let held { return count == bodyLength ? held : Array(held[offset..<offset + count]) }
        return try read(count, at: offset)
    }

    /// Returns the whole body. Throws when the medium fails, which the cache counts and logs.
    public func body() throws -> [UInt8] {
        try held ?? read(bodyLength, at: 0)
    }

    private func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        try cache.reporting(.reading) { () throws(SystemError) in
            let bytes = try file.read(count, at: EntryHeader.size + offset)
            guard bytes.count == count else { throw SystemError("pread behind the file's new end", code: EIO) }
            return bytes
        }
    }

    /// The body as one that is on the medium from end to end; nil where it is held in memory.
    var written: WrittenBody? {
        if held != nil { return nil }
        return WrittenBody(length: bodyLength) { [self] in try read($0.count, at: $0.lowerBound) }
    }

    /// The file that has the body. By reference: whoever is to remove the entry keeps nothing else of it.
    private final class Place: Sendable {
        let facts: Mutex<FileFacts>

        init(_ facts: FileFacts) { self.facts = Mutex(facts) }

        func remove(_ key: CacheKey, from cache: DiskCache) { cache.remove(key, ifStill: facts.withLock { $0 }) }
    }
}
