import Files
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Leases as files")
struct DirectoryLeaseTests {
    private let directory = TemporaryDirectory()
    private let key = CacheKey(["a"])

    /// Waits for the end of a process that was killed, and is not awaited by anybody.
    private func waitForEnd(of process: ProcessIdentity) {
        while !process.isGone { sched_yield() }
    }

    @Test("The lease of a process that was killed is taken over at once, that of a living one is not")
    func killed() throws {
        let process = try ChildProcess(path: "/bin/sleep", ["1000"])
        let holder = try #require(ProcessIdentity(of: process.identifier))
        let file = try FileDescriptor(
            opening: "\(directory.path)/\(DirectoryLease.prefix)\(key.digest)", O_RDWR | O_CREAT)
        try file.write([UInt8](repeating: 7, count: 16) + Array("10 \(holder.text)".utf8), at: 0)
        let cache = DiskCache(directory: directory.path)
        guard case .held = try cache.lease(of: key, for: .seconds(10)) else {
            Issue.record("taken from a living process")
            return
        }
        process.signal(SIGKILL)
        waitForEnd(of: holder)
        guard case .granted(let lease, let isTakeover) = try cache.lease(of: key, for: .seconds(10)) else {
            Issue.record("a lease outlives its process")
            return
        }
        #expect(isTakeover)
        guard case .held = try cache.lease(of: key, for: .seconds(10)) else {
            Issue.record("taken from this process")
            return
        }
        try lease.release()
        #expect(directory.names.allSatisfy { !$0.hasPrefix(DirectoryLease.prefix) })
        process.kill()
    }

    @Test("A process is told from one that has its number later, and one of elsewhere counts as being there")
    func identity() throws {
        let current = try #require(ProcessIdentity.current)
        #expect(!current.isGone)
        #expect(ProcessIdentity(text: current.text) == current)
        var words = current.text.split(separator: " ").map(String.init)
        try #require(words.count == 4)
        words[3] += "0"
        #expect(ProcessIdentity(text: words.joined(separator: " "))?.isGone == true)
        words[0] += "0"
        #expect(ProcessIdentity(text: words.joined(separator: " "))?.isGone == false)
        for text in ["", "a b c d", "a b 0 1", "a b -1 1", "a b 1", "\0\0\0"] {
            #expect(ProcessIdentity(text: text) == nil)
        }
    }

    @Test("A lease is its holder's for the time that it has named, and its file stays an hour longer, renewed or not")
    func longLease() throws {
        let clock = Atomic(1_000_000)
        let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
        let path = DirectoryLease.path(of: key, in: cache)
        guard case .granted(let lease, _) = try cache.lease(of: key, for: .seconds(7_200)) else {
            Issue.record("nobody has it")
            return
        }
        for _ in 0..<2 {
            clock.add(7_200 + 3_600, ordering: .relaxed)
            cache.sweep()
            #expect(access(path, F_OK) == 0)
            try lease.renew()
        }
        clock.add(7_199, ordering: .relaxed)
        cache.sweep()
        guard case .held = try cache.lease(of: key, for: .seconds(7_200)) else {
            Issue.record("taken from its holder")
            return
        }
        clock.add(3_602, ordering: .relaxed)
        cache.sweep()
        #expect(access(path, F_OK) != 0)
    }

    @Test("A file of a lease that has given its name to another one since it was opened does not take that away")
    func renamed() throws {
        let path = "\(directory.path)/\(DirectoryLease.prefix)x"
        _ = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
        let old = try FileDescriptor.reading(path)
        old.setTimes(lastUse: .seconds(10_000), change: .seconds(10_000))
        #expect(unlink(path) == 0)
        _ = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
        DirectoryLease.removeIfAbandoned(old, at: path, now: .seconds(20_000))
        #expect(access(path, F_OK) == 0)
    }
}
