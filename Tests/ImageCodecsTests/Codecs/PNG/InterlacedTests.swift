import ImageCodecs
import TestSupport
import Testing

@Suite("Interlaced PNGs")
struct InterlacedTests {
    @Test("Of every size and format they are the picture, in pieces too", arguments: PixelFormat.allCases)
    func all(format: PixelFormat) throws {
        for width in [1, 2, 3, 4, 5, 6, 8, 9, 17] {
            for height in [1, 2, 3, 4, 5, 7, 9, 16] {
                let picture = try Pictures.gradient(width, height, format)
                let file = PNGFile.interlaced(picture)
                let options = DecodeOptions(as: Rendition(keepsDepth: true))
                #expect(try Image.decode(file, options: options) == picture, "\(width) × \(height)")
                let decode = try PushedDecode(file, options: options)
                #expect(decode.final == picture && decode.isInOrder, "\(width) × \(height)")
            }
        }
    }

    @Test("Reduced, cut and turned they are as plain ones are")
    func reduced() throws {
        let picture = try Pictures.textured(123, 201)
        let exif = PNGFile.exif(.rightMirrored)
        let files = [try picture.encoded(as: .png), PNGFile.interlaced(picture)].map {
            PNGFile.inserting(exif, into: $0)
        }
        for mode in [ContentMode.fit, .fill, .fill(gravity: .bottomRight), .exact] {
            for side in [1, 20, 77] {
                let options = DecodeOptions(
                    as: Rendition(targetSize: PixelSize(width: side, height: 30), contentMode: mode))
                let isEqual = try Image.decode(files[0], options: options) == Image.decode(files[1], options: options)
                #expect(isEqual, "\(mode), \(side)")
            }
        }
    }

    @Test("What a pass shows is every so many pixels, each as wide and as high as what is missing")
    func blocks() throws {
        let picture = try Pictures.gradient(21, 19)
        let decode = try PushedDecode(PNGFile.interlaced(picture))
        let grids = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2)]
        #expect(decode.previews.count == 6)
        for (preview, grid) in zip(decode.previews, grids) {
            for y in 0..<19 {
                for x in 0..<21 {
                    let known = picture.pixel(x: x - x % grid.0, y: y - y % grid.1)
                    #expect(preview.given.image.pixel(x: x, y: y) == known)
                }
            }
        }
    }

    @Test("A file that ends within the last pass is not whole")
    func truncated() throws {
        let file = PNGFile.interlaced(try Pictures.gradient(40, 41))
        #expect(throws: DecodeError.self) { try Image.decode(Array(file.prefix(file.count - 200)), options: .refusing) }
        // The checksum, and IEND.
        #expect(throws: Never.self) { try Image.decode(Array(file.prefix(file.count - 20))) }
    }
}
