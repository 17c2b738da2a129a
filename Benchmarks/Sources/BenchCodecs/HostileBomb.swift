import ImageCodecs

/// A small file that asks for much, or a large one that brings nothing. The tests have more of them.
struct HostileBomb {
    let name: String
    let bytes: [UInt8]

    static func all() throws -> [HostileBomb] {
        let size = PixelSize(width: 16, height: 16)
        let samples = (0..<size.width * size.height * 3).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        guard let picture = Image(size: size, format: .rgb8, bytes: samples) else { return [] }
        let png = try picture.encoded(as: .png)
        let jpeg = try picture.encoded(as: .jpeg)
        let progressive = try picture.encoded(as: .jpeg(progressive: true))

        var wide = png
        wide.replaceSubrange(16..<24, with: bigEndian(30_000) + bigEndian(30_000))
        wide.replaceSubrange(29..<33, with: bigEndian(checksum(wide[12..<29])))

        var vast = jpeg
        let frame = start(of: 0xC0, in: jpeg)
        vast.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])

        let first = start(of: 0xDA, in: progressive)
        let second = (first + 2..<progressive.count - 1).first { at in
            progressive[at] == 0xFF && progressive[at + 1] != 0
        }
        let scan = progressive[first..<(second ?? first)]
        let scans = progressive[..<first] + (0..<1_000).flatMap { _ in scan } + progressive[first...]

        let endless = [UInt8](repeating: 1, count: 64 << 20)
        func chunk(_ name: String) -> [UInt8] {
            png[..<33] + bigEndian(64 << 20) + Array(name.utf8) + endless
        }
        let segment = [0xFF, 0xE1, 0xFF, 0xFF] + Array("Exif\0\0".utf8) + [UInt8](repeating: 7, count: 65_527)
        return [
            HostileBomb(name: "PNG of 30,000 × 30,000", bytes: wide),
            HostileBomb(name: "JPEG of 65,500 × 65,500", bytes: vast),
            HostileBomb(name: "progressive JPEG with 1,000 scans", bytes: Array(scans)),
            HostileBomb(name: "PNG with an iCCP chunk of 64 MB", bytes: chunk("iCCP")),
            HostileBomb(name: "PNG with an eXIf chunk of 64 MB", bytes: chunk("eXIf")),
            HostileBomb(
                name: "JPEG with 64 MB of Exif", bytes: jpeg[..<2] + (0..<1_024).flatMap { _ in segment } + jpeg[2...]),
        ]
    }

    /// Where a JPEG's segment begins.
    private static func start(of marker: UInt8, in file: [UInt8]) -> Int {
        var at = 2
        while at + 4 < file.count, file[at + 1] != marker { at += 2 + (Int(file[at + 2]) << 8) + Int(file[at + 3]) }
        return at
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// CRC-32 as PNG has it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }
}
