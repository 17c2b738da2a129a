import Files
import ImageCodecs
import TestSupport
import Testing

@Suite("Encoding and decoding again")
struct RoundTripTests {
    @Test("A PNG gives back every sample and the profile", arguments: PixelFormat.allCases)
    func png(format: PixelFormat) throws {
        let image = try Pictures.gradient(37, 23, format).withICCProfile(ICCProfiles.minimal(isGrey: format.isGrey))
        let bytes = try image.encoded(as: .png)
        #expect(ImageFormat.detect(bytes) == .png)
        #expect(try Image.decode(bytes, options: DecodeOptions(as: Rendition(keepsDepth: true))) == image)
    }

    @Test("A profile that libpng finds fault with does not keep a PNG from being written")
    func oddProfiles() throws {
        func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            var profile = ICCProfiles.minimal(isGrey: false)
            profile.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            return profile
        }
        let profiles = [
            "declares another length": changed(0, [0, 0, 1, 0]),
            "a tag table beyond the end": changed(128, [0, 0, 200, 0]),
            "no known intent": changed(64, [1, 0, 0, 0]), "a device link": changed(12, Array("link".utf8)),
            "an unknown connection space": changed(20, Array("Luv ".utf8)), "another illuminant": changed(68, [1]),
            "nothing but a header": Array(changed(0, [0, 0, 0, 128]).prefix(128)), "empty": [],
        ]
        let picture = try Pictures.gradient(5, 4)
        for (name, profile) in profiles {
            let bytes = try #require(try? picture.withICCProfile(profile).encoded(as: .png), "\(name)")
            #expect(try Image.decode(bytes).withICCProfile(nil) == picture, "\(name)")
        }
    }

    @Test(
        "A JPEG gives back nearly the picture, and the profile", arguments: [PixelFormat.grey8, .rgb8], [false, true])
    func jpeg(format: PixelFormat, isProgressive: Bool) throws {
        // More than one APP2 segment.
        let profile = ICCProfiles.minimal(isGrey: format.isGrey, count: 150_000)
        let image = try Pictures.gradient(61, 47, format).withICCProfile(profile)
        let encoding = ImageEncoding.jpeg(quality: 95, progressive: isProgressive, subsampling: .yuv444)
        let bytes = try image.encoded(as: encoding, profile: .keep)
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

    @Test("A JPEG's tables make no difference to its picture; its own are smaller, and what small ones have")
    func tables() throws {
        let small = try Pictures.textured(512, 512)
        let large = try Pictures.textured(513, 512)
        for picture in [small, large] {
            let standard = try picture.encoded(as: .jpeg(tables: .standard))
            let optimized = try picture.encoded(as: .jpeg(tables: .optimized))
            #expect(optimized.count < standard.count)
            #expect(try Image.decode(optimized) == Image.decode(standard))
            #expect(try picture.encoded(as: .jpeg) == (picture == small ? optimized : standard))
            let progressive = try picture.encoded(as: .jpeg(progressive: true, tables: .standard))
            #expect(try progressive == picture.encoded(as: .jpeg(progressive: true, tables: .optimized)))
        }
    }

    @Test("Levels and subsampling do what they say")
    func settings() throws {
        let picture = try Pictures.textured(120, 90)
        let sizes = try [0, 1, 9].map { try picture.encoded(as: .png(level: $0)).count }
        #expect(sizes[0] > sizes[1] && sizes[0] > sizes[2])
        let sampled = try [ImageEncoding.ChromaSubsampling.yuv420, .yuv422, .yuv444].map { subsampling in
            let file = try picture.encoded(as: .jpeg(subsampling: subsampling))
            let frame = try #require(JPEGFile.segments(file).first { $0.marker == 0xC0 })
            #expect(frame.payload[10] == 0x11 && frame.payload[13] == 0x11)
            return frame.payload[7]
        }
        #expect(sampled == [0x22, 0x21, 0x11])
        let progressive = try picture.encoded(as: .jpeg(progressive: true))
        #expect(JPEGFile.segments(progressive).contains { $0.marker == 0xC2 })
        #expect(JPEGFile.segments(progressive).filter { $0.marker == 0xDA }.count > 4)
    }

    @Test(
        "To a file descriptor go the same bytes as into memory",
        arguments: [ImageEncoding.jpeg, .jpeg(quality: 100, progressive: true), .png(level: 0), .png])
    func descriptor(encoding: ImageEncoding) throws {
        // More than one piece of the buffer.
        let picture = try Pictures.textured(300, 250)
        let directory = TemporaryDirectory()
        let descriptor = open("\(directory.path)/file", O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        try picture.write(as: encoding, to: descriptor)
        let expected = try picture.encoded(as: encoding)
        var written = [UInt8](repeating: 0, count: expected.count + 1)
        #expect(pread(descriptor, &written, written.count, 0) == expected.count)
        #expect(written.dropLast() == expected[...])
    }

    @Test("A descriptor that takes no more is an error that says why", arguments: [ImageEncoding.jpeg, .png(level: 0)])
    func full(encoding: ImageEncoding) throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for picture in [try Pictures.textured(300, 250), try Pictures.gradient(8, 8)] {
            #expect(throws: EncodeError.notWritten(code: ENOSPC)) { try picture.write(as: encoding, to: descriptor) }
        }
        #expect(throws: EncodeError.notWritten(code: EBADF)) {
            try Pictures.gradient(8, 8).write(as: encoding, to: -1)
        }
    }

    @Test("What no format can hold is refused")
    func tooLarge() throws {
        let size = PixelSize(width: 70_000, height: 1)
        let image = try #require(Image(size: size, format: .grey8, bytes: [UInt8](repeating: 7, count: 70_000)))
        #expect(throws: EncodeError.tooLarge(size, format: .jpeg)) { try image.encoded(as: .jpeg) }
        #expect(throws: DecodeError.self) { try Image.decode(image.encoded(as: .png)) }
        let decoded = try Image.decode(image.encoded(as: .png), options: DecodeOptions(limits: .unlimited))
        #expect(decoded.converted(to: .grey8) == image)
    }
}
