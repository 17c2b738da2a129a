import Foundation
import JPEGReference
import Testing

@testable import ImagePipeline

@Suite("Columns of a JPEG that nobody sees")
struct CropTests {
    /// A wide picture with settings of all kinds.
    private func panorama(using generator: inout SeededGenerator) throws -> (bytes: [UInt8], settings: String) {
        var settings = jpeg_reference_settings()
        settings.components = [1, 3, 3, 3, 4].randomElement(using: &generator) ?? 3
        settings.quality = [30, 80, 98].randomElement(using: &generator) ?? 80
        (settings.horizontal, settings.vertical) =
            [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2), (2, 4), (1, 4)].randomElement(using: &generator) ?? (2, 2)
        settings.restart_interval = [0, 0, 1, 7].randomElement(using: &generator) ?? 0
        let (width, height) = (Int.random(in: 90...500, using: &generator), Int.random(in: 20...70, using: &generator))
        let channels = Int(settings.components)
        let pixels = (0..<width * height * channels).map { index in
            let (x, y) = (index / channels % width, index / channels / width)
            return UInt8(truncatingIfNeeded: x * x / 16 + 3 * y + 50 * (index % channels))
                &+ UInt8.random(in: 0...60, using: &generator)
        }
        var count = 0
        let encoded = jpeg_reference_encode(pixels, UInt32(width), UInt32(height), settings, &count)
        defer { free(encoded) }
        let bytes = try #require(encoded)
        return (Array(UnsafeBufferPointer(start: bytes, count: count)), "\(width) × \(height), \(settings)")
    }

    @Test("What fills a box is the same to the bit as with every column decoded")
    func agrees() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<100 {
            let (bytes, settings) = try panorama(using: &generator)
            let gravity = try #require(Gravity.allCases.randomElement(using: &generator))
            let side = try #require([1, 5, 9, 14, 20, 50].randomElement(using: &generator))
            var options = DecodeOptions(
                targetSize: PixelSize(width: side, height: side + 3), contentMode: .fill(gravity: gravity))
            options.filter = try #require(ResamplingFilter.allCases.randomElement(using: &generator))
            let cropped = ContentDecoder(options: options)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...700, using: &generator))
                try cropped.append(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            options.leavesOutInvisible = false
            let isEqual = try cropped.finish() == Image.decode(bytes, options: options)
            #expect(isEqual, "\(side) at \(gravity), \(options.filter), \(settings), seed \(seed)")
        }
    }

    @Test("Cut out of the middle without being scaled, too")
    func unscaled() throws {
        let picture = try Pictures.textured(301, 40)
        for subsampling in [ImageEncoding.ChromaSubsampling.yuv420, .yuv422, .yuv444] {
            let file = try picture.encoded(as: .jpeg(quality: 95, subsampling: subsampling))
            var options = DecodeOptions(targetSize: PixelSize(width: 37, height: 40), contentMode: .fill)
            let cropped = try Image.decode(file, options: options)
            options.leavesOutInvisible = false
            #expect(try Image.decode(file, options: options) == cropped)
            let rect = PixelRect(x: 132, y: 0, width: 37, height: 40)
            #expect(try Image.decode(file).cropped(to: rect) == cropped)
        }
    }

    @Test("A photo at the sizes of thumbnails", .enabled(if: SharedImages.areThere))
    func photo() throws {
        let file = try SharedImages.bytes("photos/p640x480.jpg")
        for (width, height) in [(30, 90), (60, 200), (100, 480), (20, 33)] {
            var options = DecodeOptions(targetSize: PixelSize(width: width, height: height), contentMode: .fill)
            let cropped = try Image.decode(file, options: options)
            options.leavesOutInvisible = false
            #expect(try Image.decode(file, options: options) == cropped)
        }
    }

    @Test("Damage in columns that are left out is still damage")
    func damage() throws {
        let file = try Pictures.textured(400, 64).encoded(as: .jpeg(quality: 90))
        var segments = JPEGFile.segments(file)
        let scan = try #require(segments.lastIndex { $0.marker == 0xDA })
        segments[scan].entropy = Array(segments[scan].entropy.prefix(segments[scan].entropy.count / 2))
        let options = DecodeOptions(targetSize: PixelSize(width: 16, height: 64), contentMode: .fill)
        #expect(throws: DecodeError.self) { try Image.decode(JPEGFile.file(segments), options: options) }
    }
}
