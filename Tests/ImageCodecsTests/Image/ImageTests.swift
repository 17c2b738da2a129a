import ImageCodecs
import TestSupport
import Testing

@Suite("Image")
struct ImageTests {
    @Test("A buffer that is too short, or a size that is none, makes no image")
    func validation() {
        let size = PixelSize(width: 2, height: 2)
        #expect(Image(size: size, format: .rgb8, bytes: [UInt8](repeating: 0, count: 11)) == nil)
        #expect(Image(size: size, format: .rgb8, bytes: [UInt8](repeating: 0, count: 12)) != nil)
        #expect(Image(size: size, format: .rgb8, bytes: [UInt8](repeating: 0, count: 13), bytesPerRow: 5) == nil)
        // The last row may end with its last pixel.
        #expect(Image(size: size, format: .rgb8, bytes: [UInt8](repeating: 0, count: 14), bytesPerRow: 8) != nil)
        #expect(Image(size: PixelSize(width: 0, height: 4), format: .grey8, bytes: []) == nil)
        #expect(Image(size: PixelSize(width: .max, height: .max), format: .rgba8, bytes: [1]) == nil)
    }

    @Test("Pixels are read as red, green, blue, alpha, and none outside", arguments: PixelFormat.allCases)
    func pixels(format: PixelFormat) throws {
        let samples: [UInt8] = (0..<format.channels).map { UInt8(10 + $0) }
        let bytes = format.isDeep ? Pictures.native(samples.map { UInt16($0) * 257 }) : samples
        let image = try #require(Image(size: PixelSize(width: 1, height: 1), format: format, bytes: bytes))
        let expected: SIMD4<UInt8> =
            switch format {
            case .grey8, .grey16: [10, 10, 10, 255]
            case .greyAlpha8, .greyAlpha16: [10, 10, 10, 11]
            case .rgb8, .rgb16: [10, 11, 12, 255]
            case .rgba8, .rgba16: [10, 11, 12, 13]
            }
        #expect(image.pixel(x: 0, y: 0) == expected)
        #expect(image.deepPixel(x: 0, y: 0) == SIMD4<UInt16>(truncatingIfNeeded: expected) &* 257)
        #expect(image.pixel(x: 1, y: 0) == nil)
        #expect(image.pixel(x: 0, y: -1) == nil)
        #expect(image.byteCount == format.bytesPerPixel)
        #expect(image.withUnsafeBytes { $0.count } == format.bytesPerPixel)
    }

    @Test("The format is told from the first bytes only")
    func detection() {
        #expect(ImageFormat.detect([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(ImageFormat.detect([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
        #expect(ImageFormat.detect([0x89, 0x50, 0x4E, 0x47]) == nil)
        #expect(ImageFormat.detect("GIF89a".utf8) == nil)
        #expect(ImageFormat.detect([]) == nil)
    }
}
