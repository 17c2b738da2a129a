import Files
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Disk cache")
struct DiskCacheTests {
    let directory = TemporaryDirectory()
    let key = CacheKey(["https://example.org/a.jpg", "accept: image/*"])
    let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test("What was stored comes back, in one piece or in chunks, with its metadata, from another cache too")
    func roundTrip() throws {
        #expect(DiskCache(directory: directory.path).store(body, for: key, metadata: [1, 2, 3]))
        let entry = try #require(DiskCache(directory: directory.path).entry(for: key))
        #expect(entry.metadata == [1, 2, 3])
        #expect(try entry.body() == body)
        var chunks: [UInt8] = []
        while case let chunk = try entry.chunk(at: chunks.count), !chunk.isEmpty { chunks += chunk }
        #expect(chunks == body)
    }

    @Test("An empty body is a value, not a miss")
    func emptyBody() throws {
        let cache = DiskCache(directory: directory.path)
        #expect(cache.store([], for: key))
        #expect(try #require(cache.entry(for: key)).body().isEmpty)
    }

    @Test("Bodies of any length come back, in pieces of any length, whatever length was announced")
    func lengths() throws {
        let cache = DiskCache(directory: directory.path)
        let whole = body + body + body
        for announced in [nil, 0, 1_000, 200_000, 500_000] {
            for (length, piece) in [(0, 1), (1_000, 300), (130_000, 130_000), (200_000, 16_384), (600_000, 70_000)] {
                let body = Array(whole[..<length])
                guard var writer = cache.writer(for: key, metadata: [1, 2], expectedLength: announced) else {
                    Issue.record("no writer")
                    continue
                }
                for start in stride(from: 0, to: length, by: piece) {
                    writer.append(Array(body[start..<min(start + piece, length)]))
                }
                let isPublished = writer.publish()
                #expect(isPublished)
                let entry = cache.entry(for: key)
                #expect(try entry?.body() == body, "\(length) in pieces of \(piece), \(announced ?? -1) announced")
                #expect(entry?.metadata == [1, 2])
            }
        }
        #expect(cache.statistics.damaged == 0)
    }

    @Test("A writer that is let go of leaves nothing behind")
    func discarded() {
        let cache = DiskCache(directory: directory.path)
        do {
            var writer = cache.writer(for: key)
            writer?.append(body)
            #expect(directory.names.count == 1)
        }
        #expect(directory.names.isEmpty)
        #expect(cache.entry(for: key) == nil)
    }

