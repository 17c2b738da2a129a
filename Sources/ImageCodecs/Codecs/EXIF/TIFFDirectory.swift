/// The entries of one directory whose tags are known (TIFF 6.0, 2). The first of a tag counts.
///
/// One pass over what is there of the entries; values are read, and their offsets checked, when they are asked for. No directory leads to
/// another one by itself, so that a cycle is harmless.
struct TIFFDirectory {
    private struct Entry {
        let type: UInt16
        let count: UInt32
        /// Where the four bytes are that hold the values, or their offset.
        let field: Int
    }

    private let tiff: TIFFReader
    private var entries: [ExifTag: Entry] = [:]

    /// - Parameter offset: `nil` for no directory: nothing is found in it.
    init(_ tiff: TIFFReader, at offset: Int?) {
        self.tiff = tiff
        guard let offset, let count = tiff.uint16(at: offset) else { return }
        for index in 0..<Int(count) {
            let start = offset &+ 2 &+ index &* 12
            guard let number = tiff.uint16(at: start), let type = tiff.uint16(at: start &+ 2),
                let count = tiff.uint32(at: start &+ 4), tiff.uint32(at: start &+ 8) != nil
            else { return }
            guard let tag = ExifTag(rawValue: number), entries[tag] == nil else { continue }
            entries[tag] = Entry(type: type, count: count, field: start &+ 8)
        }
    }

    func has(_ tag: ExifTag) -> Bool { entries[tag] != nil }

    /// The field of an entry that has values of this type, and as many as this.
    private func field(_ tag: ExifTag, _ type: TIFFType, count: UInt32 = 1) -> Int? {
        guard let entry = entries[tag], entry.type == type.rawValue, entry.count == count else { return nil }
        return entry.field
    }

    func byte(_ tag: ExifTag) -> UInt8? { field(tag, .byte).flatMap(tiff.uint8) }

    func short(_ tag: ExifTag) -> UInt16? { field(tag, .short).flatMap(tiff.uint16) }

    /// Where another directory or a thumbnail stands, or how long that is.
    func offset(_ tag: ExifTag) -> Int? { field(tag, .long).flatMap(tiff.uint32).flatMap(Int.init(exactly:)) }

    /// Text up to its NUL, and no longer than `limit`.
    func text(_ tag: ExifTag, limit: Int) -> [UInt8]? {
        guard let entry = entries[tag], entry.type == TIFFType.ascii.rawValue,
            let start = entry.count <= 4 ? entry.field : tiff.uint32(at: entry.field).flatMap(Int.init(exactly:))
        else { return nil }
        var text: [UInt8] = []
        for index in 0..<min(limit, Int(clamping: entry.count)) {
            guard let byte = tiff.uint8(at: start &+ index) else { return nil }
            if byte == 0 { break }
            text.append(byte)
        }
        return text
    }

    /// Quotients; `nil` if there is another number of them, or one is none.
    func rationals(_ tag: ExifTag, count: Int) -> [Double]? {
        guard let start = field(tag, .rational, count: UInt32(count)).flatMap(tiff.uint32).flatMap(Int.init(exactly:))
        else { return nil }
        var quotients: [Double] = []
        for index in 0..<count {
            guard let numerator = tiff.uint32(at: start &+ 8 &* index),
                let denominator = tiff.uint32(at: start &+ 8 &* index &+ 4), denominator != 0
            else { return nil }
            quotients.append(Double(numerator) / Double(denominator))
        }
        return quotients
    }

    func rational(_ tag: ExifTag) -> Double? { rationals(tag, count: 1)?.first }
}
