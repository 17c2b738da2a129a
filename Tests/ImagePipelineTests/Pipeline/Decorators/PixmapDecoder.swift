import ImageCodecs

// The article "Add a format" shows these lines.

/// Portable pixmaps (netpbm's `ppm`, binary): a format that the library does not know.
final class PixmapDecoder: FormatDecoder {
    static let format = ImageFormat(rawValue: "ppm")
    static let signatureLength = 3

    static func recognizes(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: "P6".utf8) && PixmapHeader.isSpace(prefix[2])
    }

    private let options: DecodeOptions
    private let watch: DecodeWatch
    private var header = PixmapHeader()
    private var rows: DecodedRows?
    /// As much of the next row as has come.
    private var row: [UInt8] = []
    private var byteOffset = 0

    init(options: DecodeOptions) {
        self.options = options
        watch = DecodeWatch(options: options)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        try watch.working { () throws(DecodeError) in
            var rest = bytes[...]
            while let byte = rest.first, rows == nil {
                rest = rest.dropFirst()
                byteOffset += 1
                guard let size = try header.take(byte, at: location) else { continue }
                rows = try DecodedRows(
                    size: size, format: .rgb8, heldBytes: 3 * size.width, options: options, watch: watch,
                    location: location)
            }
            guard let rows else { return }
            let rowBytes = 3 * header.width
            while !rest.isEmpty, !rows.isComplete {
                let part = rest.prefix(rowBytes - row.count)
                row += part
                rest = rest.dropFirst(part.count)
                byteOffset += part.count
                guard row.count == rowBytes else { return }
                try rows.append(row, at: location)
                row.removeAll(keepingCapacity: true)
            }
        }
    }

    func finish() throws(DecodeError) -> Image {
        guard let rows, rows.isComplete else { throw .truncated(at: location) }
        return rows.image()
    }

    var needsNoMoreBytes: Bool { rows?.isComplete ?? false }

    private var location: DecodeError.Location {
        DecodeError.Location(format: Self.format, byteOffset: byteOffset, row: rows?.count)
    }
}

/// "P6", width, height, the largest sample; white space between them and one byte of it behind, comments from # to the
/// line's end.
struct PixmapHeader {
    private var magic = 2
    private var numbers: [Int] = []
    private var number: Int?
    private var isComment = false

    var width: Int { numbers.first ?? 0 }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// - Returns: the picture's size, when this is the header's last byte.
    mutating func take(_ byte: UInt8, at location: DecodeError.Location) throws(DecodeError) -> PixelSize? {
        guard magic == 0 else {
            magic -= 1
            return nil
        }
        switch byte {
        case 0x0A, 0x0D:
            isComment = false
        case _ where isComment:
            return nil
        case UInt8(ascii: "#"):
            isComment = true
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            // More digits than any limit allows change nothing.
            number = min(10 * (number ?? 0) + Int(byte - UInt8(ascii: "0")), 1 << 40)
            return nil
        case _ where Self.isSpace(byte):
            break
        default:
            throw .corrupt("no number", at: location)
        }
        guard let number else { return nil }
        numbers.append(number)
        self.number = nil
        guard numbers.count == 3 else { return nil }
        guard numbers[2] == 255 else { throw .unsupported("samples up to \(numbers[2])", at: location) }
        return PixelSize(width: numbers[0], height: numbers[1])
    }
}
