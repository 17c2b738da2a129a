#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes one entry of a `DiskCache`, chunk by chunk, and publishes it whole or not at all.
///
/// Until `publish()` the bytes are in a temporary file, locked so that others can tell it from one whose writer was
/// killed; letting go of the writer removes it. Writing blocks the calling thread; use it from one thread at a time.
/// When the medium fails, the rest is ignored and `publish()` returns false: a cache never fails a load.
public struct DiskEntryWriter: ~Copyable, Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let metadata: [UInt8]
    private let temporaryPath: String
    private let file: FileDescriptor
    private var header: EntryHeader
    private var isBroken = false
    private var isPublished = false

    private init(
        cache: DiskCache, key: CacheKey, metadata: [UInt8], temporaryPath: String, file: consuming FileDescriptor
    ) {
        self.cache = cache
        self.key = key
        self.metadata = metadata
        self.temporaryPath = temporaryPath
        self.file = file
        header = EntryHeader(keyLength: key.bytes.count, metadataLength: metadata.count)
    }

    static func start(
        in cache: DiskCache, key: CacheKey, metadata: [UInt8], temporaryPath: String
    ) throws(SystemError) -> DiskEntryWriter {
        let file = try FileDescriptor(opening: temporaryPath, O_RDWR | O_CREAT | O_EXCL)
        // Someone who sweeps up may have taken it for a leftover between the two calls; then it is theirs to remove.
        guard file.tryLock() else { throw SystemError("flock") }
        do {
            try file.write(key.bytes + metadata, at: EntryHeader.size)
        } catch {
            _ = unlink(temporaryPath)
            throw error
        }
        return DiskEntryWriter(
            cache: cache, key: key, metadata: metadata, temporaryPath: temporaryPath, file: file)
    }

    /// Adds to the body.
    public mutating func append(_ bytes: [UInt8]) {
        guard !isBroken else { return }
        do {
            try file.write(bytes, at: header.fileSize)
            header.bodyLength += bytes.count
            header.bodyChecksum = EntryHeader.checksum(header.bodyChecksum, bytes)
        } catch {
            isBroken = true
            cache.report(error)
        }
    }

    /// Makes the entry visible, in place of the one that the key had, if any.
    ///
    /// - Returns: Whether it is in the cache.
    @discardableResult
    public consuming func publish() -> Bool {
        guard !isBroken else { return false }
        do throws(SystemError) {
            try file.write(header.bytes(key: key.bytes, metadata: metadata), at: 0)
            let time = cache.now()
            file.setTimes(lastUse: time, change: time)
            let path = cache.path(of: key)
            guard rename(temporaryPath, path) == 0 else { throw SystemError("rename") }
            isPublished = true
            cache.didPublish(name: key.digest, size: header.fileSize)
            return true
        } catch {
            cache.report(error)
            return false
        }
    }

    deinit {
        if !isPublished { _ = unlink(temporaryPath) }
    }
}
