import ImageCodecs
import TestSupport
import Testing

@Suite("ICC profiles")
struct ProfileTests {
    private let small = ICCProfiles.minimal(isGrey: false, count: 3_144)
    private let large = ICCProfiles.minimal(isGrey: false, count: 150_000)

    private func profile(_ image: Image, _ encoding: ImageEncoding, _ policy: ProfilePolicy?) throws -> [UInt8]? {
        let file = try policy.map { try image.encoded(as: encoding, profile: $0) } ?? image.encoded(as: encoding)
        return try Image.decode(file).iccProfile
    }

    @Test(
        "A thumbnail goes without a profile many times its size, unless that is wanted",
        arguments: [ImageEncoding.jpeg, .png])
    func thumbnail(encoding: ImageEncoding) throws {
        let thumbnail = try Pictures.textured(128, 96)
        #expect(try profile(thumbnail.withICCProfile(large), encoding, nil) == nil)
        #expect(try profile(thumbnail.withICCProfile(small), encoding, nil) == small)
        #expect(try profile(thumbnail.withICCProfile(large), encoding, .keep) == large)
        #expect(try profile(thumbnail.withICCProfile(large), encoding, .dropLargerThan(bytes: 150_000)) == large)
        #expect(try profile(thumbnail.withICCProfile(large), encoding, .dropLargerThan(bytes: 149_999)) == nil)
        #expect(try profile(thumbnail.withICCProfile(small), encoding, .drop) == nil)
        #expect(try thumbnail.withICCProfile(large).encoded(as: encoding) == thumbnail.encoded(as: encoding))
        // A sixteenth of 2.4 million samples.
        #expect(try profile(Pictures.gradient(1_000, 801).withICCProfile(large), encoding, nil) == large)
    }

    @Test(
        "A JPEG whose profile is beyond the limit is decoded without it, and its Exif data are read, wherever they stand"
    )
    func beyondLimit() throws {
        let picture = try Pictures.gradient(16, 16)
        let huge = ICCProfiles.minimal(isGrey: false, count: 4_800_000)
        let file = try picture.withICCProfile(huge).encoded(as: .jpeg, profile: .keep)
        let plain = try picture.encoded(as: .jpeg)
        for bytes in [file, JPEGFile.oriented(file, 6, isLittleEndian: true)] {
            let decoded = try Image.decode(bytes)
            #expect(decoded.iccProfile == nil)
            #expect(decoded.size == picture.size)
        }
        #expect(try Image.decode(file) == Image.decode(plain))
        #expect(try Image.decode(file, options: DecodeOptions(limits: .unlimited)).iccProfile == huge)

        // The profile fills the limit, and is given up for the orientation behind it.
        let exif = JPEGFile.oriented(JPEGFile.soi, 6, isLittleEndian: false).dropFirst(2)
        let profiled = try picture.withICCProfile(large).encoded(as: .jpeg, profile: .keep)
        var segments = JPEGFile.segments(profiled)
        let frame = try #require(segments.firstIndex { $0.marker == 0xDB })
        segments.insert(contentsOf: JPEGFile.segments(JPEGFile.soi + exif), at: frame)
        let turned = try Image.decode(
            JPEGFile.file(segments), options: DecodeOptions(limits: DecodeLimits(metadataBytes: 150_001)))
        #expect(turned.iccProfile == nil)
        #expect(turned.metadata.storedOrientation.rawValue == 6)
    }

    @Test("A PNG whose profile is beyond the limit, compressed or not, is decoded without it")
    func beyondLimitPNG() throws {
        let picture = try Pictures.gradient(16, 16)
        // What repeats is a fiftieth as long in the file.
        let repetitive = ICCProfiles.minimal(isGrey: false, count: 150_000)
        var random = SeededGenerator(seed: 7)
        let dense = repetitive.enumerated().map { $0 < 132 ? $1 : UInt8.random(in: 0...255, using: &random) }
        for (profile, isLongInFile) in [(repetitive, false), (dense, true)] {
            let file = try picture.withICCProfile(profile).encoded(as: .png, profile: .keep)
            let length = try #require(PNGFile.chunks(file).first { $0.type == "iCCP" }).payload.count
            #expect((length > 100_000) == isLongInFile)
            #expect(try Image.decode(file).iccProfile == profile)
            let decoded = try Image.decode(file, options: DecodeOptions(limits: DecodeLimits(metadataBytes: 100_000)))
            #expect(decoded == picture)
        }
    }
}
