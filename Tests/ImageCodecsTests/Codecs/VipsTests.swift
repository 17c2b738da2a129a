import Files
import ImageCodecs
import JPEGReference
import TestSupport
import Testing

@Suite("Beside libvips", .enabled(if: SharedImages.areThere && VipsReference.program != nil))
struct VipsTests {
    @Test(
        "A file that libvips decodes gives the same upright picture here, or is refused for a reason that is known",
        arguments: ["corpora-jpeg", "corpora-png", "exif-orientation", "mit-jpeg"])
    func same(folder: String) throws {
        let names = SharedImages.names(in: folder, extensions: ["jpg", "jpeg", "png"])
        // Libvips would write gigabytes of black for these.
        let references = try VipsReference.images(of: names.filter { !$0.hasSuffix("_huge.png") }, in: folder)
        #expect(references.count >= 18)
        var (equal, refused) = (0, 0)
        for name in names {
            let bytes = try SharedImages.bytes("\(folder)/\(name)")
            let reference = references[name]
            do throws(DecodeError) {
                // libvips has no eye for gamma.
                let rendition = Rendition(appliesGamma: false, damage: .refuse)
                let image = try Image.decode(bytes, options: DecodeOptions(as: rendition))
                guard let reference else {
                    Issue.record("\(name): libvips refuses what comes to \(image) here")
                    continue
                }
                #expect(image.size == reference.size, "\(name)")
                #expect(image.format == reference.format, "\(name)")
                // Most are equal. Of 16 bits libvips rounds to 8 where libpng takes the upper ones.
                let likeness = Pictures.psnr(image, reference)
                #expect(likeness >= 40, "\(name)")
                if likeness == .infinity { equal += 1 }
            } catch {
                guard reference != nil || name.hasSuffix("_huge.png") else { continue }
                refused += 1
                let entry = Refusals.entry(name)
                #expect(entry?.kind == kind(error), "\(name): \(error)")
            }
        }
        print(
            "\(folder): of \(names.count) files libvips decodes \(references.count); \(equal) equal, \(refused) refused"
        )
    }

    private func kind(_ error: DecodeError) -> Refusals.Kind? {
        switch error {
        case .truncated: .truncated
        case .corrupt: .corrupt
        case .limitExceeded: .beyondLimits
        default: nil
        }
    }

    @Test("A JPEG that is excused is refused, and libjpeg as it is says that pixels are lost")
    func excuses() throws {
        for entry in Refusals.all {
            for name in entry.names where name.hasSuffix(".jpg") {
                let bytes = try SharedImages.bytes("corpora-jpeg/\(name)")
                #expect(throws: DecodeError.self, "\(name)") { try Image.decode(bytes, options: .refusing) }
                let plain = jpeg_reference_decode(bytes, bytes.count, 8)
                defer { free(plain.pixels) }
                #expect((plain.pixels == nil || plain.has_lost_pixels != 0) == entry.isWarnedOf, "\(name)")
            }
        }
    }
}
