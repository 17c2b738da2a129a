import ImageCodecs
import TestSupport
import Testing

@testable import struct ImageCodecs.Placement

@Suite("Fit, fill, exact")
struct SizingTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    private func output(_ picture: PixelSize, _ box: PixelSize, _ mode: ContentMode, enlarges: Bool = false)
        -> PixelSize
    {
        Placement(of: picture, in: box, mode: mode, enlarges: enlarges).output
    }

    @Test("Sizes: smaller in every mode, larger only on request")
    func sizes() {
        let photo = size(400, 300)
        #expect(output(photo, size(100, 100), .fit) == size(100, 75))
        #expect(output(photo, size(100, 100), .fill) == size(100, 100))
        #expect(output(photo, size(100, 100), .exact) == size(100, 100))
        for mode in [ContentMode.fit, .fill, .exact] { #expect(output(photo, size(800, 600), mode) == photo) }
        for mode in [ContentMode.fit, .fill, .exact] {
            #expect(output(photo, size(800, 600), mode, enlarges: true) == size(800, 600))
        }
        // As much of the box as there is picture for.
        #expect(output(photo, size(800, 100), .fill) == size(400, 100))
        #expect(output(photo, size(800, 100), .exact) == size(400, 100))
        #expect(output(photo, size(800, 100), .fill, enlarges: true) == size(800, 100))
        #expect(output(photo, size(2000, 2000), .fit, enlarges: true) == size(2000, 1500))
        #expect(output(photo, size(0, -3), .fill) == size(1, 1))
        #expect(output(size(10_000, 1), size(10, 10), .fill) == size(10, 1))
        #expect(output(size(1, 1), size(.max, .max), .fit, enlarges: true).width == Int(Int32.max))
    }

    @Test("The part shown is where gravity says, and keeps its shape")
    func regions() {
        for gravity in Gravity.allCases {
            let wide = Placement(of: size(400, 100), in: size(50, 50), mode: .fill(gravity: gravity), enlarges: false)
            #expect(wide.region.width == 100 && wide.region.height == 100)
            #expect(wide.region.y == 0)
            let tall = Placement(of: size(100, 400), in: size(50, 50), mode: .fill(gravity: gravity), enlarges: false)
            let (left, top) = (wide.region.x, tall.region.y)
            switch gravity {
            case .topLeft: #expect((left, top) == (0, 0))
            case .top: #expect((left, top) == (150, 0))
            case .topRight: #expect((left, top) == (300, 0))
            case .left: #expect((left, top) == (0, 150))
            case .centre: #expect((left, top) == (150, 150))
            case .right: #expect((left, top) == (300, 150))
            case .bottomLeft: #expect((left, top) == (0, 300))
            case .bottom: #expect((left, top) == (150, 300))
            case .bottomRight: #expect((left, top) == (300, 300))
            }
        }
    }

    @Test("Filling a box is the whole picture reduced by the same ratio, and then cut")
    func fillIsCut() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for format in PixelFormat.allCases {
            let picture = try Pictures.noise(96, 60, format, using: &generator)
            // 96 × 60 into 20 × 20: a third, 32 × 20, of which 20 columns are shown.
            let whole = picture.resized(to: size(32, 20))
            for (gravity, x) in [(Gravity.left, 0), (.centre, 6), (.right, 12)] {
                let filled = picture.resized(in: size(20, 20), mode: .fill(gravity: gravity))
                #expect(
                    agree(filled, whole.cropped(to: PixelRect(x: x, y: 0, width: 20, height: 20))), "seed \(seed)")
            }
            let tall = try Pictures.noise(60, 96, format, using: &generator)
            let reduced = tall.resized(to: size(20, 32))
            for (gravity, y) in [(Gravity.top, 0), (.centre, 6), (.bottom, 12)] {
                let filled = tall.resized(in: size(20, 20), mode: .fill(gravity: gravity))
                #expect(
                    agree(filled, reduced.cropped(to: PixelRect(x: 0, y: y, width: 20, height: 20))), "seed \(seed)")
            }
        }
    }

    /// Rows are summed in groups that begin where the picture shown begins: a sample may round the other way.
    private func agree(_ left: Image?, _ right: Image?) -> Bool {
        guard let left, let right, left.size == right.size, left.format == right.format else { return left == right }
        return left == right || Pictures.psnr(left, right) > 60
    }

    @Test("A file decoded to fill a box is the picture brought into the box", arguments: Orientation.allCases)
    func decoding(orientation: Orientation) throws {
        let gravities: [Gravity] = [.topLeft, .centre, .bottomRight]
        for (picture, box) in [
            (try Pictures.gradient(90, 60), size(30, 30)), (try Pictures.gradient(60, 90), size(20, 25)),
            // Nothing is reduced: only cut.
            (try Pictures.gradient(90, 60), size(41, 300)),
        ] {
            for gravity in gravities {
                let mode = ContentMode.fill(gravity: gravity)
                for encoding in [ImageEncoding.png, .jpeg(quality: 100, subsampling: .yuv444)] {
                    let file = try turned(picture.encoded(as: encoding), orientation)
                    let upright = try Image.decode(file)
                    let expected = upright.resized(in: box, mode: mode)
                    let filled = try Image.decode(
                        file, options: DecodeOptions(as: Rendition(targetSize: box, contentMode: mode)))
                    #expect(filled.size == expected.size)
                    // Across and down are filtered in another order where the picture is turned.
                    let least = encoding.format == .png ? 55.0 : 45
                    #expect(
                        Pictures.psnr(filled, expected) >= least, "\(orientation) \(gravity) \(encoding.format) \(box)")
                }
            }
        }
    }

    private func turned(_ file: [UInt8], _ orientation: Orientation) throws -> [UInt8] {
        let value = UInt8(orientation.rawValue)
        guard ImageFormat.detect(file) == .png else { return JPEGFile.oriented(file, value, isLittleEndian: true) }
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0]
        let exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
        return PNGFile.inserting(PNGFile.chunk("eXIf", exif), into: file)
    }

    @Test("Rows below what is shown need not be there; any row above must")
    func rowsBelow() throws {
        for encoding in [ImageEncoding.jpeg, .png(level: 0)] {
            let file = try Pictures.textured(60, 400).encoded(as: encoding)
            let box = size(30, 30)
            func shown(_ gravity: Gravity, of file: [UInt8]) throws -> Image {
                let rendition = Rendition(targetSize: box, contentMode: .fill(gravity: gravity), damage: .refuse)
                return try Image.decode(file, options: DecodeOptions(as: rendition))
            }
            let half = Array(file.prefix(file.count / 2))
            #expect(try shown(.top, of: half) == shown(.top, of: file), "\(encoding)")
            #expect(throws: DecodeError.self) { try shown(.bottom, of: half) }
            #expect(throws: DecodeError.self) { try shown(.top, of: Array(file.prefix(file.count / 20))) }
        }
    }

    @Test("Requests that differ in how a size is reached differ in their key")
    func keys() {
        var keys: Set<String> = []
        var count = 0
        for mode in [ContentMode.fit, .fill, .fill(gravity: .top), .exact] {
            for enlarges in [false, true] {
                for filter in ResamplingFilter.allCases {
                    let rendition = Rendition(
                        targetSize: size(1, 2), contentMode: mode, enlarges: enlarges, filter: filter)
                    keys.insert(rendition.identifier)
                    count += 1
                }
            }
        }
        #expect(keys.count == count)
        #expect(
            Rendition(contentMode: .fill).identifier == Rendition.original.identifier, "without a size all is one")
    }

    @Test("A part cut out is what was there; what lies outside is left out")
    func cropping() throws {
        let picture = try Pictures.gradient(10, 8, .rgba8)
        let part = try #require(picture.cropped(to: PixelRect(x: 2, y: 3, width: 4, height: 2)))
        #expect(part.size == size(4, 2))
        #expect(part.pixel(x: 0, y: 0) == picture.pixel(x: 2, y: 3))
        #expect(part.pixel(x: 3, y: 1) == picture.pixel(x: 5, y: 4))
        #expect(picture.cropped(to: PixelRect(x: -5, y: 6, width: 8, height: 100))?.size == size(3, 2))
        #expect(picture.cropped(to: PixelRect(x: 0, y: 0, width: .max, height: .max)) == picture)
        #expect(picture.cropped(to: PixelRect(x: 10, y: 0, width: 5, height: 5)) == nil)
        #expect(picture.cropped(to: PixelRect(x: 0, y: 0, width: 0, height: 5)) == nil)
        #expect(picture.cropped(to: PixelRect(x: .min, y: .min, width: -1, height: .min)) == nil)
        #expect(picture.cropped(to: PixelRect(x: .max, y: 0, width: .max, height: 1)) == nil)
    }
}
