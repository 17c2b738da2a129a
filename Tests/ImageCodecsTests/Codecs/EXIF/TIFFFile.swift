import ImageCodecs
import TestSupport

/// Exif data as cameras write them, and as nobody should, in either byte order.
struct TIFFFile {
    struct Entry {
        var tag: UInt16
        var type: UInt16
        /// Bytes, characters, or numbers; two of them for a fraction.
        var values: [UInt32]
        /// Instead of those that belong to the values.
        var count: UInt32?
        var offset: UInt32?

        static func byte(_ tag: UInt16, _ values: UInt32...) -> Entry { Entry(tag: tag, type: 1, values: values) }
        static func text(_ tag: UInt16, _ text: String) -> Entry {
            Entry(tag: tag, type: 2, values: text.utf8.map(UInt32.init) + [0])
        }
        static func short(_ tag: UInt16, _ values: UInt32...) -> Entry { Entry(tag: tag, type: 3, values: values) }
        static func long(_ tag: UInt16, _ values: UInt32...) -> Entry { Entry(tag: tag, type: 4, values: values) }
        static func rational(_ tag: UInt16, _ values: UInt32...) -> Entry { Entry(tag: tag, type: 5, values: values) }
    }

    var isLittleEndian = false
    var picture: [Entry] = []
    var exif: [Entry] = []
    var gps: [Entry] = []

    /// Every fact that is read.
    static func full(isLittleEndian: Bool = false) -> TIFFFile {
        TIFFFile(
            isLittleEndian: isLittleEndian,
            picture: [
                .text(0x010F, "Maker of cameras"), .short(0x0112, 6), .rational(0x011A, 3001, 10),
                .rational(0x011B, 150, 1), .short(0x0128, 2), .text(0x0132, "2020:03:04 05:06:07"),
            ],
            exif: [
                .text(0x9003, "2012:02:29 22:07:18"), .text(0x9004, "2013:01:02 03:04:05"), .text(0x9010, "+01:00"),
                .text(0x9011, "-09:30"), .text(0x9012, "+00:00"), .text(0x9290, "7"), .text(0x9291, "125"),
                .text(0x9292, "00000009"),
            ],
            gps: [
                .byte(0, 2, 3, 0, 0), .text(1, "S"), .rational(2, 33, 1, 51, 1, 2434, 100), .text(3, "E"),
                .rational(4, 151, 1, 12, 1, 36, 1), .byte(5, 1), .rational(6, 25, 2),
            ])
    }

    /// What ``full(isLittleEndian:)`` says; its picture is turned, and its densities with it.
    static let facts = ImageMetadata(
        storedOrientation: .right,
        captureDate: CaptureDate(
            year: 2012, month: 2, day: 29, hour: 22, minute: 7, second: 18, nanosecond: 125_000_000, offsetFromUTC: -570
        ),
        position: GeographicPosition(
            latitude: -(33 + 51 / 60.0 + 24.34 / 3600), longitude: 151 + 12 / 60.0 + 36 / 3600.0, altitude: -12.5),
        density: PixelDensity(horizontal: 150, vertical: 300.1))

    var bytes: [UInt8] {
        let head: [UInt8] = isLittleEndian ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
        func withPointers(_ exif: UInt32, _ gps: UInt32) -> [Entry] {
            picture
                + [.long(0x8769, exif), .long(0x8825, gps)].filter { entry in
                    !picture.contains { $0.tag == entry.tag }
                }
        }
        let exifOffset = 8 + directory(withPointers(0, 0), at: 8).count
        let gpsOffset = exifOffset + directory(exif, at: 0).count
        return head + number(8, 4) + directory(withPointers(UInt32(exifOffset), UInt32(gpsOffset)), at: 8)
            + directory(exif, at: exifOffset) + directory(gps, at: gpsOffset)
    }

    private func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var table = number(UInt32(entries.count), 2)
        var values: [UInt8] = []
        for entry in entries {
            let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 4][entry.type] ?? 1
            var data = entry.values.flatMap { number($0, size) }
            let count = UInt32(entry.values.count / (entry.type == 5 ? 2 : 1))
            if data.count > 4 {
                let offset = start + 2 + 12 * entries.count + 4 + values.count
                values += data
                data = number(UInt32(offset), 4)
            }
            if let offset = entry.offset { data = number(offset, 4) }
            table += number(UInt32(entry.tag), 2) + number(UInt32(entry.type), 2) + number(entry.count ?? count, 4)
            table += data + [UInt8](repeating: 0, count: 4 - data.count)
        }
        return table + [0, 0, 0, 0] + values
    }

    private func number(_ value: UInt32, _ size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    /// What is read of Exif data, in a file of either format.
    static func read(_ bytes: [UInt8], in format: ImageFormat = .png) throws -> ImageMetadata {
        try Image.decode(file(bytes, in: format)).metadata
    }

    static func file(_ bytes: [UInt8], in format: ImageFormat) throws -> [UInt8] {
        let picture = try Pictures.gradient(6, 4, .grey8)
        guard format == .jpeg else {
            return try PNGFile.inserting(PNGFile.chunk("eXIf", bytes), into: picture.encoded(as: .png))
        }
        let segment = JPEGFile.Segment(marker: 0xE1, payload: Array("Exif".utf8) + [0, 0] + bytes)
        return try JPEGFile.soi + segment.bytes + picture.encoded(as: .jpeg).dropFirst(2)
    }
}
