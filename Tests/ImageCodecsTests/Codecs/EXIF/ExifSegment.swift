import ImageCodecs
import TestSupport

/// An Exif segment with a thumbnail, made by hand: what it says of it need not be so.
struct ExifSegment {
    var thumbnail: [UInt8]
    var isLittleEndian = false
    var orientation = Orientation.up
    var compression = 6
    /// Where the thumbnail is said to lie, and how long it is said to be.
    var start: Int?
    var count: Int?
    /// Where IFD1 is said to lie, and what it links to.
    var directory: Int?
    var next = 0

    private static let thumbnailDirectory = 8 + 2 + 12 + 4
    private static let firstByte = thumbnailDirectory + 2 + 3 * 12 + 4

    private func number(_ value: Int, bytes count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    private func entry(_ tag: Int, short value: Int) -> [UInt8] {
        number(tag, bytes: 2) + number(3, bytes: 2) + number(1, bytes: 4) + number(value, bytes: 2) + [0, 0]
    }

    private func entry(_ tag: Int, long value: Int) -> [UInt8] {
        number(tag, bytes: 2) + number(4, bytes: 2) + number(1, bytes: 4) + number(value, bytes: 4)
    }

    /// The TIFF structure.
    var tiff: [UInt8] {
        var bytes: [UInt8] = isLittleEndian ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
        bytes += number(8, bytes: 4)
        bytes += number(1, bytes: 2) + entry(0x0112, short: orientation.rawValue)
        bytes += number(directory ?? Self.thumbnailDirectory, bytes: 4)
        bytes += number(3, bytes: 2) + entry(0x0103, short: compression)
        bytes += entry(0x0201, long: start ?? Self.firstByte)
        bytes += entry(0x0202, long: count ?? thumbnail.count)
        return bytes + number(next, bytes: 4) + thumbnail
    }

    /// A JPEG with this segment before all others.
    func inserted(into file: [UInt8]) -> [UInt8] {
        let segment = JPEGFile.Segment(marker: 0xE1, payload: Array("Exif".utf8) + [0, 0] + tiff)
        return JPEGFile.soi + segment.bytes + file.dropFirst(2)
    }
}
