/// PNG files that no encoder here writes, made from those that it does.
enum PNGFile {
    static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + payload
        return bigEndian(UInt32(payload.count)) + body + bigEndian(checksum(body))
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// The same file declaring another size or interlacing; IHDR is always the first chunk, 13 bytes long.
    static func changed(_ file: [UInt8], width: UInt32? = nil, height: UInt32? = nil, isInterlaced: Bool) -> [UInt8] {
        var header = Array(file[16..<29])
        if let width { header.replaceSubrange(0..<4, with: bigEndian(width)) }
        if let height { header.replaceSubrange(4..<8, with: bigEndian(height)) }
        header[12] = isInterlaced ? 1 : 0
        return file[..<8] + chunk("IHDR", header) + file[33...]
    }

    /// The same file with chunks put in behind IHDR.
    static func inserting(_ chunks: [UInt8], into file: [UInt8]) -> [UInt8] {
        file[..<33] + chunks + file[33...]
    }

    /// CRC-32 as PNG has it (PNG 3rd edition, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }
}
