import ImagePipeline
import Testing

@Suite("Bytes in chunks of any size")
struct ChunkingTests {
    /// Decodes with chunk lengths drawn from `lengths`.
    private func decode(
        _ bytes: [UInt8], options: DecodeOptions, lengths: ClosedRange<Int>, using generator: inout SeededGenerator
    ) throws(DecodeError) -> Image {
        let decoder = ContentDecoder(options: options)
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: lengths, using: &generator))
            // A copy, released at once: a decoder that kept a pointer to it would be seen by the address sanitizer.
            try decoder.append(Array(chunk))
            rest = rest.dropFirst(chunk.count)
            if options.previews { _ = try decoder.takePreview() }
        }
        return try decoder.finish()
    }

    private func check(_ bytes: [UInt8], _ name: String, target: PixelSize?) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        var options = DecodeOptions(targetSize: target)
        let whole = try Image.decode(bytes, options: options)
        options.previews = true
        var ranges = [1...7, 1...300, 1...5000]
        if bytes.count < 20_000 { ranges.append(1...1) }
        for lengths in ranges {
            let pushed = try decode(bytes, options: options, lengths: lengths, using: &generator)
            let isEqual = pushed == whole
            #expect(isEqual, "\(name), chunks of \(lengths), seed \(seed)")
        }
    }

    @Test("Every format decodes to the same pixels as in one piece")
    func generated() throws {
        let profile = ICCProfiles.minimal(isGrey: false, count: 70_000)
        let picture = try Pictures.gradient(90, 70)
        let files: [(String, [UInt8])] = [
            ("baseline", try picture.encoded(as: .jpeg)),
            ("progressive", try picture.encoded(as: .jpeg(quality: 80, progressive: true))),
            ("profile over two segments", try picture.withICCProfile(profile).encoded(as: .jpeg)),
            ("png", try picture.withICCProfile(profile).encoded(as: .png)),
            ("png with alpha", try Pictures.gradient(90, 70, .rgba8).encoded(as: .png)),
        ]
        for (name, bytes) in files {
            try check(bytes, name, target: nil)
            try check(bytes, name, target: PixelSize(width: 20, height: 20))
        }
    }

    @Test("So do photos that are reduced", .enabled(if: SharedImages.areThere))
    func shared() throws {
        let target = PixelSize(width: 64, height: 64)
        for name in ["photos/p640x480.jpg", "mit-jpeg/image__tests__images__jpg__progressive__cat.jpg"] {
            try check(SharedImages.bytes(name), name, target: target)
        }
    }
}
