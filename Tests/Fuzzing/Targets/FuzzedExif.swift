import ImageCodecs

/// Bytes from a fuzzer as the Exif data of a picture, in a JPEG and in a PNG: the picture decodes, whatever they are; both say the same;
/// and what they say can be, and comes back from files written with it. If they have a thumbnail, it is shown before.
enum FuzzedExif {
    private static let picture = Image(
        size: PixelSize(width: 16, height: 8), format: .grey8, bytes: (0..<128).map { UInt8(2 * $0) })
    private static let jpeg = (try? picture?.encoded(as: .jpeg)) ?? []
    private static let png = (try? picture?.encoded(as: .png)) ?? []

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let payload = Array("Exif".utf8) + [0, 0] + bytes.prefix(65_000)
        let length = payload.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + payload
        let facts = decode(jpeg[..<2] + segment + jpeg[2...])

        let body = Array("eXIf".utf8) + bytes.prefix(65_000)
        let chunk = bigEndian(UInt32(body.count - 4)) + body + bigEndian(checksum(body))
        check(decode(png[..<33] + chunk + png[33...]) == facts, "other facts in the PNG")

        validate(facts)
        if facts != ImageMetadata(storedOrientation: facts.storedOrientation) {
            for encoding in [ImageEncoding.jpeg, .png(level: 1)] { rewrite(facts, as: encoding) }
        }
    }

    private static func decode(_ file: ArraySlice<UInt8>) -> ImageMetadata {
        do throws(DecodeError) {
            let decoder = ContentDecoder(options: DecodeOptions(previews: true))
            // All but the end of the picture.
            try decoder.append(Array(file.dropLast(20)))
            let preview = try decoder.takePreview()
            try decoder.append(Array(file.suffix(20)))
            let image = try decoder.finish()
            check(preview.map { $0.image.size == image.size } ?? true, "a preview of another size")
            let isTurned = image.metadata.storedOrientation.isTransposing
            check(image.size == (isTurned ? picture?.size.transposed : picture?.size), "\(image.size)")
            return image.metadata
        } catch {
            fatalError("\(error)")
        }
    }

    private static func validate(_ facts: ImageMetadata) {
        if let date = facts.captureDate {
            let same = CaptureDate(
                year: date.year, month: date.month, day: date.day, hour: date.hour, minute: date.minute,
                second: date.second, nanosecond: date.nanosecond, offsetFromUTC: date.offsetFromUTC)
            check(same == date, "\(date)")
        }
        if let position = facts.position {
            let same = GeographicPosition(
                latitude: position.latitude, longitude: position.longitude, altitude: position.altitude)
            check(same == position, "\(position)")
        }
        if let density = facts.density {
            check(PixelDensity(horizontal: density.horizontal, vertical: density.vertical) == density, "\(density)")
        }
        check(facts.gamma == nil, "gamma")
    }

    private static func rewrite(_ facts: ImageMetadata, as encoding: ImageEncoding) {
        guard let image = picture?.withMetadata(facts) else { return }
        do {
            let read = try Image.decode(image.encoded(as: encoding, metadata: .all)).metadata
            check(read.storedOrientation == .up, "\(read.storedOrientation)")
            check(read.captureDate == facts.captureDate, "\(read) of \(facts)")
            check((read.position == nil) == (facts.position == nil), "\(read) of \(facts)")
            checkNear(read.position?.latitude, facts.position?.latitude)
            checkNear(read.position?.longitude, facts.position?.longitude)
            checkNear(read.position?.altitude, facts.position?.altitude, tolerance: 1e-4)
            check((read.density == nil) == (facts.density == nil), "\(read) of \(facts)")
            checkNear(read.density?.horizontal, facts.density?.horizontal)
            checkNear(read.density?.vertical, facts.density?.vertical)
            let standard = try Image.decode(image.encoded(as: encoding)).metadata
            check(standard.position == nil, "a position that nobody asked for")
        } catch {
            fatalError("\(error)")
        }
    }

    private static func checkNear(_ read: Double?, _ expected: Double?, tolerance: Double = 1e-8) {
        check(
            (read == nil) == (expected == nil), "one of \(String(describing: read)) and \(String(describing: expected))"
        )
        if let read, let expected {
            check(abs(read - expected) <= tolerance * max(1, abs(expected)), "\(read) of \(expected)")
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
