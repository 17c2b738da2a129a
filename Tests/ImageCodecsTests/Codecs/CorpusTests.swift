import ImageCodecs
import TestSupport
import Testing

@Suite("Damaged files", .enabled(if: SharedImages.areThere))
struct CorpusTests {
    @Test("Every file of the corpora ends in an image or a typed error, at full size and reduced")
    func corpora() throws {
        var images = 0
        var refusals = 0
        for folder in ["corpora-jpeg", "corpora-png", "mit-jpeg"] {
            for name in SharedImages.names(in: folder, extensions: ["jpg", "jpeg", "png"]) {
                let bytes = try SharedImages.bytes("\(folder)/\(name)")
                // Full size is left to small pictures: a debug build is slow.
                let targets: [PixelSize?] =
                    bytes.count < 20_000
                    ? [nil, PixelSize(width: 50, height: 50)] : [PixelSize(width: 50, height: 50)]
                for target in targets {
                    do throws(DecodeError) {
                        let decoder = ContentDecoder(
                            options: DecodeOptions(as: Rendition(targetSize: target), previews: true))
                        try decoder.append(bytes)
                        _ = try decoder.takePreview()
                        let image = try decoder.finish()
                        if let target { #expect(image.width <= target.width && image.height <= target.height) }
                        images += 1
                    } catch {
                        refusals += 1
                    }
                }
            }
        }
        #expect(images > 0)
        #expect(refusals > 0)
    }

    @Test("Random damage to good files never does more than give an image or a typed error")
    func mutations() throws {
        var generator = SeededGenerator()
        let picture = try Pictures.gradient(64, 48)
        let originals = [
            try picture.encoded(as: .jpeg), try picture.encoded(as: .jpeg(quality: 70, progressive: true)),
            try picture.encoded(as: .png), try Pictures.gradient(64, 48, .rgba8).encoded(as: .png(level: 0)),
        ]
        for original in originals {
            for _ in 0..<150 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let at = Int.random(in: bytes.indices, using: &generator)
                    bytes[at] = UInt8.random(in: 0...255, using: &generator)
                }
                let options = DecodeOptions(as: .fit(PixelSize(width: 24, height: 24)), previews: true)
                _ = try? Image.decode(bytes, options: options)
            }
        }
    }
}
