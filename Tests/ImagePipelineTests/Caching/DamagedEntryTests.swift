import Files
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Damaged entries of a disk cache")
struct DamagedEntryTests {
    private let directory = TemporaryDirectory()

    private func littleEndian(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    /// A length as a liar would have it: a little off, or anything at all.
    private func lie(about length: Int, using generator: inout SeededGenerator) -> UInt64 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: UInt64(truncatingIfNeeded: length &+ Int.random(in: -3...3, using: &generator))
        case 1: UInt64(1) << UInt64.random(in: 0..<64, using: &generator)
        case 2: UInt64.max - UInt64.random(in: 0..<40, using: &generator)
        default: UInt64.random(in: .min ... .max, using: &generator)
        }
    }

    @Test("A header of any bytes fits a file of no other length than its own, and is never a trap")
    func headers() {
        var generator = SeededGenerator()
        let seed = generator.seed
        let key = CacheKey(["key"])
        let sizes = [0, 1, 63, 64, 65, 300, 1 << 20, 1 << 32, 1 << 40, .max - 1, .max, -1]
        var fitting = 0
        for _ in 0..<20_000 {
            let size = sizes.randomElement(using: &generator) ?? 0
            var bytes = Array("ISC".utf8) + [3]
            var lengths = (0..<2).map { _ in lie(about: size, using: &generator) }
            if Bool.random(using: &generator) {
                // Close to what fits.
                lengths[0] = UInt64.random(in: 0...20, using: &generator)
                lengths[1] = UInt64(truncatingIfNeeded: size &- 64) &- lengths[0]
                if Bool.random(using: &generator) { lengths[1] &+= 1 }
            }
            bytes += littleEndian(lengths[0], count: 4) + littleEndian(lengths[1], count: 8)
            bytes += littleEndian(lengths[1] ^ lengths[0], count: 8) + key.bytes + littleEndian(lengths[0], count: 8)
            if Int.random(in: 0..<10, using: &generator) == 0 {
                bytes = Array(bytes.prefix(Int.random(in: 0..<64, using: &generator)))
            }
            guard let header = EntryHeader(bytes, fileSize: size) else { continue }
            fitting += 1
            #expect(header.fileSize == size && header.bodyLength >= 0, "seed \(seed)")
            #expect(header.metadataLength <= EntryHeader.largestMetadata, "seed \(seed)")
        }
        #expect(fitting > 100, "seed \(seed)")
    }

    @Test("Bits that have flipped, bytes lost, added or overwritten, and lengths that lie make it a miss")
    func entries() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let cache = DiskCache(directory: directory.path)
        for round in 0..<400 {
            let key = CacheKey(["\(round % 7)"])
            let metadata = (0..<Int.random(in: 0...40, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
            let body = (0..<Int.random(in: 0...2_000, using: &generator)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            #expect(cache.store(body, for: key, metadata: metadata))
            let path = cache.path(of: key)
            let whole = try FileDescriptor(opening: path, O_RDONLY).read(1 << 20, at: 0)
            let damaged = damage(whole, key: key, metadata: metadata, using: &generator)
            unlink(path)
            try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(damaged, at: 0)
            if damaged == whole {
                #expect(try cache.entry(for: key)?.body() == body)
            } else {
                #expect(cache.entry(for: key) == nil, "round \(round), seed \(seed)")
                #expect(access(path, F_OK) != 0, "round \(round), seed \(seed)")
            }
        }
    }

    private func damage(
        _ whole: [UInt8], key: CacheKey, metadata: [UInt8], using generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = whole
        let place = Int.random(in: 0..<whole.count, using: &generator)
        let count = Int.random(in: 1...30, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            for _ in 0..<count {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
        case 1:
            bytes.removeSubrange(place..<min(bytes.count, place + count))
        case 2:
            bytes.insert(contentsOf: (0..<count).map { UInt8(truncatingIfNeeded: $0) }, at: place)
        case 3:
            // A block that was never written.
            for index in place..<min(bytes.count, place + 512) { bytes[index] = 0 }
        case 4:
            bytes = Array(bytes.prefix(place))
        default:
            // A lie whose checksum is right.
            var lengths = [metadata.count, whole.count - EntryHeader.size - metadata.count]
            let field = Int.random(in: 0..<2, using: &generator)
            lengths[field] = Int(lie(about: lengths[field], using: &generator) & 0xFFFF_FFFF)
            let checksum = Checksum(Array(whole.dropFirst(EntryHeader.size).dropLast(metadata.count)))
            let header = EntryHeader(
                key: key, metadataLength: lengths[0], bodyLength: lengths[1], bodyChecksum: checksum.value)
            bytes.replaceSubrange(0..<EntryHeader.size, with: header.bytes(metadata: metadata))
        }
        return bytes
    }

    @Test("An entry of another version of the format is a miss that is removed, and is not taken for damaged")
    func otherVersion() throws {
        let cache = DiskCache(directory: directory.path)
        let key = CacheKey(["key"])
        // As version 1 wrote it, its checksums aside.
        let old =
            Array("ISC".utf8) + [1] + littleEndian(32, count: 4) + littleEndian(2, count: 4)
            + littleEndian(100, count: 8) + littleEndian(0, count: 8) + key.bytes + [UInt8](repeating: 7, count: 102)
        try FileDescriptor(opening: cache.path(of: key), O_WRONLY | O_CREAT).write(old, at: 0)
        #expect(cache.entry(for: key) == nil)
        #expect(directory.names.isEmpty)
        #expect(cache.statistics.damaged == 0)
        #expect(cache.statistics.errors == 0)
        #expect(cache.store([1], for: key))
        #expect(try cache.entry(for: key)?.body() == [1])
    }

    @Test("Metadata larger than any response's are refused, not written")
    func largeMetadata() {
        let cache = DiskCache(directory: directory.path)
        let key = CacheKey(["key"])
        #expect(cache.store([1], for: key, metadata: [UInt8](repeating: 7, count: 1 << 20)))
        #expect(cache.entry(for: key)?.metadata.count == 1 << 20)
        #expect(!cache.store([1], for: key, metadata: [UInt8](repeating: 7, count: (1 << 24) + 1)))
        #expect(cache.statistics.refusals == 1)
        #expect(cache.entry(for: key)?.metadata.count == 1 << 20)
    }
}
