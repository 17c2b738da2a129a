import Files
import Logging
import Synchronization

/// A cache of bytes in a directory: one file per entry, named by the SHA-256 of its key, published whole by `rename`.
///
/// Any number of processes may share the directory, and may be killed at any instant: what is there afterwards is
/// whole, or is a miss and is removed. Whatever goes wrong on the medium (full, read-only, no permission) is a miss
/// that is counted and logged. Size and age limits hold with every write, not once a launch.
///
/// Every method blocks the calling thread for as long as the medium takes: call from threads that may block.
public final class DiskCache: Sendable {
    /// The bounds of a cache's size, of its entries' size, and of their age.
    public struct Limits: Sendable, Hashable {
        /// The largest total size of all files, in bytes.
        public var totalSize: Int
        /// The longest time for which an entry is served after it was written, in seconds.
        public var age: Int

        /// The size of the largest file that is kept, in bytes: by default a quarter of all, so that no single entry
        /// empties the cache.
        public var entrySize: Int { totalSize / 4 }

        /// Creates limits of 256 MiB and 30 days by default; one entry may take a quarter of the total size.
        ///
        /// - Parameters:
        ///   - totalSize: The largest total size of all files, in bytes.
        ///   - age: The longest time for which an entry is served, in seconds.
        public init(totalSize: Int = 256 << 20, age: Int = 30 * 86_400) {
            self.totalSize = max(0, totalSize)
            self.age = max(0, age)
        }
    }

    /// Counts of what has happened since the cache was created.
    public struct Statistics: Sendable, Hashable {
        /// The number of entries that were found whole.
        public var hits = 0
        /// The number of entries that were not found, or were found too old or damaged.
        public var misses = 0
        /// The number of entries that were removed because a length or a checksum was wrong.
        public var damaged = 0
        /// The number of entries that were published.
        public var writes = 0
        /// The number of entries that were removed to free space or because of their age.
        public var evictions = 0
        /// The number of entries that were not kept because they were larger than the limit for one entry.
        public var refusals = 0
        /// The number of failures of the file system.
        public var errors = 0
    }

    /// The path of the directory that holds the files.
    public let directory: String
    /// The bounds of the cache.
    public let limits: Limits

    let now: @Sendable () -> Duration
    private let logger: Logger
    private let state = Mutex(State())

    private struct State: Sendable {
        var statistics = Statistics()
        /// What the files take up; nil until the directory was listed.
        var totalSize: Int?
        /// What was published ever: tells a sweep what has come since it began to list.
        var publishedSize = 0
        var isMakingRoom = false
    }

