import ImageCodecs
import TestSupport
import Testing

@Suite("Degraded images")
struct PreviewTests {
    private func decode(
        _ file: [UInt8], target: PixelSize?, chunk: Int
    ) throws -> (previews: [DegradedImage], final: Image) {
        let decoder = ContentDecoder(options: DecodeOptions(as: Rendition(targetSize: target), previews: true))
        var previews: [DegradedImage] = []
        for start in stride(from: 0, to: file.count, by: chunk) {
            try decoder.append(Array(file[start..<min(file.count, start + chunk)]))
            if let preview = try decoder.takePreview() { previews.append(preview) }
        }
        return (previews, try decoder.finish())
    }

    private func check(_ file: [UInt8], target: PixelSize?, chunk: Int, atLeast count: Int) throws {
        let (previews, final) = try decode(file, target: target, chunk: chunk)
        #expect(previews.count >= count)
        #expect(previews.count <= 8)
        var quality = 0.0
        var likeness = 0.0
        for preview in previews {
            #expect(preview.image.size == final.size)
            #expect(preview.image.format == final.format)
            #expect(preview.image.iccProfile == final.iccProfile)
            #expect(preview.quality > quality)
            quality = preview.quality
            let now = Pictures.psnr(preview.image, final)
            #expect(now > likeness - 0.5)
            likeness = now
        }
        #expect(quality <= 1)
        #expect(likeness >= 30)
        // Previews change nothing of the final image.
        #expect(try Image.decode(file, options: DecodeOptions(as: Rendition(targetSize: target))) == final)
    }

    @Test("A progressive JPEG's converge to the final image")
    func progressive() throws {
        let file = try Pictures.textured(160, 120).encoded(as: .jpeg(progressive: true))
        try check(file, target: nil, chunk: 64, atLeast: 3)
        try check(file, target: PixelSize(width: 40, height: 40), chunk: 64, atLeast: 2)
    }

    @Test("Scans that change nothing at the scale decoded give no new image")
    func invisibleScans() throws {
        let file = try Pictures.gradient(320, 320).encoded(as: .jpeg(progressive: true))
        // At 1/8 only the luma DC scans and the chroma's lowest frequencies show: of ten scans, four or fewer.
        let previews = try decode(file, target: PixelSize(width: 16, height: 16), chunk: 16).previews
        #expect((1...6).contains(previews.count))
    }

    @Test("Nothing is rendered unasked")
    func unasked() throws {
        let file = try Pictures.gradient(64, 64).encoded(as: .jpeg(progressive: true))
        let decoder = ContentDecoder()
        for byte in file {
            try decoder.append([byte])
            #expect(try decoder.takePreview() == nil)
        }
    }

    @Test("A photo's converge, and the first one comes early", .enabled(if: SharedImages.areThere))
    func photo() throws {
        let file = try SharedImages.bytes("mit-jpeg/image__tests__images__jpg__progressive__cat.jpg")
        try check(file, target: PixelSize(width: 100, height: 100), chunk: 1000, atLeast: 2)
    }

    @Test("Adam7 passes are degraded images", .enabled(if: SharedImages.areThere))
    func adam7() throws {
        let file = try SharedImages.bytes("pngsuite/basi2c08.png")
        let (previews, final) = try decode(file, target: nil, chunk: 4)
        #expect(previews.count >= 4)
        for preview in previews { #expect(preview.image.size == final.size) }
        for (earlier, later) in zip(previews, previews.dropFirst()) {
            #expect(earlier.quality < later.quality)
            #expect(Pictures.psnr(earlier.image, final) <= Pictures.psnr(later.image, final) + 0.5)
        }
    }
}
