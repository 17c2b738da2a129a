import Files
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Disk cache and several processes")
struct DiskCacheProcessTests {
    private let directory = TemporaryDirectory()

    /// The bytes of all files, those that are being written included.
    private static func size(of directory: TemporaryDirectory) -> Int {
        directory.names.compactMap { FileFacts(at: "\(directory.path)/\($0)")?.size }.reduce(0, +)
    }

    @Test("Three processes that write at once keep one limit, not one each")
    func oneLimit() throws {
        let limit = 3_000_000
        let arguments = [directory.path, "\(limit)", "300", "30000"]
        var first = try ChildProcess("disk-cache-writer", arguments + ["a"])
        var second = try ChildProcess("disk-cache-writer", arguments + ["b"])
        var third = try ChildProcess("disk-cache-writer", arguments + ["c"])
        var peak = 0
        var isWriting = true
        while isWriting {
            // While they stand still, what is listed is what is there.
            let paused = [first.pause(), second.pause(), third.pause()]
            peak = max(peak, Self.size(of: directory))
            isWriting = paused.contains(true)
            first.signal(SIGCONT)
            second.signal(SIGCONT)
            third.signal(SIGCONT)
            _ = Self.size(of: directory)
        }
        for output in [first.readOutput(), second.readOutput(), third.readOutput()] {
            #expect(output.contains("writes: 300"), "\(output)")
            #expect(output.contains("errors: 0"), "\(output)")
        }
        #expect(Self.size(of: directory) <= limit)
        // They are stopped one after the other: while the one that makes room stands still, those behind it still write.
        #expect(peak <= limit + limit / 5)
        #expect(peak > limit / 2)
    }

    @Test("A second cache on a directory counts what the first one writes")
    func secondCache() {
        let first = DiskCache(directory: directory.path, limits: .init(totalSize: 500_000))
        let second = DiskCache(directory: directory.path, limits: .init(totalSize: 500_000))
        for number in 0..<100 {
            let cache = number % 2 == 0 ? first : second
            #expect(cache.store([UInt8](repeating: 1, count: 20_000), for: CacheKey(["\(number)"])))
            #expect(Self.size(of: directory) <= 500_000)
        }
        #expect(first.contents() == second.contents())
        #expect(first.statistics.evictions + second.statistics.evictions == 100 - directory.names.count)
    }

    @Test("The total in the directory is never less than what its entries take, whoever writes and lists at once")
    func total() {
        let directory = directory
        let limit = 200_000
        race(
            (0..<4).map { writer in
                {
                    let cache = DiskCache(directory: directory.path, limits: .init(totalSize: limit))
                    for number in 0..<150 {
                        cache.store([UInt8](repeating: 0, count: 3_000), for: CacheKey(["\(writer)", "\(number)"]))
                        if number % 20 == writer { cache.sweep() }
                    }
                }
            })
        let size = Self.size(of: directory)
        #expect(size <= limit)
        #expect(SharedTotal(directory: directory.path).value ?? 0 >= size - limit / 20)
    }

    @Test("What is added while the total begins anew is counted, and so is what its first writers add at once")
    func restartedTotal() {
        let path = directory.path
        // Whoever lists finds at least what has been added by then.
        let listed = Atomic(0)
        let writers = Atomic(3)
        race(
            (0..<5).map { contender in
                {
                    let total = SharedTotal(directory: path)
                    for _ in 0..<2_000 where contender < 3 {
                        listed.add(256, ordering: .sequentiallyConsistent)
                        guard total.add(256) == nil else { continue }
                        total.restart(at: listed.load(ordering: .sequentiallyConsistent), since: nil)
                    }
                    if contender < 3 { writers.subtract(1, ordering: .sequentiallyConsistent) }
                    while writers.load(ordering: .sequentiallyConsistent) > 0, contender >= 3 {
                        let mark = total.mark()
                        total.restart(at: listed.load(ordering: .sequentiallyConsistent), since: mark)
                    }
                }
            })
        #expect(SharedTotal(directory: path).value ?? 0 >= 3 * 2_000 * 256)
    }

