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
    private var checksum = Checksum()
    /// The end of the body, which has not been written yet: a small entry is written as a whole, in one call.
    private var waiting: [UInt8] = []
    /// The bytes that the cache has taken into account for it.
    private var accounted = 0

    /// The bytes that are worth a system call of their own.
    private static let burst = 128 << 10

    init(in cache: DiskCache, key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws(SystemError) {
        self.cache = cache
        self.key = key
        self.metadata = metadata
        header = EntryHeader(key: key, metadataLength: metadata.count)
        file = try cache.makingRoom(for: EntryHeader.size) { () throws(SystemError) in try cache.makeFile() }
        if let expectedLength, expectedLength > Self.burst { try account(for: header.fileSize + expectedLength) }
    }

    /// Appends bytes to the body.
    ///
    /// - Parameter bytes: The bytes to append.
    public mutating func append(_ bytes: [UInt8]) {
        if isGivenUp { return }
        guard header.fileSize + bytes.count <= cache.limits.entrySize else {
            giveUp()
            cache.didRefuse()
            return
        }
        checksum.append(bytes)
        header.bodyLength += bytes.count
        if waiting.isEmpty { waiting = bytes } else { waiting += bytes }
        guard waiting.count >= Self.burst else { return }
        do throws(SystemError) {
            try account(for: header.fileSize)
            try write(waiting, at: header.metadataOffset - waiting.count)
            waiting = []
        } catch {
            giveUp()
            cache.report(error, while: .writing)
        }
    }

    /// The part of the body that can be read from the file already; nil once the entry has been given up.
    var written: WrittenBody? {
        guard let file = file?.shared() else { return nil }
        return WrittenBody(length: header.bodyLength - waiting.count) { [cache] range in
            try cache.reporting(.reading) { () throws(SystemError) in
                try file.descriptor.read(range.count, at: EntryHeader.size + range.lowerBound)
            }
        }
    }

    /// Two optionals of what cannot be copied don't compare.
    private var isGivenUp: Bool {
        switch file {
        case .none: true
        case .some: false
        }
    }

    private mutating func giveUp() {
        file = nil
        waiting = []
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try cache.makingRoom(for: offset + bytes.count) { () throws(SystemError) in
            try file?.write(bytes, at: offset)
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

    /// Writes what waits, the metadata behind it and the header in front of all.
    private mutating func writeRest() throws(SystemError) {
        header.bodyChecksum = checksum.value
        let start = header.bytes(metadata: metadata)
        if accounted == 0 {
            // All of it waits. What has been written is counted from then on.
            try write(start + waiting + metadata, at: 0)
            cache.willWrite(header.fileSize)
        } else {
            try account(for: header.fileSize)
            let end = waiting + metadata
            if !end.isEmpty { try write(end, at: header.fileSize - end.count) }
            if header.fileSize < accounted { try file?.truncate(to: header.fileSize) }
            try write(start, at: 0)
        }
    }

    /// Makes the entry visible, replacing the one that the key had, if any.
    ///
    /// - Returns: `true` if it is in the cache now.
    @discardableResult
    public consuming func publish() -> Bool { publish(replacing: nil) }

    /// Makes the entry visible, in place of the file that was found and of no other one. Whoever removes that entry removes this one.
    consuming func publish(replacing entry: DiskEntry?) -> Bool {
        if isGivenUp { return false }
        let isDurable = cache.durability == .powerLoss
        do throws(SystemError) {
            try writeRest()
            if isDurable { try file?.synchronize() }
            let (path, time) = (cache.path(of: key), cache.now())
            let isPublished = try cache.naming.withLock { _ throws(SystemError) in
                guard let file = file.take() else { return false }
                let lock = DirectoryLock(of: cache.directory, isShared: entry == nil)
                if let entry {
                    guard !lock.isTaken, let facts = try file.publish(as: path, time: time, replacing: entry.facts)
                    else { return false }
                    entry.didMove(to: facts)
                    return true
                }
                try file.publish(as: path, time: time)
                return true
            }
            guard isPublished else { return false }
            if isDurable { try Directory.synchronize(cache.directory) }
        } catch {
            cache.report(error, from: cache.path(of: key), while: .writing)
            return false
        }
        cache.didPublish()
        return true
    }
}
