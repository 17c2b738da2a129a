import BenchPictures
import ImageCodecs

/// A picture to be written.
struct SizedPicture {
    let name: String
    let image: Image
    /// The file it was found as.
    var source: String?

    /// Pictures of the same kind, by what they are.
    static func groups(data: String) throws -> [(name: String, pictures: [SizedPicture])] {
        let photo = try photo(data)
        let groups = [
            ("PngSuite", found("\(data)/pngsuite") { !$0.hasPrefix("x") }),
            ("found", found("\(data)/corpora-png") { !$0.hasPrefix("mut_") }),
            ("screenshots", try screenshots()), ("scans", try scans()), ("icons", try icons()),
            ("photos", try photos(photo)),
        ]
        return groups.filter { !$0.1.isEmpty }
    }

    /// The files of a folder, but for those that do not decode, and those whose 16 bits Pillow would not keep.
    private static func found(_ folder: String, _ isWanted: (String) -> Bool) -> [SizedPicture] {
        Files.names(in: folder).filter { $0.hasSuffix(".png") && isWanted($0) }.compactMap { name in
            let path = "\(folder)/\(name)"
            guard let file = try? Files.read(path),
                let image = try? Image.decode(
                    file, options: DecodeOptions(as: Rendition(keepsDepth: true, appliesGamma: false))),
                !image.format.isDeep || image.format == .grey16, image.metadata.storedOrientation == .up
            else { return nil }
            return SizedPicture(name: name, image: bare(image), source: path)
        }
    }

    /// Without what would take room beside the pixels: Pillow writes none of it.
    private static func bare(_ image: Image) -> Image { image.withICCProfile(nil).withMetadata(ImageMetadata()) }

    // MARK: Made ones

