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
}
