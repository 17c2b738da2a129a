import ImageCodecs
import TestSupport

/// Small files that ask for much.
struct Bomb: Sendable {
    let name: String
    let bytes: [UInt8]
    /// The limit that refuses it; `nil` where it comes to an image, or to damaged data.
    let limit: DecodeLimits.Limit?

    static func all() throws -> [Bomb] {
        let picture = try Pictures.gradient(16, 16)
        let jpeg = try picture.encoded(as: .jpeg)
        let progressive = try picture.encoded(as: .jpeg(progressive: true))
        let png = try picture.encoded(as: .png(reduced: false))
        let zeros = try compressedZeros()

        var scans = JPEGFile.segments(progressive)
        if let first = scans.firstIndex(where: { $0.marker == 0xDA }) {
            scans.insert(contentsOf: Array(repeating: scans[first], count: 1_000), at: first)
        }
        let iccHeader = PNGFile.bigEndian(64 << 20) + Array("iCCP".utf8)
        let exifHeader = PNGFile.bigEndian(64 << 20) + Array("eXIf".utf8)
        let endless = [UInt8](repeating: 1, count: 64 << 20)
        return [
            Bomb(
                name: "PNG of 30,000 × 30,000",
                bytes: PNGFile.changed(png, width: 30_000, height: 30_000, isInterlaced: false), limit: .pixels),
            Bomb(
                name: "interlaced PNG of 16,000 × 16,000",
                bytes: PNGFile.changed(png, width: 16_000, height: 16_000, isInterlaced: true), limit: .workingBytes),
            Bomb(
                name: "JPEG of 65,500 × 65,500", bytes: JPEGFile.resized(jpeg, width: 65_500, height: 65_500),
                limit: .pixels),
            Bomb(
                name: "progressive JPEG of 16,000 × 16,000",
                // What nine pixels show of it fits; there is nothing to fill it with.
                bytes: JPEGFile.resized(progressive, width: 16_000, height: 16_000), limit: nil),
            Bomb(name: "progressive JPEG with 1,000 scans", bytes: JPEGFile.file(scans), limit: .scans),
            Bomb(
                name: "arithmetic JPEG of 35,584 × 18,696",
                bytes: arithmetic(jpeg, width: 35_584, height: 18_696), limit: .pixels),
            Bomb(
                name: "arithmetic JPEG of 16,000 × 16,000",
                bytes: arithmetic(jpeg, width: 16_000, height: 16_000), limit: nil),
            Bomb(
                name: "PNG with an iCCP chunk of 64 MB", bytes: PNGFile.inserting(iccHeader, into: png) + endless,
                limit: nil),
            Bomb(
                name: "PNG with an eXIf chunk of 64 MB", bytes: PNGFile.inserting(exifHeader, into: png) + endless,
                limit: .metadataBytes),
            Bomb(
                name: "PNG whose iCCP inflates to 64 MB",
                bytes: PNGFile.inserting(PNGFile.chunk("iCCP", Array("x".utf8) + [0, 0] + zeros), into: png),
                limit: nil),
            Bomb(
                name: "PNG whose zTXt inflates to 64 MB",
                bytes: PNGFile.inserting(PNGFile.chunk("zTXt", Array("x".utf8) + [0, 0] + zeros), into: png),
                limit: nil),
            Bomb(
                name: "JPEG with 64 MB of Exif", bytes: segments(jpeg, marker: 0xE1, "Exif\0\0"),
                limit: nil),
            Bomb(
                name: "JPEG with 64 MB of profile", bytes: segments(jpeg, marker: 0xE2, "ICC_PROFILE\0"),
                limit: nil),
            Bomb(name: "JPEG with 64 MB of comments", bytes: segments(jpeg, marker: 0xFE, "x"), limit: nil),
        ]
    }

    /// Data for nearly no pixel of an arithmetic-coded picture: the decoder reads zeros for ever.
    private static func arithmetic(_ file: [UInt8], width: UInt16, height: UInt16) -> [UInt8] {
        var segments = JPEGFile.segments(file)
        for index in segments.indices {
            if segments[index].marker == 0xC0 { segments[index].marker = 0xC9 }
            if segments[index].marker == 0xDA { segments[index].entropy = [0, 0, 0] }
        }
        segments.removeAll { $0.marker == 0xC4 }
        return JPEGFile.resized(JPEGFile.file(segments), width: width, height: height)
    }

    /// A file with 1,024 segments more, of 64 KB each.
    private static func segments(_ file: [UInt8], marker: UInt8, _ start: String) -> [UInt8] {
        let payload = Array(start.utf8) + [UInt8](repeating: 7, count: 65_500 - start.utf8.count)
        let segment = JPEGFile.Segment(marker: marker, payload: payload).bytes
        return file[..<2] + (0..<1_024).flatMap { _ in segment } + file[2...]
    }

    /// A zlib stream of 64 MB of zeros, out of a black picture's IDAT chunks.
    private static func compressedZeros() throws -> [UInt8] {
        let side = 8_192
        guard
            let black = Image(
                size: PixelSize(width: side, height: side), format: .grey8,
                bytes: [UInt8](repeating: 0, count: side * side))
        else { return [] }
        let file = try black.encoded(as: .png(level: 9))
        var zeros: [UInt8] = []
        var at = 8
        while at + 12 <= file.count {
            let length = file[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
            if file[(at + 4)..<(at + 8)].elementsEqual("IDAT".utf8) { zeros += file[(at + 8)..<(at + 8 + length)] }
            at += 12 + length
        }
        return zeros
    }
}
