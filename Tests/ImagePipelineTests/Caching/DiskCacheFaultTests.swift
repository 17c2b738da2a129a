import Files
import Logging
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Disk cache and faults of the medium")
struct DiskCacheFaultTests {
    private let directory = TemporaryDirectory()
    private let log = RecordedLog()
    private let body = [UInt8](repeating: 7, count: 50_000)

    private func cache(_ path: String, limits: DiskCache.Limits = .init()) -> DiskCache {
        DiskCache(directory: path, limits: limits, logger: Logger(label: "test") { [log] _ in LineHandler(log: log) })
    }

    @Test("On a full medium the least recently used entries make room, and everything is stored")
    func fullVolume() throws {
        guard let volume = SmallVolume(size: 1 << 20) else { return }
        let clock = Atomic(1_000)
        let cache = DiskCache(
            directory: "\(volume.path)/cache", logger: Logger(label: "test") { [log] _ in LineHandler(log: log) },
            now: { .seconds(clock.add(1, ordering: .relaxed).newValue) })
        let keys = (0..<60).map { CacheKey(["\($0)"]) }
        let isStored = keys.map { cache.store(body, for: $0) }
        #expect(!isStored.contains(false))
        #expect(cache.statistics.errors == 0)
        #expect(cache.statistics.evictions > 30)
        #expect(cache.entry(for: keys[0]) == nil)
        #expect(try cache.entry(for: keys[59])?.body() == body)
        #expect(log.lines.isEmpty)
    }

