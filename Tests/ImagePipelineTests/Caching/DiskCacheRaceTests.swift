import Dispatch
import Files
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

private final class Gate: Sendable {
    private let state = Atomic(false)

    var isOpen: Bool { state.load(ordering: .acquiring) }

    func open() { state.store(true, ordering: .releasing) }
}

@Suite("Disk cache and what others do meanwhile")
struct DiskCacheRaceTests {
    let directory = TemporaryDirectory()
    let key = CacheKey(["a"])

    @Test("Sweeps in a loop cost no writer its file: everything is stored")
    func sweepsAndWriters() {
        let directory = directory
        let failures = Atomic(0)
        let isDone = Atomic(false)
        race(
            {
                let cache = DiskCache(directory: directory.path)
                for number in 0..<2_000 where !cache.store([1, 2, 3], for: CacheKey(["\(number % 3)"])) {
                    failures.add(1, ordering: .relaxed)
                }
                isDone.store(true, ordering: .releasing)
            },
            {
                let cache = DiskCache(directory: directory.path)
                while !isDone.load(ordering: .acquiring) { cache.sweep() }
            })
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(directory.names.count == 3)
    }

    @Test("Whoever needs room while another thread makes it waits for that: the limit holds in that moment, too")
    func waitsForRoom() {
        let directory = directory
        let holdsNext = Atomic(false)
        let (isListing, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // However long this machine takes for the listing, nobody goes on without its room.
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 100_000), patience: nil) {
            // The first look at the clock is that of the listing.
            if holdsNext.exchange(false, ordering: .acquiringAndReleasing) {
                isListing.signal()
                goOn.wait()
            }
            return DiskCache.timeSinceEpoch
        }
        @Sendable func store(_ names: Range<Int>) {
            for name in names { cache.store([UInt8](repeating: 1, count: 20_000), for: CacheKey(["\(name)"])) }
        }
        store(0..<4)
        holdsNext.store(true, ordering: .releasing)
        let isDone = Atomic(false)
        let threads = DispatchGroup()
        DispatchQueue(label: "one").async(group: threads) { store(4..<5) }
        isListing.wait()
        DispatchQueue(label: "other").async(group: threads) {
            store(5..<9)
            isDone.store(true, ordering: .releasing)
        }
        for _ in 0..<20_000 where !isDone.load(ordering: .acquiring) { sched_yield() }
        #expect(directory.names.count { $0.utf8.count == 64 } == 4)
        goOn.signal()
        threads.wait()
        #expect(cache.contents().size <= 100_000)
    }

    @Test("An entry that replaces an old or a damaged one while that is looked at stays", arguments: [true, false])
    func replacedWhileRead(isOld: Bool) throws {
        let (directory, key) = (directory, key)
        let writer = DiskCache(directory: directory.path, now: { .seconds(1_000) })
        writer.store([1], for: key)
        if !isOld { try FileDescriptor(opening: writer.path(of: key), O_WRONLY).write([0], at: 0) }
        let calls = Atomic(0)
        // The clock is asked when the file has been opened.
        let reader = DiskCache(directory: directory.path, limits: .init(age: 100)) {
            let time = isOld ? 2_000 : 1_000
            if calls.add(1, ordering: .relaxed).newValue == 1 {
                DiskCache(directory: directory.path, now: { .seconds(time) }).store([2], for: key)
            }
            return .seconds(time)
        }
        #expect(reader.entry(for: key) == nil)
        #expect(try reader.entry(for: key)?.body() == [2])
    }

    @Test(
        "A sweep that has listed an entry leaves it alone if it was used or replaced meanwhile, and counts what it removes"
    )
    func staleListing() throws {
        let clock = Atomic(1_000)
        let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
        let keys = (0..<4).map { CacheKey(["\($0)"]) }
        for key in keys { cache.store([UInt8](repeating: 0, count: 100), for: key) }
        var sweep = try DirectorySweep(of: directory.path, now: .seconds(1_000), limits: cache.limits)
        clock.add(1, ordering: .relaxed)
        _ = cache.entry(for: keys[0])
        cache.store([1], for: keys[1])
        cache.remove(keys[2])
        let size = sweep.totalSize / 4
        sweep.evict(to: 0)
        #expect(cache.entry(for: keys[0]) != nil)
        #expect(cache.entry(for: keys[1]) != nil)
        #expect(cache.entry(for: keys[3]) == nil)
        #expect(sweep.removedEntries == 1, "one was removed by somebody else")
        #expect(sweep.totalSize == 2 * size)
    }

    @Test("An entry that is stored just before an old one of its key would be removed stays, for its age or for room")
    func lateStores() throws {
        let clock = Atomic(1_000)
        let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
        let key = CacheKey(["a"])
        for age in [10, Int.max] {
            cache.store([1], for: key)
            clock.add(100, ordering: .relaxed)
            var sweep = try DirectorySweep(
                of: directory.path, now: cache.now(), limits: cache.limits, age: age, sparingUsed: false,
                exclusively: { body in
                    cache.store([2, 3], for: key)
                    return body()
                })
            sweep.evict(to: 0)
            #expect(try cache.entry(for: key)?.body() == [2, 3])
            #expect(sweep.removedEntries == 0)
        }
    }

    @Test("Several writers at once keep the size limit, and count each eviction once")
    func concurrentEvictions() {
        let directory = directory
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 20_000))
        race(
            (0..<4).map { writer in
                {
                    for number in 0..<100 {
                        cache.store([UInt8](repeating: 0, count: 1_000), for: CacheKey(["\(writer)", "\(number)"]))
                    }
                }
            })
        let total = directory.names.compactMap { FileFacts(at: "\(directory.path)/\($0)")?.size }.reduce(0, +)
        #expect(total <= 20_000)
        #expect(cache.statistics.writes == 400)
        #expect(cache.statistics.evictions == 400 - directory.names.count)
    }

    @Test("Of two uses within one second the earlier one goes first")
    func withinASecond() {
        let clock = Atomic(0)
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 4_600)) {
            .seconds(1_000) + .milliseconds(clock.add(1, ordering: .relaxed).newValue)
        }
        let keys = (0..<5).map { CacheKey(["\($0)"]) }
        for key in keys[..<4] { cache.store([UInt8](repeating: 0, count: 1_000), for: key) }
        for index in [2, 0, 3] { _ = cache.entry(for: keys[index]) }
        cache.store([UInt8](repeating: 0, count: 1_000), for: keys[4])
        #expect(cache.entry(for: keys[1]) == nil)
        #expect([0, 3, 4].allSatisfy { cache.entry(for: keys[$0]) != nil })
    }
}

