import TestSupport
import Testing

@testable import ImageCodecs

@Suite("Columns and rows of a JPEG that nobody sees")
struct CropTests {
    @Test(
        "What fills a box is the same to the bit as with every column and row decoded",
        arguments: [(90...500, 20...70), (8...90, 90...700), (100...300, 100...300)])
    func agrees(width: ClosedRange<Int>, height: ClosedRange<Int>) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<100 {
            let (bytes, settings) = try RandomJPEG.file(width: width, height: height, using: &generator)
            let gravity = try #require(Gravity.allCases.randomElement(using: &generator))
            let side = try #require([1, 5, 9, 14, 20, 50].randomElement(using: &generator))
            let target = PixelSize(width: side, height: max(1, side + Int.random(in: -4...4, using: &generator)))
            var options = DecodeOptions(as: Rendition(targetSize: target, contentMode: .fill(gravity: gravity)))
            options.rendition.filter = try #require(ResamplingFilter.allCases.randomElement(using: &generator))
            let cropped = ContentDecoder(options: options)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...700, using: &generator))
                try cropped.append(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            options.leavesOutInvisible = false
            let isEqual = try cropped.finish() == Image.decode(bytes, options: options)
            #expect(isEqual, "\(target) at \(gravity), \(options.rendition.filter), \(settings), seed \(seed)")
        }
    }

    @Test("Turned pictures too, from every edge")
    func turned() throws {
        let picture = try Pictures.textured(120, 260)
        let file = try picture.encoded(as: .jpeg(quality: 90))
        for orientation in Orientation.allCases {
            let turned = JPEGFile.oriented(file, UInt8(orientation.rawValue), isLittleEndian: false)
            for gravity in [Gravity.top, .bottom, .left, .right, .centre] {
                for target in [PixelSize(width: 31, height: 30), PixelSize(width: 110, height: 100)] {
                    var options = DecodeOptions(as: Rendition(targetSize: target, contentMode: .fill(gravity: gravity)))
                    let cropped = try Image.decode(turned, options: options)
                    options.leavesOutInvisible = false
                    let isEqual = try Image.decode(turned, options: options) == cropped
                    #expect(isEqual, "\(orientation), \(gravity), \(target)")
                }
            }
        }
    }

    @Test("A line at the bottom without being scaled: whatever row it begins with")
    func bottomLines() throws {
        let picture = try Pictures.textured(40, 131)
        for subsampling in [ImageEncoding.ChromaSubsampling.yuv420, .yuv422, .yuv444] {
            let file = try picture.encoded(as: .jpeg(quality: 95, subsampling: subsampling))
            let whole = try Image.decode(file)
            for height in 1...131 {
                let options = DecodeOptions(
                    as: Rendition(
                        targetSize: PixelSize(width: 40, height: height), contentMode: .fill(gravity: .bottom)))
                let rect = PixelRect(x: 0, y: 131 - height, width: 40, height: height)
                let isEqual = try Image.decode(file, options: options) == whole.cropped(to: rect)
                #expect(isEqual, "\(height) rows, \(subsampling)")
            }
        }
    }

    @Test("Cut out of the middle without being scaled, too")
    func unscaled() throws {
        let picture = try Pictures.textured(301, 40)
        for subsampling in [ImageEncoding.ChromaSubsampling.yuv420, .yuv422, .yuv444] {
            let file = try picture.encoded(as: .jpeg(quality: 95, subsampling: subsampling))
            var options = DecodeOptions(as: Rendition(targetSize: PixelSize(width: 37, height: 40), contentMode: .fill))
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
        for (width, height) in [(30, 90), (60, 200), (100, 480), (20, 33), (90, 20), (300, 64), (640, 100)] {
            for gravity in [Gravity.centre, .bottomRight] {
                var options = DecodeOptions(
                    as: Rendition(
                        targetSize: PixelSize(width: width, height: height), contentMode: .fill(gravity: gravity)))
                let cropped = try Image.decode(file, options: options)
                options.leavesOutInvisible = false
                #expect(try Image.decode(file, options: options) == cropped)
            }
        }
    }

    @Test("Damage in rows that are left out is still damage")
    func damageAbove() throws {
        let file = try Pictures.textured(64, 400).encoded(as: .jpeg(quality: 90))
        var segments = JPEGFile.segments(file)
        let scan = try #require(segments.lastIndex { $0.marker == 0xDA })
        let entropy = segments[scan].entropy
        let options = DecodeOptions(
            as: Rendition(
                targetSize: PixelSize(width: 16, height: 16), contentMode: .fill(gravity: .bottom), damage: .refuse))
        _ = try Image.decode(file, options: options)
        // Bytes that a picture of the upper quarter lacks, so that the data end before the picture does.
        segments[scan].entropy = Array(entropy.prefix(entropy.count / 8) + entropy.suffix(entropy.count / 2))
        #expect(throws: DecodeError.self) { try Image.decode(JPEGFile.file(segments), options: options) }
    }

    @Test("Damage in columns that are left out is still damage")
    func damage() throws {
        let file = try Pictures.textured(400, 64).encoded(as: .jpeg(quality: 90))
        var segments = JPEGFile.segments(file)
        let scan = try #require(segments.lastIndex { $0.marker == 0xDA })
        segments[scan].entropy = Array(segments[scan].entropy.prefix(segments[scan].entropy.count / 2))
        let options = DecodeOptions(
            as: Rendition(targetSize: PixelSize(width: 16, height: 64), contentMode: .fill, damage: .refuse))
        #expect(throws: DecodeError.self) { try Image.decode(JPEGFile.file(segments), options: options) }
    }
}
