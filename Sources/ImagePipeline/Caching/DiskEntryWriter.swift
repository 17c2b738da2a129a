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
    /// The bytes that the cache has taken into account for it.
    private var accounted = 0

    init(in cache: DiskCache, key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws(SystemError) {
        self.cache = cache
        self.key = key
        self.metadata = metadata
        header = EntryHeader(keyLength: key.bytes.count, metadataLength: metadata.count)
        let (start, offset) = (key.bytes + metadata, EntryHeader.size)
        file = try cache.makingRoom(for: start.count) { () throws(SystemError) in
            let file = try cache.makeFile()
            try file.write(start, at: offset)
            return file
        }
        try account(for: header.fileSize + max(0, expectedLength ?? 0))
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
        let offset = header.fileSize
        do throws(SystemError) {
            try account(for: offset + bytes.count)
            try cache.makingRoom(for: offset + bytes.count) { () throws(SystemError) in
                try file?.write(bytes, at: offset)
            }
            header.bodyLength += bytes.count
            header.bodyChecksum = EntryHeader.checksum(header.bodyChecksum, bytes)
        } catch {
            file = nil
            cache.report(error, while: .writing)
        }
    }

    /// Two optionals of what cannot be copied don't compare.
    private var isGivenUp: Bool {
        switch file {
        case .none: true
        case .some: false
        }
    }

    /// Makes room for what is to come before it comes. The file gets that length first: whoever lists the directory from then on
    /// counts it.
    private mutating func account(for size: Int) throws(SystemError) {
        guard size > accounted else { return }
        try file?.truncate(to: size)
        cache.willWrite(size - accounted)
        accounted = size
    }

    /// Makes the entry visible, replacing the one that the key had, if any.
    ///
    /// - Returns: `true` if it is in the cache now.
    @discardableResult
    public consuming func publish() -> Bool {
        guard let file = file.take() else { return false }
        let isDurable = cache.durability == .powerLoss
        do throws(SystemError) {
            if header.fileSize < accounted { try file.truncate(to: header.fileSize) }
            try file.write(header.bytes(key: key.bytes, metadata: metadata), at: 0)
            if isDurable { try file.synchronize() }
            try file.publish(as: cache.path(of: key), time: cache.now())
            if isDurable { try Directory.synchronize(cache.directory) }
        } catch {
            cache.report(error, while: .writing)
            return false
        }
        cache.didPublish()
        return true
    }
}
