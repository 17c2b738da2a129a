import ImageCodecs
import TestSupport
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
        var options = DecodeOptions(as: Rendition(targetSize: target))
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
            ("profile over two segments", try picture.withICCProfile(profile).encoded(as: .jpeg, profile: .keep)),
            ("png", try picture.withICCProfile(profile).encoded(as: .png, profile: .keep)),
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

    @Test("A PNG whose data are damaged comes to the same byte by byte as in one piece, wherever the damage lies")
    func damaged() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for format in [PixelFormat.rgb8, .rgba8] {
            // IHDR, one IDAT, IEND.
            let file = try Pictures.gradient(40, 30, format).encoded(as: .png(level: 9))
            let data = Array(file[41..<file.count - 16])
            for _ in 0..<150 {
                // With its checksum right again: that would else end every decode.
                var body = data
                body[Int.random(in: 2..<body.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                let bytes = file[..<33] + PNGFile.chunk("IDAT", body) + file.suffix(12)
                let whole = Result { () throws(DecodeError) in try Image.decode(Array(bytes)) }
                let pushed = Result { () throws(DecodeError) in
                    try decode(Array(bytes), options: DecodeOptions(), lengths: 1...1, using: &generator)
                }
                #expect(outcome(whole) == outcome(pushed), "seed \(seed)")
            }
        }
    }

    @Test("A PNG's data are held to both checksums: their chunks', and their own, which damage done before finds")
    func checksums() throws {
        let file = try Pictures.gradient(40, 30, .rgb8).encoded(as: .png)
        var data = Array(file[41..<file.count - 16])
        data[data.count - 1] ^= 1
        let files = [file[..<41] + data + file.suffix(16), file[..<33] + PNGFile.chunk("IDAT", data) + file.suffix(12)]
        for file in files {
            #expect(throws: DecodeError.self) { try Image.decode(Array(file), options: .refusing) }
        }
    }

    /// An error's kind: its place may be off by what the C library had read ahead.
    private func outcome(_ result: Result<Image, DecodeError>) -> String {
        switch result {
        case .success(let image): "\(image), \(image.bytes.hashValue)"
        case .failure(let error): String("\(error)".prefix { $0.isLetter })
        }
    }
}