    /// Creates a cache in a directory, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - limits: The bounds of the cache.
    ///   - logger: The logger that failures of the file system are reported to.
    ///   - now: The wall clock, as the time since 1970. Of two uses at one time, which was the last isn't known.
    public init(
        directory: String, limits: Limits = Limits(), logger: Logger = Logger(label: "ImagePipeline.DiskCache"),
        now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }
    ) {
        self.directory = directory
        self.limits = limits
        self.logger = logger
        self.now = now
        do throws(SystemError) { try Directory.make(directory, mode: 0o700) } catch { report(error) }
    }

    /// The wall clock's time since 1970.
    public static var timeSinceEpoch: Duration { .sinceEpoch }

    /// The counts of what has happened since the cache was created.
    public var statistics: Statistics {
        state.withLock { $0.statistics }
    }

    /// Returns the entry of a key, checked from end to end; nil is a miss.
    ///
    /// - Parameter key: The key of the entry.
    public func entry(for key: CacheKey) -> DiskEntry? {
        let entry = find(key)
        state.withLock { state in
            if entry == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
        }
        return entry
    }

    /// Starts to write an entry; returns nil when it will be too large (metadata of more than 16 MiB are), or when the
    /// file system refuses, which is counted and logged.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - metadata: The bytes to store beside the body.
    ///   - expectedLength: The length of the body in bytes, if it is known.
    public func writer(for key: CacheKey, metadata: [UInt8] = [], expectedLength: Int? = nil) -> DiskEntryWriter? {
        let header = EntryHeader(keyLength: key.bytes.count, metadataLength: metadata.count)
        guard metadata.count <= EntryHeader.largestMetadata,
            expectedLength ?? 0 <= limits.entrySize - header.fileSize
        else {
            didRefuse()
            return nil
        }
        do throws(SystemError) {
            return try DiskEntryWriter(in: self, key: key, metadata: metadata)
        } catch {
            report(error)
            return nil
        }
    }

    /// Writes an entry whose body is at hand.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body.
    ///   - key: The key of the entry.
    ///   - metadata: The bytes to store beside the body.
    @discardableResult
    public func store(_ body: [UInt8], for key: CacheKey, metadata: [UInt8] = []) -> Bool {
        guard var writer = writer(for: key, metadata: metadata, expectedLength: body.count) else { return false }
        writer.append(body)
        return writer.publish()
    }

    /// Replaces what is stored beside an entry's body, which stays as it is.
    ///
    /// - Returns: A Boolean value that indicates whether it is in the cache.
    @discardableResult
    public func update(_ entry: DiskEntry, metadata: [UInt8]) -> Bool {
        guard var writer = writer(for: entry.key, metadata: metadata, expectedLength: entry.bodyLength) else {
            return false
        }
        var offset = 0
        while offset < entry.bodyLength {
            guard let chunk = try? entry.chunk(at: offset), !chunk.isEmpty else { return false }
            writer.append(chunk)
            offset += chunk.count
        }
        return writer.publish()
    }

    /// Removes an entry.
    ///
    /// - Parameter key: The key of the entry.
    public func remove(_ key: CacheKey) {
        _ = unlink(path(of: key))
    }

    /// Removes every entry, and the leftovers of writers that were killed.
    public func removeAll() {
        sweep(keeping: 0)
    }

    /// Applies the limits now: removes what is too old, the leftovers of killed writers, and the least recently used
    /// entries beyond the size limit.
    public func sweep() {
        sweep(keeping: limits.totalSize)
    }

    func path(of key: CacheKey) -> String {
        "\(directory)/\(key.digest)"
    }

    /// Counts and logs a failure of the medium.
    func report(_ error: SystemError) {
        state.withLock { $0.statistics.errors += 1 }
        logger.warning("disk cache: \(error)", metadata: ["directory": "\(directory)"])
    }

    func didRefuse() {
        state.withLock { $0.statistics.refusals += 1 }
    }

    /// Takes a new file into account, and makes room when that is needed.
    func didPublish(size: Int) {
        state.withLock { state in
            state.statistics.writes += 1
            state.publishedSize += size
            // A replaced file is counted twice until the next listing, on the safe side.
            if let total = state.totalSize { state.totalSize = total + size }
        }
        // Room for a tenth more than is needed, so that the next listing is many writes away. What others publish while one
        // thread makes room, that thread sees to as well, unless what it has listed cannot be removed.
        while beginsToMakeRoom() {
            let hasMadeRoom = sweep(keeping: limits.totalSize, slack: limits.totalSize / 10)
            state.withLock { $0.isMakingRoom = false }
            if !hasMadeRoom { return }
        }
    }

    /// Whether there is too much, or nobody knows how much, and nobody else makes room.
    private func beginsToMakeRoom() -> Bool {
        state.withLock { state in
            guard !state.isMakingRoom, (state.totalSize ?? .max) > limits.totalSize else { return false }
            state.isMakingRoom = true
            return true
        }
    }

    private func find(_ key: CacheKey) -> DiskEntry? {
        do throws(SystemError) {
            let file = try FileDescriptor.reading(path(of: key))
            let facts = FileFacts(try file.status())
            let time = now()
            guard time - facts.modified < .seconds(limits.age) else {
                if remove(key, ifStill: facts) { state.withLock { $0.statistics.evictions += 1 } }
                return nil
            }
            if let entry = try DiskEntry(verifying: file, facts, key: key, of: self) {
                // After the reads, which the system may take for a use at its own time.
                entry.setLastUse(time)
                return entry
            }
            remove(key, ifStill: facts)
            state.withLock { $0.statistics.damaged += 1 }
            logger.notice("disk cache: removed a damaged entry", metadata: ["directory": "\(directory)"])
        } catch {
            if error.code != ENOENT { report(error) }
        }
        return nil
    }

    /// Removes the file that was looked at, not one that a writer has put in its place meanwhile. The two calls leave a gap:
    /// an entry that is published within it is a miss the next time, no more.
    @discardableResult
    func remove(_ key: CacheKey, ifStill facts: FileFacts) -> Bool {
        let path = path(of: key)
        guard let present = FileFacts(at: path), present.isSameFile(as: facts) else { return false }
        return unlink(path) == 0
    }

    /// Lists the directory, so that other processes' entries count, and evicts when it is over the size.
    ///
    /// - Returns: Whether what it has listed is within the size now.
    @discardableResult
    private func sweep(keeping size: Int, slack: Int = 0) -> Bool {
        let published = state.withLock { $0.publishedSize }
        do throws(SystemError) {
            var sweep = try DirectorySweep(of: directory, now: now(), limits: limits)
            if sweep.totalSize > size { sweep.evict(to: size - slack) }
            let (total, removed) = (sweep.totalSize, sweep.removedEntries)
            state.withLock { state in
                // What was published since it began may have been listed or not: it counts, on the safe side.
                state.totalSize = total + (state.publishedSize - published)
                state.statistics.evictions += removed
            }
            return total <= size
        } catch {
            report(error)
            return false
        }
    }
}
