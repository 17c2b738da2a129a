import ImageCodecs

/// JPEG files that no encoder here writes, made from those that it does.
enum JPEGFile {
    struct Segment {
        var marker: UInt8
        var payload: [UInt8]
        /// What follows an SOS up to the next marker.
        var entropy: [UInt8] = []

        var bytes: [UInt8] {
            let length = payload.count + 2
            return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + entropy
        }
    }

    static let soi: [UInt8] = [0xFF, 0xD8]
    static let eoi: [UInt8] = [0xFF, 0xD9]

    /// All segments between SOI and EOI.
    static func segments(_ file: [UInt8]) -> [Segment] {
        var segments: [Segment] = []
        var at = 2
        while at + 4 <= file.count, file[at] == 0xFF, file[at + 1] != 0xD9 {
            let length = Int(file[at + 2]) << 8 | Int(file[at + 3])
            var segment = Segment(marker: file[at + 1], payload: Array(file[(at + 4)..<(at + 2 + length)]))
            at += 2 + length
            if segment.marker == 0xDA {
                let start = at
                while at + 1 < file.count, file[at] != 0xFF || !isMarker(file[at + 1]) { at += 1 }
                segment.entropy = Array(file[start..<at])
            }
            segments.append(segment)
        }
        return segments
    }

    /// Whether this byte behind 0xFF ends entropy-coded data: a stuffed zero and restart markers do not.
    private static func isMarker(_ byte: UInt8) -> Bool { byte != 0 && !(0xD0...0xD7).contains(byte) }

    static func file(_ segments: [Segment]) -> [UInt8] {
        soi + segments.flatMap(\.bytes) + eoi
    }

    /// The same file with an APP1 Exif segment that says how it is turned, in either byte order.
    static func oriented(_ file: [UInt8], _ value: UInt8, isLittleEndian: Bool, thumbnailValue: UInt8 = 1) -> [UInt8] {
        func short(_ value: UInt8) -> [UInt8] { isLittleEndian ? [value, 0] : [0, value] }
        func long(_ value: UInt8) -> [UInt8] { isLittleEndian ? [value, 0, 0, 0] : [0, 0, 0, value] }
        func directory(_ value: UInt8, next: UInt8) -> [UInt8] {
            let tag: [UInt8] = isLittleEndian ? [0x12, 0x01] : [0x01, 0x12]
            return short(1) + tag + short(3) + long(1) + short(value) + [0, 0] + long(next)
        }
        let head: [UInt8] = isLittleEndian ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
        let tiff = head + long(8) + directory(value, next: 26) + directory(thumbnailValue, next: 0)
        let exif = Segment(marker: 0xE1, payload: Array("Exif".utf8) + [0, 0] + tiff)
        return soi + exif.bytes + file.dropFirst(2)
    }

    /// One scan per component: grey pictures of one size become the components of a colour file.
    /// - Parameter transform: of the Adobe marker (0: none, 2: YCCK); no marker if `nil`.
    static func composed(of components: [Image], transform: UInt8?) throws -> [UInt8] {
        let files = try components.map { segments(try $0.encoded(as: .jpeg(quality: 100))) }
        var result = files[0].filter { $0.marker == 0xDB }
        if let transform {
            result.insert(Segment(marker: 0xEE, payload: Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform]), at: 0)
        }
        for segment in files[0] where segment.marker == 0xC0 {
            var frame = Array(segment.payload.prefix(5)) + [UInt8(components.count)]
            for index in components.indices { frame += [UInt8(index + 1), 0x11, 0] }
            result.append(Segment(marker: 0xC0, payload: frame))
        }
        for (index, segments) in files.enumerated() {
            result += segments.filter { $0.marker == 0xC4 }
            for segment in segments where segment.marker == 0xDA {
                result.append(
                    Segment(marker: 0xDA, payload: [1, UInt8(index + 1), 0, 0, 63, 0], entropy: segment.entropy))
            }
        }
        return file(result)
    }

    /// The same file declaring another size.
    static func resized(_ file: [UInt8], width: UInt16, height: UInt16) -> [UInt8] {
        JPEGFile.file(
            segments(file).map { segment in
                guard [0xC0, 0xC1, 0xC2, 0xC9].contains(segment.marker) else { return segment }
                var changed = segment
                changed.payload.replaceSubrange(
                    1..<5, with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
                return changed
            })
    }
}