    private static func made(
        _ name: String, _ width: Int, _ height: Int, _ format: PixelFormat, _ pixel: (_ x: Int, _ y: Int) -> [UInt8]
    ) -> SizedPicture? {
        let bytes = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
        return Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes)
            .map { SizedPicture(name: name, image: $0) }
    }

    /// Windows full of lines of letters, each a pattern of 5 × 7 dots.
    private static func screenshot(_ width: Int, _ height: Int, gradient: Bool) -> Image? {
        var noise = Noise()
        let letters = (0..<30).map { _ in noise.next() & noise.next() | noise.next() & 0x1084_2108 }
        let text = (0..<4000).map { _ in noise.next() % 7 == 0 ? nil : Int(noise.next() % 30) }
        return made("", width, height, .rgb8) { x, y in
            let window = x / 260 + 7 * (y / 220)
            let (column, line) = (x % 260, y % 220)
            if column < 8 || line < 8 {
                return gradient ? [UInt8(40 + y * 90 / height), UInt8(90 + x * 60 / width), 160] : [58, 110, 165]
            }
            if line < 24 { return [UInt8(30 + window * 9 % 60), UInt8(60 + window * 23 % 90), 120] }
            let (letter, dot) = ((column - 12) / 6, (line - 28) % 11 * 5 + (column - 12) % 6)
            if column >= 12, line >= 28, (column - 12) % 6 < 5, (line - 28) % 11 < 7,
                let glyph = text[(window * 500 + (line - 28) / 11 * 40 + letter) % text.count],
                letters[glyph] >> UInt32(dot % 32) & 1 == 1
            {
                return window % 3 == 0 ? [150, 20, 30] : [25, 25, 28]
            }
            return [252, 252, 254]
        }?.image
    }

    private static func screenshots() throws -> [SizedPicture] {
        let (plain, gradient) = (screenshot(1400, 900, gradient: false), screenshot(1400, 900, gradient: true))
        let size = PixelSize(width: 1000, height: 640)
        return [
            ("plain", plain), ("gradient", gradient), ("smooth", plain?.resized(to: size)),
            ("smooth on a gradient", gradient?.resized(to: size)),
        ]
        .compactMap { name, image in image.map { SizedPicture(name: name, image: $0) } }
    }

    /// A page under a lens: paper that is not even, and noise; grey, the same as colours, tinted, and black on white.
    private static func scans() throws -> [SizedPicture] {
        guard
            let page = screenshot(1200, 900, gradient: false)?.resized(to: PixelSize(width: 900, height: 675))
                .converted(to: .grey8)
        else { return [] }
        var noise = Noise()
        func scanned(_ x: Int, _ y: Int) -> Int {
            let paper = Int(page.bytes[y * page.bytesPerRow + x]) * 215 / 255 + 20 - x / 60
            return max(0, min(255, paper + (0..<4).reduce(0) { sum, _ in sum + Int(noise.next() % 9) } - 16))
        }
        let (width, height) = (page.width, page.height)
        return [
            made("grey", width, height, .grey8) { [UInt8(scanned($0, $1))] },
            made("grey as colours", width, height, .rgb8) { [UInt8](repeating: UInt8(scanned($0, $1)), count: 3) },
            made("tinted", width, height, .rgba8) { x, y in
                let level = scanned(x, y)
                return [UInt8(min(255, level + 20)), UInt8(level), UInt8(max(0, level - 30)), 255]
            },
            made("black on white as grey", width, height, .grey8) { [scanned($0, $1) > 128 ? 255 : 0] },
            made("black on white as colours", width, height, .rgb8) {
                [UInt8](repeating: scanned($0, $1) > 128 ? 255 : 0, count: 3)
            },
        ].compactMap { $0 }
    }

    private static func icons() throws -> [SizedPicture] {
        func disc(_ side: Int, _ format: PixelFormat, _ colour: [UInt8]) -> Image? {
            made("", side, side, format) { x, y in
                let (dx, dy) = (x - side / 2, y - side / 2)
                let isInside = dx * dx + dy * dy < side * side / 5
                return colour + [isInside ? 255 : 0]
            }?.image
        }
        return [16, 32, 64, 128, 256].flatMap { side in
            let small = PixelSize(width: side, height: side)
            return [("colours", disc(4 * side, .rgba8, [30, 90, 200])), ("grey", disc(4 * side, .greyAlpha8, [40]))]
                .compactMap { name, image in
                    image.map { SizedPicture(name: "\(name) \(side)", image: $0.resized(to: small)) }
                }
        }
    }

    // MARK: Photos

    private static func photo(_ data: String) throws -> Image {
        let path = "\(data)/photos/p1200x800.jpg"
        guard Files.exists(path) else { return Pictures.invented().resized(to: PixelSize(width: 1200, height: 800)) }
        return bare(try Image.decode(Files.read(path)))
    }

    private static func photos(_ photo: Image) throws -> [SizedPicture] {
        let grey = photo.converted(to: .grey8)
        let clear = photo.converted(to: .rgba8)
        let small = photo.resized(to: PixelSize(width: 300, height: 200))
        // 6 × 6 × 6 colours, dithered.
        let few = made("few colours", photo.width, photo.height, .rgb8) { x, y in
            (0..<3).map { channel in
                let level = Int(photo.bytes[y * photo.bytesPerRow + 3 * x + channel])
                return UInt8((level * 5 + (x * 3 + y * 5) % 8 * 32 + 16) / 255 * 51)
            }
        }
        let levels = made("16 levels", photo.width, photo.height, .grey8) { x, y in
            [grey.bytes[y * grey.bytesPerRow + x] / 16 * 17]
        }
        return [
            SizedPicture(name: "colours", image: photo), SizedPicture(name: "grey", image: grey),
            SizedPicture(name: "colours and full alpha", image: clear), SizedPicture(name: "small", image: small),
            few, levels,
        ].compactMap { $0 }
    }

    /// Numbers without an order (xorshift), the same in each run.
    private struct Noise {
        private var state: UInt32 = 2_463_534_242

        mutating func next() -> UInt32 {
            state ^= state << 13
            state ^= state >> 17
            state ^= state << 5
            return state
        }
    }
}
