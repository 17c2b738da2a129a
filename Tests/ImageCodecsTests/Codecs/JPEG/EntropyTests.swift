import Foundation
import ImageCodecs
import JPEGReference
import TestSupport
import Testing

@Suite("JPEG beside libjpeg's own entropy decoders")
struct EntropyTests {
    /// A file with settings of all kinds, of smooth or noisy pixels.
    private func file(
        isProgressive: Bool, using generator: inout SeededGenerator
    ) throws -> (bytes: [UInt8], settings: String) {
        var settings = jpeg_reference_settings()
        settings.components = [1, 3, 3, 3, 4].randomElement(using: &generator) ?? 3
        settings.quality = [20, 75, 95, 100].randomElement(using: &generator) ?? 75
        (settings.horizontal, settings.vertical) =
            [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1)].randomElement(using: &generator) ?? (1, 1)
        settings.restart_interval = [0, 0, 1, 3, 20].randomElement(using: &generator) ?? 0
        settings.optimises = Bool.random(using: &generator) ? 1 : 0
        settings.is_progressive = isProgressive ? 1 : 0
        settings.script = [0, UInt32.random(in: 1 ... .max, using: &generator)].randomElement(using: &generator) ?? 0
        // Small progressive files are left to libjpeg.
        let sides = isProgressive ? 257...300 : 1...90
        let (width, height) = (Int.random(in: sides, using: &generator), Int.random(in: sides, using: &generator))
        let noise = [0, 20, 255].randomElement(using: &generator) ?? 0
        let channels = Int(settings.components)
        let pixels = (0..<width * height * channels).map { index in
            let (x, y) = (index / channels % width, index / channels / width)
            return UInt8(truncatingIfNeeded: x * x / 16 + 3 * y + 50 * (index % channels))
                &+ UInt8.random(in: 0...UInt8(noise), using: &generator)
        }
        var count = 0
        let encoded = jpeg_reference_encode(pixels, UInt32(width), UInt32(height), settings, &count)
        defer { free(encoded) }
        let bytes = try #require(encoded)
        return (Array(UnsafeBufferPointer(start: bytes, count: count)), "\(width) × \(height), \(settings)")
    }

    @Test(
        "The same samples at every scale, whatever the sampling, the restart interval and the chunks",
        arguments: [false, true])
    func agrees(isProgressive: Bool) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<(isProgressive ? 10 : 40) {
            let (bytes, settings) = try file(isProgressive: isProgressive, using: &generator)
            for scale: Int32 in [1, 2, 4, 8] {
                let expected = try #require(ScaledDecode(reference: bytes, scale: scale))
                let chunk = [isProgressive ? 30 : 1, 70, 300, bytes.count].randomElement(using: &generator) ?? 1
                let isEqual = ScaledDecode(bytes, scale: scale, chunk: chunk) == expected
                #expect(isEqual, "scale \(scale), chunks of \(chunk), \(settings), seed \(seed)")
            }
        }
    }

    @Test(
        "Damaged and cut-off data give the same samples or are refused, and what libjpeg refuses is refused",
        arguments: [false, true])
    func damaged(isProgressive: Bool) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<(isProgressive ? 20 : 60) {
            var (bytes, settings) = try file(isProgressive: isProgressive, using: &generator)
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            } else {
                for _ in 0..<3 {
                    let at = Int.random(in: bytes.indices, using: &generator)
                    bytes[at] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            for scale: Int32 in [1, 2] {
                let decoded = ScaledDecode(bytes, scale: scale, chunk: 300)
                // Without an end marker libjpeg's source warns, though nothing may be missing.
                let expected = ScaledDecode(reference: bytes + JPEGFile.eoi, scale: scale)
                let isRight = decoded == nil || decoded == expected
                #expect(isRight, "scale \(scale), \(settings), seed \(seed)")
            }
        }
    }

    @Test("The same samples of every shared file at 1/8", .enabled(if: SharedImages.areThere))
    func shared() throws {
        var count = 0
        for folder in ["corpora-jpeg", "mit-jpeg", "exif-orientation", "photos"] {
            for name in SharedImages.names(in: folder, extensions: ["jpg", "jpeg"]) {
                let bytes = try SharedImages.bytes("\(folder)/\(name)")
                guard let decoded = ScaledDecode(bytes, scale: 1, chunk: 10_000) else { continue }
                let expected = ScaledDecode(reference: bytes + JPEGFile.eoi, scale: 1)
                let isEqual = decoded == expected
                #expect(isEqual, "\(folder)/\(name)")
                count += 1
            }
        }
        #expect(count > 20)
    }
}