    @Test("Any damaged byte, any missing tail, any extra byte makes the entry a miss and removes it")
    func damage() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let cache = DiskCache(directory: directory.path)
        let small = Array(body.prefix(300))
        cache.store(small, for: key, metadata: Array("metadata".utf8))
        let file = cache.path(of: key)
        let whole = try FileDescriptor(opening: file, O_RDONLY).read(1 << 20, at: 0)
        var variants = whole.indices.map { index in
            var bytes = whole
            bytes[index] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
            return bytes
        }
        variants += whole.indices.map { Array(whole.prefix($0)) }
        variants.append(whole + [0])
        for bytes in variants {
            unlink(file)
            try FileDescriptor(opening: file, O_WRONLY | O_CREAT).write(bytes, at: 0)
            #expect(cache.entry(for: key) == nil, "seed \(seed)")
            #expect(access(file, F_OK) != 0, "seed \(seed)")
        }
        // With another version's number it is another version's.
        #expect(cache.statistics.damaged == variants.count - 1)
    }

    @Test("An entry that stands under another key's name is a miss")
    func foreignKey() {
        let cache = DiskCache(directory: directory.path)
        cache.store(body, for: key)
        let other = CacheKey(["other"])
        rename(cache.path(of: key), cache.path(of: other))
        #expect(cache.entry(for: other) == nil)
    }

    @Test("A file that is no entry stays, although it has an entry's name, is old and large")
    func foreignFile() throws {
        let clock = Atomic(1_000_000)
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 4_000, age: 10)) {
            .seconds(clock.load(ordering: .relaxed))
        }
        let foreign = cache.path(of: CacheKey(["somebody else's"]))
        try FileDescriptor(opening: foreign, O_WRONLY | O_CREAT).write(body, at: 0)
        let empty = cache.path(of: CacheKey(["torn"]))
        _ = try FileDescriptor(opening: empty, O_WRONLY | O_CREAT)
        cache.store(Array(body.prefix(800)), for: key)
        // What it takes is not the cache's.
        #expect(cache.entry(for: key) != nil)
        clock.store(Int(Duration.sinceEpoch.components.seconds) + 1_000, ordering: .relaxed)
        cache.sweep()
        cache.removeAll()
        #expect(try FileDescriptor(opening: foreign, O_RDONLY).read(1 << 20, at: 0) == body)
        #expect(directory.names.count == 1)
        #expect(cache.statistics.errors == 0)
    }

    @Test("What a file takes that is no entry is not the cache's: no entry goes for it", arguments: [900, 200_000])
    func foreignRoom(size: Int) throws {
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 4_000)) { .seconds(1_000_000) }
        let keys = (0..<4).map { CacheKey(["\($0)"]) }
        for key in keys { cache.store(Array(body.prefix(900 - EntryHeader.size)), for: key) }
        let path = cache.path(of: CacheKey(["somebody else's"]))
        let foreign = try FileDescriptor(opening: path, O_WRONLY | O_CREAT)
        try foreign.write(Array(body.prefix(size)), at: 0)
        // It was used before all others, so that it is the first one to be looked at.
        foreign.setTimes(lastUse: .seconds(900_000), change: .seconds(999_999))
        #expect(cache.contents() == .init(entries: 4, size: 3_600))
        #expect(keys.allSatisfy { access(cache.path(of: $0), F_OK) == 0 })
        #expect(cache.statistics.evictions == 0)
        #expect(cache.total.value ?? 0 < 4_000)
    }

    @Test("The size limit holds after every write, and the least recently used go first")
    func sizeLimit() {
        let clock = Atomic(1_000)
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 100_000)) {
            .seconds(clock.load(ordering: .relaxed))
        }
        let keys = (0..<20).map { CacheKey(["\($0)"]) }
        for key in keys {
            cache.store([UInt8](repeating: 7, count: 10_000), for: key)
            clock.add(10, ordering: .relaxed)
            _ = cache.entry(for: key)
            _ = cache.entry(for: keys[0])
            let total = directory.names.reduce(0) { total, name in
                var status = stat()
                stat("\(directory.path)/\(name)", &status)
                return total + Int(status.st_size)
            }
            #expect(total <= 100_000)
        }
        #expect(cache.entry(for: keys[0]) != nil)
        #expect(cache.entry(for: keys[1]) == nil)
        #expect(cache.entry(for: keys[19]) != nil)
    }

    @Test("A body that is too large to be held fails where its file has become shorter meanwhile")
    func shorterMeanwhile() throws {
        let cache = DiskCache(directory: directory.path)
        cache.store([UInt8](repeating: 7, count: 1 << 20), for: key)
        let entry = try #require(cache.entry(for: key))
        #expect(truncate(cache.path(of: key), 1 << 19) == 0)
        #expect(throws: SystemError.self) { try entry.body() }
        #expect(throws: SystemError.self) { try entry.chunk(at: 1 << 19) }
        #expect(try entry.chunk(at: 0).count == 64 << 10)
        #expect(cache.statistics.errors == 2)
    }

    @Test("A path with a zero in it is no file's")
    func zeroInPath() throws {
        _ = try FileDescriptor(opening: "\(directory.path)/a", O_WRONLY | O_CREAT)
        #expect(throws: SystemError.self) { _ = try FileDescriptor.reading("\(directory.path)/a\0.png") }
    }

    #if os(Linux)
        @Test("The system leaves the time of last use to the cache, which says when an entry was used")
        func lastUse() throws {
            let clock = Atomic(1_000)
            let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
            cache.store(body, for: key)
            var status = stat()
            let file = try FileDescriptor.reading(cache.path(of: key), &status, keepsLastUse: true)
            #expect(try file.read(100, at: 0).count == 100)
            #expect(FileFacts(at: cache.path(of: key))?.lastUse == .seconds(1_000))
            clock.store(2_000, ordering: .relaxed)
            #expect(cache.entry(for: key) != nil)
            #expect(FileFacts(at: cache.path(of: key))?.lastUse == .seconds(2_000))
        }

        @Test("Somebody else's file that is dated ahead keeps its times, though its beginning is looked at")
        func othersUse() throws {
            let path = "\(directory.path)/\(key.digest)"
            let file = try FileDescriptor(opening: path, O_RDWR | O_CREAT)
            try file.write([UInt8](repeating: 1, count: 1_000), at: 0)
            file.setTimes(lastUse: .seconds(500), change: .seconds(2_000))
            DiskCache(directory: directory.path) { .seconds(1_000) }.sweep()
            let facts = FileFacts(at: path)
            #expect(facts?.lastUse == .seconds(500) && facts?.modified == .seconds(2_000))
        }
    #endif

    @Test("An entry that is too old is a miss, and is removed")
    func age() {
        let clock = Atomic(Int(time(nil)))
        let cache = DiskCache(directory: directory.path, limits: .init(age: 60)) {
            .seconds(clock.load(ordering: .relaxed))
        }
        cache.store(body, for: key)
        #expect(cache.entry(for: key) != nil)
        clock.add(61, ordering: .relaxed)
        #expect(cache.entry(for: key) == nil)
        #expect(directory.names.isEmpty)
    }

    @Test(
        "What a killed writer has left behind goes with the first write of the next start; a living writer's file stays"
    )
    func leftovers() throws {
        // Whoever finds no total lists the directory, and all goes that way.
        DiskCache(directory: directory.path).store([1], for: CacheKey(["a"]))
        let leftover = "\(directory.path)/\(TemporaryFile.prefix)\(String(repeating: "0", count: 32))"
        try FileDescriptor(opening: leftover, O_WRONLY | O_CREAT).write([1, 2, 3], at: 0)
        let living = try TemporaryFile.make(in: directory.path)
        let cache = DiskCache(directory: directory.path)
        cache.store([1], for: CacheKey(["a"]))
        #expect(access(leftover, F_OK) != 0)
        #expect(directory.names.count { $0.hasPrefix(TemporaryFile.prefix) } == 1)
        // With every write the listing of a large directory would take longer than the write.
        try FileDescriptor(opening: leftover, O_WRONLY | O_CREAT).write([1, 2, 3], at: 0)
        cache.store([1], for: CacheKey(["b"]))
        #expect(access(leftover, F_OK) == 0)
        withExtendedLifetime(living) {}
    }

    @Test("A sweep leaves the file of a living writer alone")
    func sweepKeepsLivingWriters() {
        let cache = DiskCache(directory: directory.path)
        guard var writer = cache.writer(for: key) else {
            Issue.record("the directory refuses to be written to")
            return
        }
        DiskCache(directory: directory.path).sweep()
        writer.append(body)
        let isPublished = writer.publish()
        #expect(isPublished)
        #expect(cache.entry(for: key)?.bodyLength == body.count)
    }

    @Test("A directory that cannot be used makes every read a miss and every write a counted failure")
    func unusable() {
        let file = "\(directory.path)/file"
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        let cache = DiskCache(directory: "\(file)/cache")
        #expect(!cache.store(body, for: key))
        #expect(cache.entry(for: key) == nil)
        #expect(cache.statistics.errors >= 2)
    }

    @Test("Two threads that write and read one key always see a whole entry")
    func concurrentWriters() async {
        let cache = DiskCache(directory: directory.path)
        let key = key
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for round in 0..<50 {
                        let body = [UInt8](repeating: UInt8(writer), count: 1_000 + round)
                        cache.store(body, for: key)
                        if let read = try? cache.entry(for: key)?.body() { #expect(Set(read).count == 1) }
                    }
                }
            }
        }
        #expect(cache.statistics.damaged == 0)
    }
}
