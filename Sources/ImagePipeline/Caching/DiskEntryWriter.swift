import Files

/// Writes one entry of a `DiskCache`, chunk by chunk, and publishes it whole or not at all.
///
/// Until `publish()` the bytes are in a temporary file, locked so that others can tell it from one whose writer was
/// killed; letting go of the writer removes it. Writing blocks the calling thread; use it from one thread at a time.
/// When the medium fails, or the entry gets larger than the cache keeps, the file is removed at once, the rest is ignored and
/// `publish()` returns false: a cache never fails a load.
public struct DiskEntryWriter: ~Copyable, Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let metadata: [UInt8]
    /// Nil once it has been given up.
    private var file: TemporaryFile?
    private var header: EntryHeader

    init(in cache: DiskCache, key: CacheKey, metadata: [UInt8]) throws(SystemError) {
        self.cache = cache
        self.key = key
        self.metadata = metadata
        header = EntryHeader(keyLength: key.bytes.count, metadataLength: metadata.count)
        let file = try TemporaryFile.make(in: cache.directory)
        try file.write(key.bytes + metadata, at: EntryHeader.size)
        self.file = .some(file)
    }

    /// Appends bytes to the body.
    ///
    /// - Parameter bytes: The bytes to append.
    public mutating func append(_ bytes: [UInt8]) {
        if isGivenUp { return }
        guard header.fileSize + bytes.count <= cache.limits.entrySize else {
            file = nil
            cache.didRefuse()
            return
        }
        do throws(SystemError) {
            try file?.write(bytes, at: header.fileSize)
            header.bodyLength += bytes.count
            header.bodyChecksum = EntryHeader.checksum(header.bodyChecksum, bytes)
        } catch {
            file = nil
            cache.report(error)
        }
    }

    /// Two optionals of what cannot be copied don't compare.
    private var isGivenUp: Bool {
        switch file {
        case .none: true
        case .some: false
        }
    }

    /// Makes the entry visible, replacing the one that the key had, if any.
    ///
    /// - Returns: `true` if it is in the cache now.
    @discardableResult
    public consuming func publish() -> Bool {
        guard let file = file.take() else { return false }
        do throws(SystemError) {
            try file.write(header.bytes(key: key.bytes, metadata: metadata), at: 0)
            try file.publish(as: cache.path(of: key), time: cache.now())
        } catch {
            cache.report(error)
            return false
        }
        cache.didPublish(size: header.fileSize)
        return true
    }
}
