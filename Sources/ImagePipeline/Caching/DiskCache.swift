import Dispatch
import Files
import Logging
import Synchronization

/// A cache of bytes in a directory: one file per entry, named by the SHA-256 of its key, published whole by `rename`.
///
/// Any number of processes may share the directory, and may be killed at any instant: what is there afterwards is
/// whole, or is a miss and is removed. Whatever goes wrong on the medium (full, read-only, no permission) is a miss
/// that is counted, and logged once until it is gone. On a full medium old entries make room; a directory that was removed is made
/// again. Size and age limits hold with every write, not once a launch, and for all processes together.
///
/// Every method blocks the calling thread for as long as the medium takes: call from threads that may block.
public final class DiskCache: Sendable {
    /// The path of the directory that holds the files.
    public let directory: String
    /// The bounds of the cache.
    public let limits: Limits

    /// The kind of crash that entries survive.
    public let durability: Durability
    /// The time that loads give the directory.
    public let terms: StoreTerms

    /// The directory and a slash.
    private let pathPrefix: String
    let now: @Sendable () -> Duration
    let total: SharedTotal
    /// Held while an entry gets its name or loses it: what replaces one file and no other looks first which one has it. A directory takes
    /// one name at a time anyway.
    let naming = Mutex(())
    /// Entered while somebody makes room.
    let room = DispatchGroup()
    /// The time that a writer waits for the room that another one makes; nil for as long as that takes.
    let patience: DispatchTimeInterval?
    private let logger: Logger
    private let state = Mutex(State())

    private struct State: Sendable {
        var statistics = Statistics()
        var faults = FaultLog()
        var isMakingRoom = false
        var hasWritten = false
    }

