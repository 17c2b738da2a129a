import Logging
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Bytes by key in a directory: one file an entry, named by the SHA-256 of its key, published whole by `rename`.
///
/// Any number of processes may share the directory, and may be killed at any instant: what is there afterwards is
/// whole, or is a miss and is removed. Whatever goes wrong on the medium (full, read-only, no permission) is a miss
/// that is counted and logged. Size and age limits hold with every write, not once a launch.
///
/// Every method blocks the calling thread for as long as the medium takes: call from threads that may block.
public final class DiskCache: Sendable {
    /// What the cache may hold.
    public struct Limits: Sendable, Hashable {
        /// All files together, in bytes.
        public var totalSize: Int
        /// How long an entry may be served after it was written, in seconds.
        public var age: Int

        /// 256 MiB and 30 days, unless told otherwise.
        public init(totalSize: Int = 256 << 20, age: Int = 30 * 86_400) {
            self.totalSize = max(0, totalSize)
            self.age = max(0, age)
        }
    }

    /// What has happened so far.
    public struct Statistics: Sendable, Hashable {
        /// Entries found whole.
        public var hits = 0
        /// Entries not found, or found too old or damaged.
        public var misses = 0
        /// Entries removed because a length or a checksum was off.
        public var damaged = 0
        /// Entries published.
        public var writes = 0
        /// Entries removed for room or age.
        public var evictions = 0
        /// Failures of the medium.
        public var errors = 0
    }

    /// Where the files are.
    public let directory: String
    /// What it may hold.
    public let limits: Limits

    let now: @Sendable () -> Int
    private let logger: Logger
    private let state = Mutex(State())

    private struct State: Sendable {
        var statistics = Statistics()
        /// What the files take up; nil until the directory was listed.
        var totalSize: Int?
        var serial = 0
    }

    /// A cache in a directory, which is made when it isn't there.
    ///
    /// - Parameter now: The wall clock, in seconds since 1970.
    public init(
        directory: String, limits: Limits = Limits(), logger: Logger = Logger(label: "ImagePipeline.DiskCache"),
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.directory = directory
        self.limits = limits
        self.logger = logger
        self.now = now
        makeDirectories()
    }

    /// What has happened so far.
    public var statistics: Statistics {
        state.withLock { $0.statistics }
    }

    /// The entry of a key, checked from end to end; nil is a miss.
    public func entry(for key: CacheKey) -> DiskEntry? {
        let entry = find(key)
        state.withLock { state in
            if entry == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
        }
        return entry
    }

    /// Starts to write an entry; nil when the medium refuses, which is counted and logged.
    public func writer(for key: CacheKey, metadata: [UInt8] = []) -> DiskEntryWriter? {
        let serial = state.withLock { state in
            state.serial += 1
            return state.serial
        }
        let random = UInt64.random(in: .min ... .max)
        let path = "\(directory)/\(DirectorySweep.temporaryPrefix)\(getpid())-\(serial)-\(random)"
        do {
            return try DiskEntryWriter.start(in: self, key: key, metadata: metadata, temporaryPath: path)
        } catch {
            report(error)
            return nil
        }
    }

    /// Writes an entry whose body is at hand.
    @discardableResult
    public func store(_ body: [UInt8], for key: CacheKey, metadata: [UInt8] = []) -> Bool {
        guard var writer = writer(for: key, metadata: metadata) else { return false }
        writer.append(body)
        return writer.publish()
    }

    /// Removes an entry.
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

    /// Takes a new file into account, and makes room when that is needed.
    func didPublish(name: String, size: Int) {
        let isOver = state.withLock { state in
            state.statistics.writes += 1
            // Listing counts this file too; a replaced one is counted twice until the next listing, on the safe side.
            if let total = state.totalSize { state.totalSize = total + size }
            return (state.totalSize ?? .max) > limits.totalSize
        }
        // Room for a tenth more than is needed, so that the next listing is many writes away.
        if isOver { sweep(keeping: limits.totalSize, slack: limits.totalSize / 10) }
    }

    private func find(_ key: CacheKey) -> DiskEntry? {
        do {
            let file = try FileDescriptor(opening: path(of: key), O_RDONLY)
            let time = now()
            guard time - Int(try file.status().modified) < limits.age else {
                remove(key)
                state.withLock { $0.statistics.evictions += 1 }
                return nil
            }
            if let entry = try DiskEntry(verifying: file, key: key) {
                // After the reads, which the system may take for a use at its own time.
                entry.setLastUse(time)
                return entry
            }
            remove(key)
            state.withLock { $0.statistics.damaged += 1 }
            logger.notice("disk cache: removed a damaged entry", metadata: ["directory": "\(directory)"])
        } catch {
            if error.code != ENOENT { report(error) }
        }
        return nil
    }

    /// Lists the directory, so that other processes' entries count, and evicts when it is over the size.
    private func sweep(keeping size: Int, slack: Int = 0) {
        do {
            var sweep = try DirectorySweep(of: directory, now: now(), maximumAge: limits.age)
            if sweep.totalSize > size { sweep.evict(to: size - slack) }
            let (total, removed) = (sweep.totalSize, sweep.removedEntries)
            state.withLock { state in
                state.totalSize = total
                state.statistics.evictions += removed
            }
        } catch {
            report(error)
        }
    }

    private func makeDirectories() {
        var path = ""
        for component in directory.split(separator: "/", omittingEmptySubsequences: false) {
            path += path.isEmpty && !directory.hasPrefix("/") ? component : "/\(component)"
            if mkdir(path, 0o700) != 0, errno != EEXIST, errno != EISDIR, path == directory {
                report(SystemError("mkdir"))
            }
        }
    }
}