    @Test("What is no file makes way for the total, and is kept: a folder, a pipe, a link to somebody's file")
    func totalInTheWay() throws {
        let path = "\(directory.path)/\(SharedTotal.name)"
        let other = TemporaryDirectory()
        let target = "\(other.path)/x"
        try FileDescriptor(opening: target, O_WRONLY | O_CREAT).write([1, 2], at: 0)
        let obstacles = [{ mkdir(path, 0o700) }, { mkfifo(path, 0o600) }, { symlink(target, path) }]
        for obstacle in obstacles {
            #expect(obstacle() == 0)
            let total = SharedTotal(directory: directory.path)
            #expect(total.add(512) == nil)
            total.restart(at: 1_024, since: total.mark())
            #expect(total.add(512) == 1_536)
            #expect(FileFacts(at: path)?.isRegular == true)
            #expect(unlink(path) == 0)
        }
        #expect(directory.names.filter { $0.hasPrefix("imagestreams-aside-") }.count == 3)
        #expect(FileFacts(at: target)?.size == 2)
    }
}

@Suite("Removal from a disk cache")
struct DiskCacheRemovalTests {
    private let directory = TemporaryDirectory()

    @Test("Removing a tag makes all of its entries misses at once, in every cache on the directory, and no others")
    func tags() {
        let first = DiskCache(directory: directory.path)
        let second = DiskCache(directory: directory.path)
        let keys = (0..<5).map { CacheKey(["\($0)"]) }
        for key in keys {
            first.store([1], for: first.key(key, tagged: "album"))
            first.store([2], for: first.key(key, tagged: "other"))
            first.store([3], for: key)
        }
        #expect(keys.allSatisfy { second.entry(for: second.key($0, tagged: "album")) != nil })
        #expect(first.removeAll(tagged: "album"))
        for cache in [first, second] {
            #expect(keys.allSatisfy { cache.entry(for: cache.key($0, tagged: "album")) == nil })
            #expect(keys.allSatisfy { cache.entry(for: cache.key($0, tagged: "other")) != nil })
            #expect(keys.allSatisfy { cache.entry(for: $0) != nil })
        }
        second.store([4], for: second.key(keys[0], tagged: "album"))
        #expect(first.entry(for: first.key(keys[0], tagged: "album")) != nil)
        first.removeAll()
        #expect(first.entry(for: first.key(keys[0], tagged: "album")) == nil)
    }

    @Test("What is older than an age goes, what is younger stays, and the sizes say so")
    func olderThan() {
        let clock = Atomic(1_000)
        let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
        for number in 0..<6 {
            cache.store([UInt8](repeating: 0, count: 100), for: CacheKey(["\(number)"]))
            clock.add(10, ordering: .relaxed)
        }
        let all = cache.contents()
        #expect(all.entries == 6)
        cache.removeAll(olderThan: .seconds(40))
        #expect(cache.contents() == DiskCache.Contents(entries: 3, size: all.size / 2))
        #expect(cache.entry(for: CacheKey(["3"])) != nil)
        #expect(cache.entry(for: CacheKey(["2"])) == nil)
        #expect(cache.statistics.evictions == 3)
        cache.removeAll(olderThan: .zero)
        #expect(cache.contents().entries == 0)
    }

    @Test("Entries that are to survive a power loss are written, replaced and found like others")
    func durable() throws {
        let cache = DiskCache(directory: directory.path, durability: .powerLoss)
        #expect(cache.store([1, 2, 3], for: CacheKey(["a"])))
        #expect(cache.store([4], for: CacheKey(["a"])))
        #expect(cache.removeAll(tagged: "tag"))
        #expect(try cache.entry(for: CacheKey(["a"]))?.body() == [4])
        #expect(cache.statistics.errors == 0)
    }
}
