import Files
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Entries of a disk cache, and their writers")
struct DiskEntryTests {
    private let directory = TemporaryDirectory()
    private let key = CacheKey(["a"])

    /// The size of the only file that is there.
    private var fileSize: Int? { directory.names.first.flatMap { FileFacts(at: "\(directory.path)/\($0)")?.size } }

    @Test(
        "An entry of up to 512 KiB is held as a whole: what becomes of its file is nothing to it",
        arguments: [(64, true), (524_287, true), (524_288, true), (524_289, false), (600_000, false)])
    func held(size: Int, isHeld: Bool) throws {
        let cache = DiskCache(directory: directory.path)
        let body = (0..<size - EntryHeader.size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let metadata = Array(body.prefix(10))
        #expect(cache.store(Array(body.dropFirst(metadata.count)), for: key, metadata: metadata))
        #expect(fileSize == size)
        let entry = try #require(cache.entry(for: key))
        #expect(truncate(cache.path(of: key), 0) == 0)
        if isHeld {
            #expect(try entry.body() == Array(body.dropFirst(metadata.count)))
        } else {
            #expect(throws: SystemError.self) { try entry.body() }
        }
        #expect(entry.metadata == metadata)
        #expect((entry.written == nil) == isHeld)
    }

    @Test(
        "A body that is announced with more than 128 KiB takes its room before it comes, so that others count it",
        arguments: [(nil, false), (0, false), (1_000, false), (131_072, false), (131_073, true), (1_000_000, true)]
            as [(Int?, Bool)])
    func announced(length: Int?, isLarge: Bool) throws {
        let cache = DiskCache(directory: directory.path)
        guard var writer = cache.writer(for: key, metadata: [1, 2], expectedLength: length) else {
            Issue.record("no writer")
            return
        }
        let expected = isLarge ? EntryHeader.size + 2 + (length ?? 0) : 0
        #expect(fileSize == expected)
        writer.append([UInt8](repeating: 7, count: 131_071))
        #expect(fileSize == expected)
        #expect(writer.written?.length == 0)
        writer.append([7])
        #expect(writer.written?.length == 131_072)
        #expect(fileSize == max(expected, EntryHeader.size + 2 + 131_072))
        writer.append([7])
        #expect(writer.written?.length == 131_072)
        let isPublished = writer.publish()
        #expect(isPublished)
        #expect(fileSize == EntryHeader.size + 2 + 131_073)
        #expect(cache.total.value ?? 0 >= EntryHeader.size + 2 + 131_073)
        #expect(try cache.entry(for: key)?.body() == [UInt8](repeating: 7, count: 131_073))
    }

    @Test("A file that was looked at is removed as long as it is the one under its name, and counted only then")
    func replaced() throws {
        let cache = DiskCache(directory: directory.path)
        cache.store([1], for: key)
        let facts = try #require(FileFacts(at: cache.path(of: key)))
        let entry = try #require(cache.entry(for: key))
        cache.store([2], for: key)
        #expect(!cache.remove(key, ifStill: facts))
        entry.remove()
        #expect(try cache.entry(for: key)?.body() == [2])
        let present = try #require(FileFacts(at: cache.path(of: key)))
        #expect(cache.remove(key, ifStill: present))
        #expect(cache.entry(for: key) == nil)
        #expect(!cache.remove(key, ifStill: present))
    }

    @Test("An entry whose body is of no use is removed by it, or by what is kept of it, and no other one is")
    func useless() throws {
        let cache = DiskCache(directory: directory.path)
        let other = CacheKey(["b"])
        cache.store([1], for: other)
        for isKept in [false, true] {
            cache.store([2], for: key)
            let entry = try #require(cache.entry(for: key))
            if isKept { try entry.removal() } else { entry.remove() }
            #expect(cache.entry(for: key) == nil)
            // Once it is gone there is nothing to remove.
            if isKept { try entry.removal() } else { entry.remove() }
        }
        #expect(try cache.entry(for: other)?.body() == [1])
        #expect(cache.statistics.errors == 0)
        #expect(cache.statistics.evictions == 0)
    }

    @Test(
        "A useless entry is removed at once, also one that was written when the clock was ahead",
        arguments: [true, false])
    func datedAhead(isKept: Bool) throws {
        let clock = Atomic(1_000_000)
        let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
        cache.store([1], for: key)
        clock.store(500_000, ordering: .relaxed)
        let entry = try #require(cache.entry(for: key))
        if isKept { try entry.removal() } else { entry.remove() }
        #expect(cache.entry(for: key) == nil)
    }

    @Test("What is kept of an entry removes no newer one, also where that is a file of the same number")
    func numberedAlike() throws {
        let cache = DiskCache(directory: directory.path)
        for _ in 0..<20 {
            cache.store([1], for: key)
            let removal = try #require(cache.entry(for: key)).removal
            // The first of these frees the number, the second gets it.
            for body: [UInt8] in [[2], [3]] { cache.store(body, for: key) }
            try removal()
            #expect(try cache.entry(for: key)?.body() == [3])
        }
    }

    @Test("New metadata are for the entry that was found: a removed one does not come back, a newer one stays")
    func updated() throws {
        let cache = DiskCache(directory: directory.path)
        cache.store([1], for: key, metadata: [1])
        let entry = try #require(cache.entry(for: key))
        #expect(cache.update(entry, metadata: [2]))
        let updated = try #require(cache.entry(for: key))
        #expect(updated.metadata == [2])
        #expect(try updated.body() == [1])
        // Of what was found before that nothing is there any more.
        #expect(!cache.update(entry, metadata: [3]))
        #expect(cache.entry(for: key)?.metadata == [2])
        cache.store([4], for: key, metadata: [4])
        #expect(!cache.update(updated, metadata: [5]))
        let newer = try #require(cache.entry(for: key))
        #expect(newer.metadata == [4])
        #expect(try newer.body() == [4])
        cache.remove(key)
        #expect(!cache.update(newer, metadata: [6]))
        #expect(cache.entry(for: key) == nil)
        #expect(directory.names.isEmpty)
        #expect(cache.statistics.writes == 3)
        #expect(cache.statistics.errors == 0)
    }

    @Test("Metadata of 16 MiB are kept where there is room for them, and not a byte more")
    func largestMetadata() throws {
        let cache = DiskCache(directory: directory.path)
        let metadata = [UInt8](repeating: 7, count: 1 << 24)
        #expect(cache.store([1], for: key, metadata: metadata))
        #expect(cache.entry(for: key)?.metadata.count == 1 << 24)
        #expect(!cache.store([1], for: key, metadata: metadata + [7]))
        #expect(cache.statistics.refusals == 1)
    }

    @Test(
        "An entry may take a quarter of all, and not a byte more, whether its length is announced or not",
        arguments: [true, false])
    func largest(isAnnounced: Bool) throws {
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 40_000))
        for (size, isKept) in [(10_000, true), (10_001, false)] {
            let body = [UInt8](repeating: 7, count: size - EntryHeader.size - 3)
            let length = isAnnounced ? body.count : nil
            if var writer = cache.writer(for: key, metadata: [1, 2, 3], expectedLength: length) {
                writer.append(body)
                let isPublished = writer.publish()
                #expect(isPublished == isKept)
            } else {
                #expect(isAnnounced && !isKept)
            }
        }
        #expect(cache.statistics.refusals == 1)
        #expect(cache.statistics.writes == 1)
        #expect(try cache.entry(for: key)?.body().count == 10_000 - EntryHeader.size - 3)
    }

    @Test("An entry is served until its age is the limit's, to the moment", arguments: [true, false])
    func age(isSwept: Bool) {
        let clock = Atomic(1_000_000)
        let cache = DiskCache(directory: directory.path, limits: .init(age: 60)) {
            .milliseconds(clock.load(ordering: .relaxed))
        }
        cache.store([1], for: key)
        clock.add(59_999, ordering: .relaxed)
        if isSwept { cache.sweep() }
        #expect(cache.entry(for: key) != nil)
        clock.add(1, ordering: .relaxed)
        if isSwept { cache.sweep() }
        #expect(cache.statistics.evictions == (isSwept ? 1 : 0))
        #expect(cache.entry(for: key) == nil)
        #expect(cache.statistics.evictions == 1)
    }

    @Test(
        "A chunk is of 64 KiB at most, and there is none before the first byte or behind the last",
        arguments: [100_000, 700_000])
    func chunks(length: Int) throws {
        let cache = DiskCache(directory: directory.path)
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        cache.store(body, for: key)
        let entry = try #require(cache.entry(for: key))
        #expect(try entry.chunk(at: 0) == Array(body[..<65_536]))
        #expect(try entry.chunk(at: 1) == Array(body[1..<65_537]))
        #expect(try entry.chunk(at: length - 1) == [body[length - 1]])
        for offset in [-1, length, length + 1] { #expect(try entry.chunk(at: offset).isEmpty, "\(offset)") }
    }

    @Test(
        "A file of another version of the format is told from one of this, from others', and from none",
        arguments: [
            (nil, false), ("", false), ("IS", false), ("ISC", false), ("ISC\u{3}", false), ("ISC\u{2}", true),
            ("ISC\u{4}abc", true), ("ISC\u{3}abc", false), ("ISD\u{2}", false), ("abcdef", false),
        ] as [(String?, Bool)])
    func versions(text: String?, isOther: Bool) throws {
        let path = "\(directory.path)/x"
        if let text { try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(Array(text.utf8), at: 0) }
        #expect(EntryHeader.isOfOtherVersion(at: path) == isOther)
    }

    @Test(
        "The file of a lease is removed when its time is an hour over, or as far ahead",
        arguments: [(0, true), (3_600, true), (3_601, false), (-3_600, true), (-3_601, false)])
    func abandonedLease(age: Int, isThere: Bool) throws {
        let path = "\(directory.path)/\(DirectoryLease.prefix)x"
        do {
            let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
            file.setTimes(lastUse: .seconds(10_000), change: .seconds(10_000))
        }
        DirectoryLease.removeIfAbandoned(path, now: .seconds(10_000 + age))
        #expect((access(path, F_OK) == 0) == isThere)
    }
}