    /// Creates a cache in a directory, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - limits: The bounds of the cache.
    ///   - durability: The kind of crash that entries survive.
    ///   - terms: The time that loads give the directory.
    ///   - logger: The logger that failures of the file system are reported to.
    ///   - now: The wall clock, as the time since 1970. Of two uses at one time, which was the last isn't known.
    public convenience init(
        directory: String, limits: Limits = Limits(), durability: Durability = .processCrash,
        terms: StoreTerms = .directory, logger: Logger = Logger(label: "ImagePipeline.DiskCache"),
        now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }
    ) {
        // A medium that takes longer holds its writers up anyway.
        self.init(
            directory: directory, limits: limits, durability: durability, terms: terms, logger: logger,
            patience: .seconds(10), now: now)
    }

    init(
        directory: String, limits: Limits, durability: Durability = .processCrash, terms: StoreTerms = .directory,
        logger: Logger = Logger(label: "ImagePipeline.DiskCache"), patience: DispatchTimeInterval?,
        now: @escaping @Sendable () -> Duration
    ) {
        self.directory = directory
        pathPrefix = directory + "/"
        self.limits = limits
        self.durability = durability
        self.terms = terms
        self.logger = logger
        self.patience = patience
        self.now = now
        total = SharedTotal(directory: directory)
        do throws(SystemError) { try Directory.make(directory, mode: 0o700) } catch { report(error, while: .writing) }
    }

    /// The wall clock's time since 1970.
    public static var timeSinceEpoch: Duration { .sinceEpoch }

    /// The counts of what has happened since the cache was created.
    public var statistics: Statistics {
        state.withLock { $0.statistics }
    }

    /// Returns the entry of a key, checked from end to end; nil is a miss.
    ///
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - isCounted: A Boolean value that determines whether the statistics count it as a hit or a miss: not for one that is only
    ///     looked at, such as the beginning of a body.
    public func entry(for key: CacheKey, isCounted: Bool = true) -> DiskEntry? {
        let entry = find(key)
        guard isCounted else { return entry }
        guard let entry else {
            state.withLock { $0.statistics.misses += 1 }
            return nil
        }
        let failures = state.withLock { state in
            state.statistics.hits += 1
            return state.faults.end(.reading)
        }
        noteEnd(of: .reading, failures: failures)
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
        let header = EntryHeader(key: key, metadataLength: metadata.count)
        guard metadata.count <= EntryHeader.largestMetadata,
            expectedLength ?? 0 <= limits.entrySize - header.fileSize
        else {
            didRefuse()
            return nil
        }
        do throws(SystemError) {
            return try DiskEntryWriter(in: self, key: key, metadata: metadata, expectedLength: expectedLength)
        } catch {
            report(error, while: .writing)
            return nil
        }
    }

    func path(of key: CacheKey) -> String {
        key.digest(behind: pathPrefix)
    }

    /// Counts a failure of the medium, and logs the first until such work succeeds again.
    func report(_ error: SystemError, while work: FaultLog.Work) {
        if count(error, while: work) {
            logger.warning("disk cache: \(work) fails: \(error)", metadata: ["directory": "\(directory)"])
        }
    }

    /// Counts a folder that has made way for a file of the cache, and logs the first.
    func didClear(_ error: SystemError) {
        if count(error, while: .clearing) {
            logger.warning(
                "disk cache: moved a folder that was in the place of a file", metadata: ["directory": "\(directory)"])
        }
    }

    /// Counts a failure of the medium.
    ///
    /// - Returns: Whether it is the first of its kind since such work last succeeded.
    private func count(_ error: SystemError, while work: FaultLog.Work) -> Bool {
        state.withLock { state in
            state.statistics.errors += 1
            return state.faults.note(error, in: work)
        }
    }

    /// Does what the medium may fail at, which is counted and logged.
    func reporting<Result>(
        _ work: FaultLog.Work, _ body: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            report(error, while: work)
            throw error
        }
    }

    func didRefuse() {
        state.withLock { $0.statistics.refusals += 1 }
    }

    func didPublish() {
        let failures = state.withLock { state in
            state.statistics.writes += 1
            return state.faults.end(.writing)
        }
        noteEnd(of: .writing, failures: failures)
    }

    func didList(evicting entries: Int) {
        let failures = state.withLock { state in
            state.statistics.evictions += entries
            return state.faults.end(.listing)
        }
        noteEnd(of: .listing, failures: failures)
    }

    private func noteEnd(of work: FaultLog.Work, failures: Int) {
        guard failures > 0 else { return }
        logger.notice(
            "disk cache: \(work) works again after \(failures) failures", metadata: ["directory": "\(directory)"])
    }

    /// Whether nobody has written through this cache yet.
    func beginsToWrite() -> Bool {
        state.withLock { state in
            defer { state.hasWritten = true }
            return !state.hasWritten
        }
    }

    /// Whether nobody else makes room, and the caller does now.
    func beginsToMakeRoom() -> Bool {
        state.withLock { state in
            if state.isMakingRoom { return false }
            state.isMakingRoom = true
            room.enter()
            return true
        }
    }

    func endsToMakeRoom() {
        state.withLock { $0.isMakingRoom = false }
        room.leave()
    }

    private func find(_ key: CacheKey) -> DiskEntry? {
        do throws(SystemError) {
            let path = path(of: key)
            var status = stat()
            let file = try FileDescriptor.reading(path, &status, keepsLastUse: true)
            let facts = FileFacts(status)
            let time = now()
            guard time - facts.modified < .seconds(limits.age) else {
                if remove(key, ifStill: facts) { state.withLock { $0.statistics.evictions += 1 } }
                return nil
            }
            if let entry = try DiskEntry(verifying: file, facts, key: key, of: self) {
                // After the reads, which a system that keeps the time takes for a use at its own time.
                entry.setLastUse(time)
                return entry
            }
            let isOfOtherVersion = EntryHeader.isOfOtherVersion(at: path)
            remove(key, ifStill: facts)
            if isOfOtherVersion { return nil }
            state.withLock { $0.statistics.damaged += 1 }
            logger.notice("disk cache: removed a damaged entry", metadata: ["directory": "\(directory)"])
        } catch {
            report(error, from: path(of: key), while: .reading)
        }
        return nil
    }

    /// Removes the file that was looked at, not one that a writer has put in its place meanwhile. The two calls leave a gap for other
    /// processes: an entry that is published within it is a miss the next time, no more.
    @discardableResult
    func remove(_ key: CacheKey, ifStill facts: FileFacts) -> Bool {
        let path = path(of: key)
        return naming.withLock { _ in
            guard let present = FileFacts(at: path) else { return false }
            // Such a one gets another date with its first use.
            let isSame =
                facts.isDatedAhead(of: now()) ? present.isSameFile(as: facts) : present.isUnwritten(since: facts)
            return isSame && unlink(path) == 0
        }
    }
}
