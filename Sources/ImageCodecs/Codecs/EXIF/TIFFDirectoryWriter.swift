/// One directory of a big-endian TIFF structure, with what does not fit its entries behind it (TIFF 6.0, 2).
struct TIFFDirectoryWriter {
    private var entries: [(tag: ExifTag, type: TIFFType, count: Int, values: [UInt8])] = []

    mutating func add(_ tag: ExifTag, bytes: [UInt8], as type: TIFFType = .byte) {
        entries.append((tag, type, bytes.count, bytes))
    }

    mutating func add(_ tag: ExifTag, short: UInt16) {
        entries.append((tag, .short, 1, Self.bigEndian(short)))
    }

    /// The offset of another directory.
    mutating func add(_ tag: ExifTag, offset: Int) {
        entries.append((tag, .long, 1, Self.bigEndian(UInt32(truncatingIfNeeded: offset))))
    }

    /// Text with its NUL.
    mutating func add(_ tag: ExifTag, text: String) {
        add(tag, bytes: Array(text.utf8) + [0], as: .ascii)
    }

    mutating func add(_ tag: ExifTag, _ rationals: [Rational]) {
        let values = rationals.flatMap { Self.bigEndian($0.numerator) + Self.bigEndian($0.denominator) }
        entries.append((tag, .rational, rationals.count, values))
    }

    /// All of it, to stand at this offset of the structure. Its length does not depend on that.
    func bytes(at offset: Int) -> [UInt8] {
        var table = Self.bigEndian(UInt16(truncatingIfNeeded: entries.count))
        var values: [UInt8] = []
        let tableEnd = offset + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.tag.rawValue < $1.tag.rawValue }) {
            table += Self.bigEndian(entry.tag.rawValue) + Self.bigEndian(entry.type.rawValue)
            table += Self.bigEndian(UInt32(truncatingIfNeeded: entry.count))
            if entry.values.count <= 4 {
                table += entry.values + [UInt8](repeating: 0, count: 4 - entry.values.count)
            } else {
                table += Self.bigEndian(UInt32(truncatingIfNeeded: tableEnd + values.count))
                values += entry.values
                // Offsets are even.
                if values.count % 2 == 1 { values.append(0) }
            }
        }
        // No directory follows.
        return table + [0, 0, 0, 0] + values
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
