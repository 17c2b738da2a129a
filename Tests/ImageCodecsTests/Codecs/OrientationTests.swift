import ImageCodecs
import TestSupport
import Testing

@Suite("Exif orientation")
struct OrientationTests {
    /// Where the upright picture's pixel (x, y) lies in the stored one (TIFF 6.0, tag 274: what row 0 and column 0 are).
    private func stored(_ orientation: Orientation, x: Int, y: Int, upright size: PixelSize) -> (x: Int, y: Int) {
        let right = size.width - 1 - x
        let bottom = size.height - 1 - y
        return switch orientation {
        case .up: (x, y)
        case .upMirrored: (right, y)
        case .down: (right, bottom)
        case .downMirrored: (x, bottom)
        case .leftMirrored: (y, x)
        case .right: (y, right)
        case .rightMirrored: (bottom, right)
        case .left: (bottom, x)
        }
    }

    /// `upright` as a camera held this way would store it.
    private func stored(_ upright: Image, _ orientation: Orientation) throws -> Image {
        let size = orientation.applied(to: upright.size)
        var bytes = [UInt8](repeating: 0, count: upright.bytes.count)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let at = stored(orientation, x: x, y: y, upright: upright.size)
                bytes[at.y * size.width + at.x] = upright.bytes[y * upright.width + x]
            }
        }
        return try #require(Image(size: size, format: .grey8, bytes: bytes))
    }

    @Test(
        "Every orientation comes out upright, at full size and reduced, final and degraded",
        arguments: Orientation.allCases)
    func upright(orientation: Orientation) throws {
        let upright = try Pictures.gradient(80, 56, .grey8)
        let camera = try stored(upright, orientation)
        for isProgressive in [false, true] {
            let plain = try camera.encoded(as: .jpeg(quality: 100, progressive: isProgressive))
            let file = JPEGFile.oriented(
                plain, UInt8(orientation.rawValue), isLittleEndian: isProgressive, thumbnailValue: 6)
            #expect(Pictures.psnr(try Image.decode(file), upright) > 45)

            let box = PixelSize(width: 20, height: 40)
            let options = DecodeOptions(as: .fit(box), previews: true)
            let expected = upright.resized(to: PixelSize(width: 20, height: 14))
            let decoder = JPEGDecoder(options: options)
            var previews: [Image] = []
            for byte in file {
                try decoder.append([byte])
                if let preview = try decoder.takePreview() { previews.append(preview.image) }
            }
            #expect(Pictures.psnr(try decoder.finish(), expected) > 40)
            #expect(previews.isEmpty == !isProgressive)
            for preview in previews { #expect(preview.size == expected.size) }
            if let last = previews.last { #expect(Pictures.psnr(last, expected) > 25) }
        }
    }

    @Test("A PNG's eXIf chunk counts too")
    func png() throws {
        let upright = try Pictures.gradient(30, 20, .grey8)
        let file = try stored(upright, .right).encoded(as: .png)
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let chunk = PNGFile.chunk("eXIf", [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] + directory)
        #expect(try Image.decode(PNGFile.inserting(chunk, into: file)) == upright)
    }

    @Test("Values outside the standard, and damaged Exif data, leave the picture as it is stored")
    func damaged() throws {
        let picture = try Pictures.gradient(24, 16, .grey8)
        let plain = try picture.encoded(as: .jpeg)
        let decoded = try Image.decode(plain)
        for value: UInt8 in [0, 9, 255] {
            #expect(try Image.decode(JPEGFile.oriented(plain, value, isLittleEndian: true)) == decoded)
        }
        let whole = JPEGFile.segments(JPEGFile.oriented(plain, 6, isLittleEndian: false))
        for count in 0..<whole[0].payload.count {
            var cut = whole
            cut[0].payload = Array(whole[0].payload.prefix(count))
            let image = try Image.decode(JPEGFile.file(cut))
            #expect(image == decoded || image.size == decoded.size.transposed)
        }
    }

    @Test("The photos of the orientation set are upright and alike", .enabled(if: SharedImages.areThere))
    func photos() throws {
        let options = DecodeOptions(as: .fit(PixelSize(width: 90, height: 90)))
        for kind in ["Landscape", "Portrait"] {
            let reference = try Image.decode(SharedImages.bytes("exif-orientation/\(kind)_1.jpg"), options: options)
            for value in 2...8 {
                let image = try Image.decode(
                    SharedImages.bytes("exif-orientation/\(kind)_\(value).jpg"), options: options)
                #expect(Pictures.psnr(image, reference) > 27, "\(kind)_\(value)")
            }
        }
    }
}
