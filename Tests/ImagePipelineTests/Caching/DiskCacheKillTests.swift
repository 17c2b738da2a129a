import Files
import PhotoGenerator
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

    @Test(
        "Two processes that load photos, keep beginnings, images and entries, and are killed at random: all that is served is whole"
    )
    func mixed() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let (directory, photos) = (TemporaryDirectory(), TemporaryDirectory())
        let keys = try Self.makePhotos(in: photos)
        let limit = 4_000_000
        let arguments = [directory.path, "\(limit)", photos.path]
        var (largest, leftovers, beginnings, images, takeovers) = (0, 0, 0, 0, 0)
        for _ in 0..<Self.rounds {
            let one = try ChildProcess("disk-cache-writer", arguments)
            let other = try ChildProcess("disk-cache-writer", arguments)
            // Each has loaded a photo then.
            one.waitForOutput()
            other.waitForOutput()
            for _ in 0..<Int.random(in: 0..<2_000_000, using: &random) { _ = getppid() }
            one.kill()
            for _ in 0..<Int.random(in: 0..<60_000, using: &random) { _ = getppid() }
            other.kill()
            largest = max(largest, directory.names.reduce(0) { $0 + Self.room(of: "\(directory.path)/\($1)") })
            beginnings += keys.beginnings.count { directory.has($0.digest) }
            images += keys.images.count { directory.has($0.digest) }

            // The next start: no lease of those that were killed holds it up.
            leftovers += directory.names.count { $0.hasPrefix(TemporaryFile.prefix) }
            let next = DiskCache(directory: directory.path, limits: .init(totalSize: limit))
            #expect(next.store([1], for: CacheKey(["new"])))
            #expect(directory.names.allSatisfy { !$0.hasPrefix(TemporaryFile.prefix) }, "seed \(seed)")
            for key in keys.bodies
            where directory.has(DirectoryLease.prefix + key.digest) && Bool.random(using: &random) {
                guard case .granted(let lease, _) = try next.lease(of: key, for: .seconds(10)) else {
                    Issue.record("a lease outlives its process, seed \(seed)")
                    continue
                }
                try lease.release()
                takeovers += 1
            }
            #expect(next.statistics.errors == 0, "seed \(seed)")
        }
        #expect(largest <= limit + limit / 10, "seed \(seed)")
        let faults = (try? FileDescriptor.reading("\(directory.path)/wrong").read(65_536, at: 0)) ?? []
        #expect(faults.isEmpty, "\(String(decoding: faults, as: UTF8.self)), seed \(seed)")
        // The states that the kills have met.
        #expect(leftovers > 0 && beginnings > 0 && images > 0, "seed \(seed)")
        print(
            "killed \(2 * Self.rounds) processes: \(leftovers) unfinished files, \(beginnings) beginnings, \(images) images,",
            "\(takeovers) leases taken over, at most \(largest) of \(limit) bytes")

        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: limit))
        for name in directory.names where name.utf8.count == 64 {
            let file = try FileDescriptor.reading("\(directory.path)/\(name)")
            let size = try file.status().st_size
            let header = EntryHeader(try file.read(EntryHeader.size, at: 0), fileSize: Int(size))
            #expect(header?.key.digest == name, "\(name), seed \(seed)")
        }
        for number in 0..<200 {
            let plain = CacheKey(["mixed", "\(number)"])
            _ = cache.entry(for: number % 4 == 0 ? cache.key(plain, tagged: "tag") : plain)
        }
        for key in keys.bodies + keys.beginnings + keys.images { _ = cache.entry(for: key) }
        #expect(cache.statistics.damaged == 0, "seed \(seed)")
        #expect(cache.statistics.errors == 0, "seed \(seed)")
    }

    /// The bytes that a file takes: one that is being written has its length before its bytes.
    private static func room(of path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? min(Int(status.st_size), Int(status.st_blocks) * 512) : 0
    }

    /// The keys of what the processes keep of the photos.
    private struct Keys {
        var bodies: [CacheKey] = []
        var beginnings: [CacheKey] = []
        var images: [CacheKey] = []
    }

    /// Writes photos and the digests of their pixels at both sizes for `PhotoLoads`.
    private static func makePhotos(in directory: TemporaryDirectory) throws -> Keys {
        var keys = Keys()
        func write(_ bytes: [UInt8], _ name: String) throws {
            try FileDescriptor(opening: "\(directory.path)/\(name)", O_WRONLY | O_CREAT).write(bytes, at: 0)
        }
        for number in 0..<4 {
            let image = try #require(PhotoGenerator(seed: UInt64(number)).image(PixelSize(width: 1200, height: 900)))
            let photo = try image.encoded(as: .jpeg(quality: 98, progressive: number < 3, subsampling: .yuv420))
            // Within an entry's limit, and long enough for a transfer to end early.
            try #require((200_000..<1_000_000).contains(photo.count), "\(photo.count)")
            try write(photo, "\(number).jpg")
            let url = "http://photos.invalid/\(number).jpg"
            keys.bodies.append(ImageRequest(url).dataKey)
            keys.beginnings.append(ImageRequest(url).partialKey)
            for side in [20, 200] {
                let rendition = Rendition.fit(PixelSize(width: side, height: side))
                let pixels = try Image.decode(photo, options: DecodeOptions(as: rendition, previews: false)).bytes
                try write(Array(CacheKey(parts: [pixels]).digest.utf8), "\(number)-\(side)")
                let imageKey = ImageRequest(url, as: rendition).imageKey.digest
                keys.images.append(CacheKey(["image", imageKey, StoredForm.png().identifier]))
            }
        }
        return keys
    }
}

extension TemporaryDirectory {
    fileprivate func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }
}
