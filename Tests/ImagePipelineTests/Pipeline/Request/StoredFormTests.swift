import ImageCodecs
import Testing

@testable import ImagePipeline

@Suite("Forms in which images are kept")
struct StoredFormTests {
    private func image(_ width: Int, _ height: Int, _ format: PixelFormat, _ byte: UInt8) throws -> Image {
        let bytes = [UInt8](repeating: byte, count: width * height * format.bytesPerPixel)
        return try #require(Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes))
    }

    @Test(
        "A JPEG has 8 bits, no transparency and at most 65500 pixels a side; whatever is more is a PNG",
        arguments: [
            (size: (4, 3), format: PixelFormat.rgb8, byte: UInt8(9), isJPEG: true), ((4, 3), .grey8, 0, true),
            ((4, 3), .rgba8, 255, true), ((4, 3), .rgba8, 254, false),
            ((65_500, 1), .grey8, 1, true), ((65_501, 1), .grey8, 1, false),
            ((1, 65_500), .grey8, 1, true), ((1, 65_501), .grey8, 1, false),
        ])
    func jpeg(size: (Int, Int), format: PixelFormat, byte: UInt8, isJPEG: Bool) throws {
        let image = try image(size.0, size.1, format, byte)
        let encoding = StoredForm.jpeg(quality: 77).encoding(of: image)
        #expect(encoding == (isJPEG ? .jpeg(quality: 77, subsampling: .yuv444) : .png))
        #expect(StoredForm.png(level: 3).encoding(of: image) == .png(level: 3))
        // What is chosen can be written.
        #expect(try !image.encoded(as: encoding).isEmpty)
    }

    @Test("One pixel that lets something through makes a picture a PNG, wherever it is")
    func onePixel() throws {
        let (size, format) = (PixelSize(width: 3, height: 3), PixelFormat.rgba8)
        for pixel in 0..<9 {
            var bytes = [UInt8](repeating: 255, count: 9 * format.bytesPerPixel)
            bytes[(pixel + 1) * format.bytesPerPixel - 1] = 254
            let image = try #require(Image(size: size, format: format, bytes: bytes))
            #expect(StoredForm.jpeg().encoding(of: image) == .png, "\(pixel)")
        }
    }
}