@Suite("Disk cache and what it is not to touch")
struct DiskCacheBoundsTests {
    let directory = TemporaryDirectory()
    let key = CacheKey(["a"])

    @Test("An entry of more than a quarter of the cache is not kept, whether its length was announced or not")
    func tooLarge() {
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 10_000))
        for number in 0..<4 { cache.store([UInt8](repeating: 0, count: 1_900), for: CacheKey(["\(number)"])) }
        #expect(!cache.store([UInt8](repeating: 0, count: 11_000), for: key))
        if let writer = cache.writer(for: key, expectedLength: .max) {
            Issue.record("it was let in")
            writer.publish()
        }
        if var writer = cache.writer(for: key) {
            writer.append([UInt8](repeating: 0, count: 2_000))
            #expect(directory.names.count == 5)
            writer.append([UInt8](repeating: 0, count: 2_000))
            #expect(directory.names.count == 4, "its file takes no room any more")
            writer.append([0])
            let isPublished = writer.publish()
            #expect(!isPublished)
        } else {
            Issue.record("no writer")
        }
        #expect(directory.names.count == 4)
        #expect(cache.statistics.refusals == 3)
        #expect(cache.statistics.errors == 0)
        #expect(cache.statistics.evictions == 0)
    }

    @Test("Clearing a directory leaves files alone that the cache did not make, and what is no file")
    func strangers() throws {
        let names = [
            "tmp-notes", "\(TemporaryFile.prefix)mine", String(repeating: "g", count: 64),
            String(repeating: "A", count: 64), "photo.jpg",
        ]
        for name in names { _ = try FileDescriptor(opening: "\(directory.path)/\(name)", O_WRONLY | O_CREAT) }
        // Opening one for reading waits for a writer.
        let pipes = [TemporaryFile.prefix + String(repeating: "0", count: 32), key.digest]
        for pipe in pipes { #expect(mkfifo("\(directory.path)/\(pipe)", 0o600) == 0) }
        let cache = DiskCache(directory: directory.path)
        cache.removeAll()
        #expect(cache.entry(for: key) == nil)
        #expect(directory.names.sorted() == (names + pipes).sorted())
    }

    @Test("A directory is made with those above it; one that cannot be made is reported")
    func directories() {
        let path = "\(directory.path)/a/b"
        #expect(DiskCache(directory: "\(path)//c/").statistics.errors == 0)
        #expect(access("\(path)/c", F_OK) == 0)
        #expect(DiskCache(directory: "\(path)/c").statistics.errors == 0)
        #expect(DiskCache(directory: "/dev/null/cache").statistics.errors == 1)
        for place in ["\(path)/c", path, "\(directory.path)/a"] { rmdir(place) }
    }

    @Test("Nothing is left of what was there when all is removed, although it is being used", arguments: [true, false])
    func usedWhileRemoved(isAll: Bool) {
        let cache = DiskCache(directory: directory.path)
        let key = key
        for _ in 0..<300 {
            cache.store([1], for: key)
            let isOver = Gate()
            race(
                { while !isOver.isOpen { _ = cache.entry(for: key) } },
                {
                    if isAll { cache.removeAll() } else { cache.removeAll(olderThan: .zero) }
                    isOver.open()
                })
            #expect(cache.entry(for: key) == nil)
        }
    }
}