    @Test(
        "A medium that somebody else has filled costs one line in the log, and the cache works again when there is room"
    )
    func filledByOthers() throws {
        guard let volume = SmallVolume(size: 1 << 20) else { return }
        let cache = cache("\(volume.path)/cache")
        let ballast = try FileDescriptor(opening: "\(volume.path)/ballast", O_WRONLY | O_CREAT)
        var size = 0
        while (try? ballast.write([UInt8](repeating: 0, count: 4_096), at: size)) != nil { size += 4_096 }
        for number in 0..<20 { #expect(!cache.store(body, for: CacheKey(["\(number)"]))) }
        #expect(cache.statistics.errors >= 20)
        guard case .none = try cache.lease(of: CacheKey(["a"]), for: .seconds(60)) else {
            Issue.record("a lease that is written nowhere")
            return
        }
        let left = try names(of: "\(volume.path)/cache")
        #expect(!left.contains { $0.hasPrefix(DirectoryLease.prefix) }, "\(left)")
        #expect(log.lines.filter { $0.hasPrefix("warning") }.count == 1)
        try ballast.truncate(to: 0)
        for number in 0..<10 { #expect(cache.store(body, for: CacheKey(["\(number)"]))) }
        for number in 0..<10 { #expect(cache.entry(for: CacheKey(["\(number)"])) != nil) }
        #expect(log.lines.count == 2, "\(log.lines)")
        #expect(log.lines.last?.contains("works again") == true)
    }

    @Test("A directory that is removed while the cache runs is made again, and its limit still holds")
    func removedDirectory() throws {
        let path = "\(directory.path)/cache"
        let cache = cache(path, limits: .init(totalSize: 400_000))
        let key = CacheKey(["a"])
        for _ in 0..<3 {
            #expect(cache.store(body, for: key))
            for name in try names(of: path) { unlink("\(path)/\(name)") }
            #expect(rmdir(path) == 0)
            #expect(cache.entry(for: key) == nil)
        }
        for number in 0..<40 { #expect(cache.store(body, for: CacheKey(["\(number)"]))) }
        #expect(cache.contents().size <= 400_000)
        #expect(cache.entry(for: CacheKey(["39"])) != nil)
        #expect(cache.statistics.errors == 0)
        for name in try names(of: path) { unlink("\(path)/\(name)") }
        rmdir(path)
        // There is nothing in it, which is no fault.
        #expect(cache.contents().entries == 0 && cache.contents().size == 0)
        #expect(cache.statistics.errors == 0)
        guard case .granted(let lease, isTakeover: false) = try cache.lease(of: key, for: .seconds(60)) else {
            Issue.record("no lease of an entry of a directory that is not there any more")
            return
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        try lease.release()
        #expect(cache.statistics.errors == 0)
        rmdir(path)
    }

    @Test("Where neither a tag's generation nor a lease can be written that is counted, and said")
    func notWritable() throws {
        // A file where the directory should be.
        let path = "\(directory.path)/cache"
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write([1], at: 0)
        let cache = cache(path)
        let before = cache.statistics.errors
        #expect(!cache.removeAll(tagged: "album"))
        #expect(cache.statistics.errors == before + 1)
        guard case .none = try cache.lease(of: CacheKey(["a"]), for: .seconds(60)) else {
            Issue.record("a lease of an entry in no directory")
            return
        }
        #expect(cache.statistics.errors == before + 2)
        #expect(cache.contents().entries == 0)
        #expect(cache.statistics.errors == before + 3)
    }

    private func names(of path: String) throws -> [String] {
        var names: [String] = []
        try Directory.forEachName(in: path) { if let name = $0 { names.append(name) } }
        return names
    }

    @Test("An entry dated in the future ages from the moment at which that is seen")
    func future() throws {
        let clock = Atomic(1_000_000)
        let cache = DiskCache(directory: directory.path, limits: .init(age: 100)) {
            .seconds(clock.load(ordering: .relaxed))
        }
        let keys = [CacheKey(["read"]), CacheKey(["swept"])]
        for key in keys { cache.store(body, for: key) }
        // The clock was ten days ahead, and has been set right.
        clock.store(1_000_000 - 864_000, ordering: .relaxed)
        #expect(cache.entry(for: keys[0]) != nil)
        cache.sweep()
        clock.add(99, ordering: .relaxed)
        #expect(cache.entry(for: keys[0]) != nil)
        #expect(cache.contents().entries == 2)
        clock.add(1, ordering: .relaxed)
        #expect(cache.contents().entries == 0)
    }

    @Test("An entry dated in the future does not outlive those that are used, when room is needed")
    func futureUse() throws {
        let clock = Atomic(1_000_000)
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 260_000)) {
            .seconds(clock.load(ordering: .relaxed))
        }
        cache.store(body, for: CacheKey(["ahead"]))
        clock.store(500_000, ordering: .relaxed)
        for number in 0..<40 {
            clock.add(1, ordering: .relaxed)
            cache.store(body, for: CacheKey(["\(number)"]))
            clock.add(1, ordering: .relaxed)
            #expect(cache.entry(for: CacheKey(["\(number)"])) != nil)
        }
        #expect(cache.entry(for: CacheKey(["ahead"])) == nil)
    }

    @Test("Read-only for whoever writes: counted each time, logged once, and entries are served")
    func readOnly() throws {
        guard getuid() == 0, access("/usr/bin/setpriv", X_OK) == 0 else { return }
        let owner = DiskCache(directory: directory.path)
        owner.store(body, for: CacheKey(["name", "0"]))
        chmod(directory.path, 0o755)
        for name in directory.names { chmod("\(directory.path)/\(name)", 0o644) }
        let writer = try ChildProcess(
            path: "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", ChildProcess.path(of: "disk-cache-writer"),
                directory.path, "1000000", "20", "100", "name",
            ])
        let output = writer.readOutput()
        #expect(output.contains("errors: 20"), "\(output)")
        #expect(output.contains("writes: 0"), "\(output)")
        // The loop asks for entry 0 twice.
        #expect(output.contains("hits: 2"), "\(output)")
    }

    @Test(
        "A folder in the place of an entry makes way, with what is in it, and costs one line in the log",
        arguments: [true, false])
    func folders(isRead: Bool) throws {
        let cache = cache(directory.path)
        let keys = (0..<3).map { CacheKey(["\($0)"]) }
        let fine = CacheKey(["fine"])
        #expect(cache.store(body, for: fine))
        for key in keys { #expect(mkdir(cache.path(of: key), 0o700) == 0) }
        let file = "\(cache.path(of: keys[0]))/somebody's"
        _ = try FileDescriptor(opening: file, O_WRONLY | O_CREAT)
        for round in 0..<4 {
            for key in keys {
                // Every other use is a good one, after which a failure counts as a new one.
                #expect(cache.entry(for: fine) != nil)
                if isRead {
                    #expect(cache.entry(for: key) == nil)
                } else {
                    #expect(cache.store(body, for: key) == (round > 0))
                }
            }
        }
        #expect(log.lines.count == 1 && log.lines.first?.hasPrefix("warning") == true, "\(log.lines)")
        #expect(cache.statistics.errors == 3)
        for key in keys {
            #expect(cache.store(body, for: key))
            #expect(cache.entry(for: key) != nil)
        }
        let others = directory.names.filter { $0.utf8.count != 64 }
        #expect(others.count == 1)
        #expect(others.first.map { access("\(directory.path)/\($0)/somebody's", F_OK) } == 0)
    }

    @Test("What has taken a folder's place meanwhile is no failure, and a folder that cannot be moved is one")
    func immovableFolders() {
        let cache = cache(directory.path)
        let (file, folder) = (CacheKey(["file"]), SystemError("open", code: EISDIR))
        #expect(cache.store(body, for: file))
        for path in [cache.path(of: file), cache.path(of: CacheKey(["nothing"]))] {
            cache.report(folder, from: path, while: .reading)
        }
        #expect(cache.statistics.errors == 0 && cache.entry(for: file) != nil)
        // By this name no folder can be moved.
        cache.report(folder, from: "\(directory.path)/.", while: .reading)
        #expect(cache.statistics.errors == 1 && cache.entry(for: file) != nil)
        #expect(log.lines.count == 1 && log.lines.first?.contains("clearing fails") == true, "\(log.lines)")
    }

    @Test("A folder in the place of a lease or of a tag's generation makes way")
    func hiddenFolders() throws {
        let cache = cache(directory.path)
        let key = CacheKey(["a"])
        let names = [".imagestreams-tag-\(CacheKey(["album"]).digest)", ".imagestreams-lease-\(key.digest)"]
        for name in names { #expect(mkdir("\(directory.path)/\(name)", 0o700) == 0) }
        #expect(cache.key(key, tagged: "album") == CacheKey(parts: [key.bytes, Array("album".utf8), []]))
        #expect(cache.removeAll(tagged: "album"))
        guard case .none = try cache.lease(of: key, for: .seconds(60)) else {
            Issue.record("a lease in a folder")
            return
        }
        guard case .granted = try cache.lease(of: key, for: .seconds(60)) else {
            Issue.record("the folder has stayed")
            return
        }
        #expect(log.lines.count == 1, "\(log.lines)")
    }

    @Test("Where a tag's generation cannot be read nothing of an earlier one is found")
    func unreadableTags() throws {
        let cache = cache(directory.path)
        let (key, tag) = (CacheKey(["a"]), "\(directory.path)/.imagestreams-tag-\(CacheKey(["album"]).digest)")
        cache.store([1], for: cache.key(key, tagged: "album"))
        #expect(cache.removeAll(tagged: "album"))
        #expect(unlink(tag) == 0 && symlink(tag, tag) == 0)
        #expect(cache.entry(for: cache.key(key, tagged: "album")) == nil)
        #expect(cache.statistics.errors == 1)
        // As a loss of power may leave it.
        _ = unlink(tag)
        try FileDescriptor(opening: tag, O_WRONLY | O_CREAT).truncate(to: 0)
        #expect(cache.entry(for: cache.key(key, tagged: "album")) == nil)
        cache.store([2], for: cache.key(key, tagged: "album"))
        #expect(cache.entry(for: cache.key(key, tagged: "album")) != nil)
    }

    @Test("Whatever fails is logged once until such work succeeds, each reason apart")
    func faults() {
        var faults = FaultLog()
        let (full, forbidden) = (SystemError("write", code: ENOSPC), SystemError("open", code: EACCES))
        let firsts = [
            faults.note(full, in: .writing), faults.note(full, in: .writing), faults.note(forbidden, in: .writing),
            faults.note(forbidden, in: .reading),
        ]
        #expect(firsts == [true, false, true, true])
        let ended = [faults.end(.listing), faults.end(.writing), faults.end(.writing)]
        #expect(ended == [0, 3, 0])
        let again = [faults.note(full, in: .writing), faults.note(forbidden, in: .reading)]
        #expect(again == [true, false])
    }
}

/// Keeps what is logged, as its level and its text.
private struct LineHandler: LogHandler {
    let log: RecordedLog
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    init(log: RecordedLog) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.append("\(event.level): \(event.message)")
    }
}
