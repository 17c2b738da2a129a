import ImageCodecs
import TestSupport
import Testing

@Suite("Colour spaces")
struct ColourTests {
    private func flat(_ value: UInt8) throws -> Image {
        try #require(
            Image(
                size: PixelSize(width: 24, height: 16), format: .grey8, bytes: [UInt8](repeating: value, count: 384)))
    }

    private func isNear(_ pixel: SIMD4<UInt8>?, _ red: Int, _ green: Int, _ blue: Int) -> Bool {
        guard let pixel else { return false }
        return abs(Int(pixel.x) - red) <= 2 && abs(Int(pixel.y) - green) <= 2 && abs(Int(pixel.z) - blue) <= 2
    }

    @Test("CMYK: 255 is no ink, with an Adobe marker and without")
    func cmyk() throws {
        let inks = try [flat(255), flat(128), flat(0), flat(200)]
        let adobe = try Image.decode(JPEGFile.composed(of: inks, transform: 0))
        #expect(adobe.format == .rgb8)
        #expect(isNear(adobe.pixel(x: 3, y: 3), 200, 100, 0))
        #expect(try Image.decode(JPEGFile.composed(of: inks, transform: nil)) == adobe)
    }

    @Test(
        "CMYK files of Pillow's, and the same without their marker, have Pillow's colours",
        .enabled(if: PillowReference.python != nil))
    func pillow() throws {
        for (file, picture) in try PillowReference.cmyk() {
            let image = try Image.decode(file)
            #expect(image.bytes.count == picture.count)
            #expect(zip(image.bytes, picture).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        }
    }

    @Test("YCCK is turned into CMYK first")
    func ycck() throws {
        // Neutral chroma: C, M and Y are 255 minus luma, inverted as Adobe stores them.
        let file = try JPEGFile.composed(of: [flat(155), flat(128), flat(128), flat(255)], transform: 2)
        let pixel = try Image.decode(file).pixel(x: 5, y: 5)
        #expect(isNear(pixel, 100, 100, 100))
    }

    @Test("RGB components with Adobe's transform 0 are not taken for YCbCr")
    func rgb() throws {
        let file = try JPEGFile.composed(of: [flat(250), flat(20), flat(90)], transform: 0)
        #expect(isNear(try Image.decode(file).pixel(x: 5, y: 5), 250, 20, 90))
    }

    @Test("Components in scans of their own give degraded images, and a missing one is an error")
    func separateScans() throws {
        let file = try JPEGFile.composed(of: [flat(250), flat(20), flat(90)], transform: 0)
        var segments = JPEGFile.segments(file)
        let last = try #require(segments.lastIndex { $0.marker == 0xDA })
        segments.remove(at: last)
        #expect(throws: DecodeError.self) { try Image.decode(JPEGFile.file(segments), options: .refusing) }

        let decoder = JPEGDecoder(options: DecodeOptions(previews: true))
        var count = 0
        for byte in file {
            try decoder.append([byte])
            if try decoder.takePreview() != nil { count += 1 }
        }
        #expect(count == 2)
        #expect(isNear(try decoder.finish().pixel(x: 5, y: 5), 250, 20, 90))
    }

    @Test("A profile for other samples than the picture's does not travel with it")
    func profile() throws {
        let picture = try Pictures.gradient(16, 16).withICCProfile(ICCProfiles.minimal(isGrey: true))
        #expect(try Image.decode(picture.encoded(as: .jpeg)).iccProfile == nil)
    }

    @Test("Conversions keep what they can")
    func conversions() throws {
        let picture = try Pictures.gradient(9, 7, .rgba8)
        #expect(picture.converted(to: .rgba8) == picture)
        let grey = try Pictures.gradient(9, 7, .grey8)
        #expect(grey.converted(to: .rgba8).converted(to: .grey8) == grey)
        let half = try #require(
            Image(size: PixelSize(width: 1, height: 1), format: .rgba8, bytes: [200, 100, 0, 128]))
        #expect(half.converted(to: .rgb8, background: (0, 0, 0)).bytes == [100, 50, 0])
    }
}
