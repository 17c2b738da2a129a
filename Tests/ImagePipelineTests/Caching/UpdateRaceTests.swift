import Files
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Entries that are removed or replaced while their metadata is")
struct UpdateRaceTests {
    private let directory = TemporaryDirectory()
    private let key = CacheKey(["a"])

    /// What another one does to the entry at a moment of an update.
    enum Meddling: CaseIterable {
        case removes, replaces
    }

    @Test("An update of what goes at its last moment is none", arguments: Meddling.allCases)
    func lastMoment(_ meddling: Meddling) throws {
        let (path, key) = (directory.path, key)
        let calls = Atomic(0)
        let due = Atomic(Int.max)
        // The clock is asked last as the entry is given its name.
        let cache = DiskCache(directory: path) {
            if calls.add(1, ordering: .relaxed).newValue == due.load(ordering: .relaxed) {
                let other = DiskCache(directory: path)
                if meddling == .removes { other.remove(key) } else { other.store([2], for: key) }
            }
            return .seconds(1_000)
        }
        #expect(cache.store([1], for: key, metadata: [1]))
        for isMeddled in [false, true] {
            let entry = try #require(cache.entry(for: key))
            calls.store(0, ordering: .relaxed)
            #expect(cache.update(entry, metadata: [2]) != isMeddled)
            // As many as in this round.
            due.store(calls.load(ordering: .relaxed), ordering: .relaxed)
        }
        #expect(try cache.entry(for: key)?.body() == (meddling == .removes ? nil : [2]))
        #expect(directory.names.count == (meddling == .removes ? 0 : 1))
    }

    @Test("Of all that is removed nothing stays that was given other metadata meanwhile")
    func rewritten() throws {
        let cache = DiskCache(directory: directory.path)
        let keys = (0..<3).map { CacheKey(["\($0)"]) }
        for key in keys { cache.store([1], for: key) }
        for (sparing, left) in [(true, 3), (false, 0)] {
            var sweep = try DirectorySweep(
                of: directory.path, now: cache.now(), limits: cache.limits, sparingUsed: false, sparingWritten: sparing)
            for key in keys { #expect(cache.update(try #require(cache.entry(for: key)), metadata: [2])) }
            sweep.evict(to: -1)
            #expect(cache.contents().entries == left)
        }
    }

    @Test("Whoever updates while all is removed loses, whenever it comes")
    func raced() {
        let cache = DiskCache(directory: directory.path)
        let key = key
        for _ in 0..<200 {
            cache.store([1], for: key)
            let isOver = Atomic(false)
            race(
                {
                    while !isOver.load(ordering: .acquiring) {
                        if let entry = cache.entry(for: key) { cache.update(entry, metadata: [2]) }
                    }
                },
                {
                    cache.removeAll()
                    isOver.store(true, ordering: .releasing)
                })
            #expect(cache.entry(for: key) == nil)
        }
    }

    @Test("No one sees an older body than the one that is stored, whoever renews what is there meanwhile")
    func neverOlder() {
        let cache = DiskCache(directory: directory.path)
        let key = key
        cache.store([0], for: key)
        let isOver = Atomic(false)
        let older = Atomic(0)
        let renews: @Sendable () -> Void = {
            while !isOver.load(ordering: .acquiring) {
                if let entry = cache.entry(for: key) { cache.update(entry, metadata: [1]) }
            }
        }
        race(
            renews, renews,
            {
                for number in 1...2_000 {
                    let body = [UInt8(number & 255), UInt8(number >> 8)]
                    cache.store(body, for: key)
                    if (try? cache.entry(for: key)?.body()) != body { older.add(1, ordering: .relaxed) }
                }
                isOver.store(true, ordering: .releasing)
            })
        #expect(older.load(ordering: .relaxed) == 0)
    }

    @Test("A file that takes the place of one alone leaves any other one where it is")
    func exchanged() throws {
        let target = "\(directory.path)/target"
        try FileDescriptor(opening: target, O_WRONLY | O_CREAT).write([1], at: 0)
        let first = try #require(FileFacts(at: target))
        for isFirst in [true, false] {
            let before = FileFacts(at: target)
            let file = try TemporaryFile.make(in: directory.path)
            let isPublished = try file.publish(as: target, time: .seconds(1_000), replacing: first) != nil
            #expect(isPublished == isFirst)
            #expect((FileFacts(at: target)?.number == before?.number) != isFirst)
            #expect(directory.names == ["target"])
        }
    }

    @Test("New metadata give way to a process that gives a name, and what is stored to none that has been stopped")
    func otherProcesses() throws {
        func isTaken(_ path: String) -> Bool { DirectoryLock(of: path, isShared: true).isTaken }
        let cache = DiskCache(directory: directory.path)
        cache.store([1], for: key)
        for isShared in [true, false] {
            let other = DirectoryLock(of: directory.path, isShared: isShared)
            let wasTaken = other.isTaken
            #expect(!wasTaken)
            #expect(cache.update(try #require(cache.entry(for: key)), metadata: [2]) == false)
            #expect(cache.store([3], for: key))
            #expect(isTaken(directory.path) != isShared)
            _ = consume other
        }
        #expect(cache.update(try #require(cache.entry(for: key)), metadata: [2]))
        #expect(try cache.entry(for: key)?.body() == [3])
        // One that cannot be opened, for want of descriptors, may be anybody's.
        #expect(isTaken("\(directory.path)/nothing"))
    }

    @Test("However many caches of one directory renew metadata, what is stored through another one stays")
    func caches() {
        let key = key
        let cache = DiskCache(directory: directory.path)
        for number in 0..<100 {
            let isOver = Atomic(false)
            let renews: @Sendable () -> Void = { [path = directory.path] in
                let other = DiskCache(directory: path)
                while !isOver.load(ordering: .acquiring) {
                    if let entry = other.entry(for: key) { other.update(entry, metadata: [1]) }
                }
            }
            let body = [UInt8(number), 0]
            race(
                renews, renews, renews,
                {
                    for part in 1...4 { cache.store([UInt8(number), UInt8(4 - part)], for: key) }
                    isOver.store(true, ordering: .releasing)
                })
            #expect((try? cache.entry(for: key)?.body()) == body)
        }
    }
}
