import Testing

@testable import ImagePipeline

@Suite("Columns of a JPEG that nobody sees")
struct CropTests {
    @Test("What fills a box is the same to the bit as with every column decoded")
    func agrees() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<100 {
            let (bytes, settings) = try RandomJPEG.file(width: 90...500, height: 20...70, using: &generator)
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
