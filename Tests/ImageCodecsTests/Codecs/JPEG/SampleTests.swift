import ImageCodecs
import TestSupport
import Testing

/// Every sample there is, in pieces, as bytes arrive.
@Suite("Every sample in pieces", .enabled(if: SharedImages.areThere))
struct SampleTests {
    private typealias Outcome = Result<Image, DecodeError>

    /// Files whose last degraded image is not like the final one. A name that ends with an asterisk is the start of one.
    private static let unlike: [(reason: String, names: [String])] = [
        (
            "so coarsely quantised that most coefficients are one step: they come with the last bit, in the last scan",
            ["image__tests__images__jpg__progressive__test.jpg"]
        ),
        (
            "before Adam7's last pass every other row is the one above it repeated; these differ much from row to row",
            [
                "basi0g01.png", "basi0g08.png", "basi2c08.png", "image__interlaced__basi2c08.png", "basi3p08.png",
                "basi4a16.png", "bgai4a16.png", "basi6a08.png", "basi6a16.png", "mut_s32i3p04_noiend.png",
                "s0*", "s3*", "s40i3p04.png",
            ]
        ),
    ]

    /// Figures of a few pixels, of which a pass may well repeat a better one than it brings.
    private static let falling: Set<String> = ["s04i3p01.png", "s07i3p02.png"]

    @Test(
        "Chunks of any size give the same pixels as the whole file, and degraded images come ever nearer to them",
        arguments: ["photos", "mit-jpeg", "exif-orientation", "corpora-jpeg", "corpora-png", "pngsuite"])
    func pieces(folder: String) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for name in SharedImages.names(in: folder, extensions: ["jpg", "jpeg", "png"]) {
            let bytes = try SharedImages.bytes("\(folder)/\(name)")
            // A debug build takes its time over large degraded images, filters, and large files byte by byte.
            let isLarge = bytes.count >= 20_000
            let target = bytes.count > 1_000_000 ? PixelSize(width: 96, height: 96) : nil
            let options = DecodeOptions(as: Rendition(targetSize: target, filter: .nearest))
            let whole = Outcome { () throws(DecodeError) in try Image.decode(bytes, options: options) }
            var previews: [Image] = []
            let finest = push(bytes, options, upTo: isLarge ? bytes.count / 500 : 1, using: &generator) {
                previews.append($0)
            }
            let longest = Int.random(in: 2...max(2, bytes.count / 2), using: &generator)
            let random = push(bytes, options, upTo: longest, using: &generator)
            #expect(areSame(whole, finest), "\(name), seed \(seed)")
            #expect(areSame(whole, random), "\(name): pieces of up to \(longest), seed \(seed)")
            // A damaged picture may end further from the truth than its previews were.
            if case .success(let final) = finest, final.damage == nil { check(previews, final, name) }
        }
    }

    private func check(_ previews: [Image], _ final: Image, _ name: String) {
        #expect(previews.allSatisfy { $0.size == final.size && $0.format == final.format }, "\(name)")
        let likeness = previews.map { Pictures.psnr($0, final) }
        // A scan or a pass that brings the picture nearer may still move single samples away.
        let converges = zip(likeness, likeness.dropFirst()).allSatisfy { $0 <= $1 + 0.5 }
        #expect(converges || Self.falling.contains(name), "\(name): \(likeness)")
        let isExcused = Self.unlike.flatMap(\.names).contains { excused in
            excused.hasSuffix("*") ? name.hasPrefix(excused.dropLast()) : name == excused
        }
        if let last = likeness.last { #expect(last >= 30 || isExcused, "\(name): \(likeness)") }
    }

    /// Decodes pieces of random lengths, and its degraded images if somebody looks at them.
    private func push(
        _ bytes: [UInt8], _ options: DecodeOptions, upTo longest: Int, using generator: inout SeededGenerator,
        preview: ((Image) -> Void)? = nil
    ) -> Outcome {
        var options = options
        options.previews = preview != nil
        return Outcome { () throws(DecodeError) in
            let decoder = ContentDecoder(options: options)
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...longest, using: &generator))
                // A copy, released at once: a decoder that kept a pointer to it would be seen by the address sanitizer.
                try decoder.append(Array(piece))
                rest = rest.dropFirst(piece.count)
                if let degraded = try decoder.takePreview() { preview?(degraded.image) }
            }
            return try decoder.finish()
        }
    }

    /// The same picture, or the same kind of error: its place may be off by what the C library had read ahead.
    private func areSame(_ left: Outcome, _ right: Outcome) -> Bool {
        switch (left, right) {
        case (.success(let left), .success(let right)):
            left.iccProfile == right.iccProfile && Pictures.psnr(left, right) == .infinity
        case (.failure(let left), .failure(let right)): kind(left) == kind(right)
        default: false
        }
    }

    private func kind(_ error: DecodeError) -> String {
        String("\(error)".prefix { $0.isLetter })
    }
}
