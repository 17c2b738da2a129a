import ImagePipeline

/// Bytes from a fuzzer as the Exif data of a picture, in a JPEG and in a PNG: the picture decodes, whatever they are. If they have a
/// thumbnail, it is shown before.
enum FuzzedExif {
    private static let picture = Image(
        size: PixelSize(width: 16, height: 8), format: .grey8, bytes: (0..<128).map { UInt8(2 * $0) })
    private static let jpeg = (try? picture?.encoded(as: .jpeg)) ?? []
    private static let png = (try? picture?.encoded(as: .png)) ?? []

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let payload = Array("Exif".utf8) + [0, 0] + bytes.prefix(65_000)
        let length = payload.count + 2
        decode(jpeg[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload + jpeg[2...])

        let body = Array("eXIf".utf8) + bytes.prefix(65_000)
        decode(png[..<33] + bigEndian(UInt32(body.count - 4)) + body + bigEndian(checksum(body)) + png[33...])
    }

    private static func decode(_ file: ArraySlice<UInt8>) {
        do throws(DecodeError) {
            let decoder = ContentDecoder(options: DecodeOptions(previews: true))
            // All but the end of the picture.
            try decoder.append(Array(file.dropLast(20)))
            let preview = try decoder.takePreview()
            try decoder.append(Array(file.suffix(20)))
            let size = try decoder.finish().size
            check(preview.map { $0.image.size == size } ?? true, "a preview of another size")
            check(size == picture?.size || size == picture?.size.transposed, "\(size)")
        } catch {
            fatalError("\(error)")
        }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// CRC-32 as PNG has it (PNG 3rd edition, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
    }
}
