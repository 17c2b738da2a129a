import ImageCodecs

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

    /// The same file with chunks put in behind its data, before IEND.
    static func appending(_ chunks: [UInt8], to file: [UInt8]) -> [UInt8] {
        file.dropLast(12) + chunks + file.suffix(12)
    }

    /// Type and payload of a file's chunks.
    static func chunks(_ file: [UInt8]) -> [(type: String, payload: ArraySlice<UInt8>)] {
        var chunks: [(String, ArraySlice<UInt8>)] = []
        var at = 8
        while at + 12 <= file.count {
            let count = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            chunks.append((String(decoding: file[at + 4..<at + 8], as: UTF8.self), file[at + 8..<at + 8 + count]))
            at += 12 + count
        }
        return chunks
    }

    /// Exif data that say nothing but how the picture is to be turned.
    static func exif(_ orientation: Orientation) -> [UInt8] {
        chunk("eXIf", TIFFFile(picture: [.short(0x0112, UInt32(orientation.rawValue))]).bytes)
    }

    /// An image in Adam7's passes (PNG 3rd edition, 8.2), not filtered and not compressed.
    static func interlaced(_ image: Image) -> [UInt8] {
        let starts = [(0, 0), (4, 0), (0, 4), (2, 0), (0, 2), (1, 0), (0, 1)]
        let steps = [(8, 8), (8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2)]
        let (pixelBytes, sampleBytes) = (image.format.bytesPerPixel, image.format.bitsPerSample / 8)
        var data: [UInt8] = []
        for (start, step) in zip(starts, steps) where start.0 < image.width {
            for y in stride(from: start.1, to: image.height, by: step.1) {
                data.append(0)
                for x in stride(from: start.0, to: image.width, by: step.0) {
                    let at = y * image.bytesPerRow + x * pixelBytes
                    for sample in stride(from: at, to: at + pixelBytes, by: sampleBytes) {
                        let bytes = image.bytes[sample..<sample + sampleBytes]
                        data += isLittleEndian ? bytes.reversed() : Array(bytes)
                    }
                }
            }
        }
        var sums: (UInt32, UInt32) = (1, 0)
        for byte in data {
            sums.0 = (sums.0 + UInt32(byte)) % 65_521
            sums.1 = (sums.1 + sums.0) % 65_521
        }
        var stream: [UInt8] = [0x78, 1]
        for start in stride(from: 0, to: data.count, by: 60_000) {
            let block = data[start..<min(data.count, start + 60_000)]
            let count = UInt16(block.count)
            stream.append(start + 60_000 >= data.count ? 1 : 0)
            for number in [count, ~count] { stream += [UInt8(number & 255), UInt8(number >> 8)] }
            stream += block
        }
        let type: UInt8 = (image.format.isGrey ? 0 : 2) | (image.format.hasAlpha ? 4 : 0)
        let header =
            bigEndian(UInt32(image.width)) + bigEndian(UInt32(image.height))
            + [UInt8(image.format.bitsPerSample), type, 0, 0, 1]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", stream + bigEndian(sums.1 << 16 | sums.0)) + chunk("IEND", [])
    }

    private static var isLittleEndian: Bool { UInt16(1).littleEndian == 1 }

    /// CRC-32 as PNG has it (PNG 3rd edition, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }
}
