import ImagePipeline
import Testing

@Suite("Encoding and decoding again")
struct RoundTripTests {
    @Test("A PNG gives back every sample and the profile", arguments: PixelFormat.allCases)
    func png(format: PixelFormat) throws {
        let image = try Pictures.gradient(37, 23, format).withICCProfile(ICCProfiles.minimal(isGrey: format.isGrey))
        let bytes = try image.encoded(as: .png)
        #expect(ImageFormat.detect(bytes) == .png)
        #expect(try Image.decode(bytes) == image)
    }

    @Test("A JPEG gives back nearly the picture, and the profile", arguments: [PixelFormat.grey8, .rgb8], [false, true])
    func jpeg(format: PixelFormat, isProgressive: Bool) throws {
        // More than one APP2 segment.
        let profile = ICCProfiles.minimal(isGrey: format.isGrey, count: 150_000)
        let image = try Pictures.gradient(61, 47, format).withICCProfile(profile)
        let bytes = try image.encoded(as: .jpeg(quality: 95, progressive: isProgressive, subsampling: .yuv444))
        #expect(ImageFormat.detect(bytes) == .jpeg)
        let decoded = try Image.decode(bytes)
        #expect(decoded.iccProfile == profile)
        #expect(decoded.size == image.size)
        #expect(Pictures.psnr(decoded, image) > 38)
    }

    @Test("A transparent picture is laid on white in a JPEG")
    func flattening() throws {
        let size = PixelSize(width: 16, height: 16)
        let bytes = [UInt8](repeating: 0, count: 16 * 16 * 4)
        let clear = try #require(Image(size: size, format: .rgba8, bytes: bytes))
        let decoded = try Image.decode(clear.encoded(as: .jpeg))
        #expect(decoded.pixel(x: 8, y: 8) == SIMD4(255, 255, 255, 255))
    }

    @Test("Rows with padding are encoded without it")
    func padding() throws {
        let plain = try Pictures.gradient(5, 4)
        var padded: [UInt8] = []
        for y in 0..<4 { padded += plain.bytes[(y * 15)..<(y * 15 + 15)] + [1, 2, 3] }
        let image = try #require(Image(size: plain.size, format: .rgb8, bytes: padded, bytesPerRow: 18))
        #expect(image == plain)
        #expect(try Image.decode(image.encoded(as: .png)) == plain)
        #expect(try image.encoded(as: .jpeg) == plain.encoded(as: .jpeg))
    }

    @Test("What no format can hold is refused")
    func tooLarge() throws {
        let size = PixelSize(width: 70_000, height: 1)
        let image = try #require(Image(size: size, format: .grey8, bytes: [UInt8](repeating: 7, count: 70_000)))
        #expect(throws: EncodeError.tooLarge(size, format: .jpeg)) { try image.encoded(as: .jpeg) }
        #expect(throws: DecodeError.self) { try Image.decode(image.encoded(as: .png)) }
        #expect(try Image.decode(image.encoded(as: .png), options: DecodeOptions(limits: .unlimited)) == image)
    }
}
