import Files
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Disk cache and killed processes")
struct DiskCacheKillTests {
    @Test("After kill -9 at 200 random moments every entry is whole, and a new process works on the directory")
    func killed() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        for _ in 0..<200 {
            let writer = try ChildProcess("disk-cache-writer", [directory.path])
            writer.waitForOutput()
            // Spinning rather than sleeping: the moment is within a few writes, at a grain of nanoseconds.
            for _ in 0..<Int.random(in: 0..<60_000, using: &random) { _ = getppid() }
            writer.kill()
        }
        let names = directory.names
        let entries = names.filter { !$0.hasPrefix(TemporaryFile.prefix) }
        #expect(!entries.isEmpty)
        #expect(entries.allSatisfy { $0.utf8.count == 64 })

        let cache = DiskCache(directory: directory.path)
        var found = 0
        for number in 0..<50 {
            guard let entry = cache.entry(for: CacheKey(["entry", "\(number)"])) else { continue }
            found += 1
            #expect(entry.metadata == Array("\(number)".utf8), "seed \(seed)")
            #expect(entry.bodyLength == (1 + number % 5) * (20_000 + number), "seed \(seed)")
        }
        #expect(cache.statistics.damaged == 0, "seed \(seed)")
        #expect(found == entries.count, "seed \(seed)")

        cache.sweep()
        #expect(
            directory.names.allSatisfy { !$0.hasPrefix(TemporaryFile.prefix) },
            "what the killed left behind is swept up")
        #expect(cache.store([1], for: CacheKey(["new"])))
    }

    /// The number of times that two processes are killed; `scripts/kill-cache` asks for more.
    private static let rounds = getenv("IMAGESTREAMS_KILL_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 25

    @Test("Two processes with a mixed load, killed at random moments: nothing wrong is served, and the limit holds")
    func mixed() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        let limit = 2_000_000
        var largest = 0
        for _ in 0..<Self.rounds {
            let one = try ChildProcess("disk-cache-writer", [directory.path, "\(limit)"])
            let other = try ChildProcess("disk-cache-writer", [directory.path, "\(limit)"])
            one.waitForOutput()
            other.waitForOutput()
            for _ in 0..<Int.random(in: 0..<200_000, using: &random) { _ = getppid() }
            one.kill()
            for _ in 0..<Int.random(in: 0..<60_000, using: &random) { _ = getppid() }
            other.kill()
            let size = directory.names.compactMap { FileFacts(at: "\(directory.path)/\($0)")?.size }.reduce(0, +)
            largest = max(largest, size)
        }
        #expect(largest <= limit + limit / 10, "seed \(seed)")
        #expect(!directory.names.contains("wrong"), "seed \(seed)")

        // The next start.
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: limit)) {
            DiskCache.timeSinceEpoch + .seconds(10)
        }
        #expect(cache.store([1], for: CacheKey(["new"])))
        cache.sweep()
        #expect(directory.names.allSatisfy { !$0.hasPrefix(TemporaryFile.prefix) })
        #expect(cache.contents().size <= limit)
        for number in 0..<200 {
            let plain = CacheKey(["mixed", "\(number)"])
            let key = number % 4 == 0 ? cache.key(plain, tagged: "tag") : plain
            _ = cache.entry(for: key)
            guard case .granted = try cache.lease(of: key, for: .seconds(10)) else {
                Issue.record("a lease outlives its time, seed \(seed)")
                continue
            }
        }
        #expect(cache.statistics.damaged == 0, "seed \(seed)")
        #expect(cache.statistics.errors == 0, "seed \(seed)")
    }
}
