/// Profiles with just enough of a header (ICC.1:2010, 7.2) for a codec to take them for what they say.
enum ICCProfiles {
    static func minimal(isGrey: Bool, count: Int = 400) -> [UInt8] {
        var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let length = UInt32(count)
        bytes.replaceSubrange(0..<132, with: [UInt8](repeating: 0, count: 132))
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
        bytes[8] = 2
        bytes.replaceSubrange(12..<16, with: "mntr".utf8)
        bytes.replaceSubrange(16..<20, with: isGrey ? "GRAY".utf8 : "RGB ".utf8)
        bytes.replaceSubrange(20..<24, with: "XYZ ".utf8)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        // The D50 illuminant, which libpng checks.
        bytes.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
        return bytes
    }
}
