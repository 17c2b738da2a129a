import ImageCodecs

/// A baseline JPEG in bands of 16 rows with a restart marker between them, so that a band can be exchanged for another one without
/// a look at the rest (T.81 E.1.4: what follows a marker is decoded by itself).
struct BandedJPEG: Sendable {
    private static let bandHeight = 16

    private let size: NumberedPhotos.Size
    /// Tables, frame header, restart interval and scan header.
    private let head: [UInt8]
    /// Entropy-coded data, of the rows from the top.
    private let bands: [[UInt8]]

    /// Encodes a landscape, each band as a picture of its own.
    init(_ generator: PhotoGenerator, _ size: NumberedPhotos.Size) throws(EncodeError) {
        self.size = size
        var (head, bands): ([UInt8], [[UInt8]]) = ([], [])
        guard let image = generator.image(size.pixels) else { throw .tooLarge(size.pixels, format: .jpeg) }
        let bytes = 3 * size.pixels.width * Self.bandHeight
        for start in stride(from: 0, to: image.bytes.count, by: bytes) {
            let parts = try Self.encode(Array(image.bytes[start..<start + bytes]), size)
            head = parts.head
            bands.append(parts.data)
        }
        (self.head, self.bands) = (head, bands)
    }

    /// The file with a strip in place of its upper bands.
    ///
    /// - Parameter exif: a TIFF structure; empty for none.
    func file(_ strip: IdentityStrip, exif: [UInt8] = []) throws(EncodeError) -> [UInt8] {
        let row = (0..<size.pixels.width).flatMap { x in
            let level = strip.level(x: x, width: size.pixels.width)
            return [level, level, level]
        }
        let pixels = [[UInt8]](repeating: row, count: Self.bandHeight).flatMap { $0 }
        let band = try Self.encode(pixels, size).data
        let stripBands = bands.count / IdentityStrip.heightShare
        var file: [UInt8] = [0xFF, 0xD8]
        file.reserveCapacity(bands.reduce(exif.count + head.count + 32) { $0 + $1.count + 2 })
        if !exif.isEmpty { file += [0xFF, 0xE1] + big(exif.count + 8, 2) + Array("Exif\0\0".utf8) + exif }
        file += head
        for index in bands.indices {
            file += index < stripBands ? band : bands[index]
            file += [0xFF, index == bands.count - 1 ? 0xD9 : 0xD0 + UInt8(index % 8)]
        }
        return file
    }

    /// Encodes one band, and takes the file apart: what comes before the data, for a whole picture, and the data.
    private static func encode(
        _ pixels: [UInt8], _ size: NumberedPhotos.Size
    ) throws(EncodeError) -> (head: [UInt8], data: [UInt8]) {
        let band = PixelSize(width: size.pixels.width, height: bandHeight)
        guard let image = Image(size: band, format: .rgb8, bytes: pixels) else {
            throw .tooLarge(size.pixels, format: .jpeg)
        }
        // The standard's tables, which are the same for every band.
        let file = try image.encoded(as: .jpeg(quality: size.quality, tables: .standard))
        var head: [UInt8] = []
        var offset = 2
        while offset + 4 <= file.count {
            let marker = file[offset + 1]
            let end = offset + 2 + (Int(file[offset + 2]) << 8 | Int(file[offset + 3]))
            guard end <= file.count else { break }
            var segment = Array(file[offset..<end])
            switch marker {
            // SOF0: the height of all bands.
            case 0xC0: segment.replaceSubrange(5..<7, with: big(size.pixels.height, 2))
            // SOS: one interval is one band of blocks of 16 by 16.
            case 0xDA:
                head += [0xFF, 0xDD, 0, 4] + big(size.pixels.width / 16, 2) + segment
                return (head, Array(file[end..<file.count - 2]))
            default: break
            }
            // The encoder's own application segments say nothing here.
            if !(0xE0...0xEF).contains(marker) { head += segment }
            offset = end
        }
        throw .failed("no scan", format: .jpeg)
    }
}
