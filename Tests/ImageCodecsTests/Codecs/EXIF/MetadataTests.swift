import ImageCodecs
import TestSupport
import Testing

@Suite("Facts beside the picture")
struct MetadataTests {
    @Test("A date is one that there is, and says itself by ISO 8601")
    func captureDates() throws {
        let date = try #require(
            CaptureDate(year: 987, month: 6, day: 5, hour: 4, minute: 3, second: 2, nanosecond: 10, offsetFromUTC: -61))
        #expect(date.description == "0987-06-05T04:03:02.00000001-01:01")
        #expect(CaptureDate(year: 2024, month: 2, day: 29)?.description == "2024-02-29T00:00:00")
        let noDates: [(Int, Int, Int)] = [
            (0, 1, 1), (10_000, 1, 1), (2023, 2, 29), (2100, 2, 29), (2023, 4, 31), (2023, 1, 32), (2023, 1, 0),
            (2023, 0, 1), (2023, 13, 1), (2023, .min, .max),
        ]
        for (year, month, day) in noDates { #expect(CaptureDate(year: year, month: month, day: day) == nil) }
        #expect(CaptureDate(year: 2023, month: 1, day: 1, hour: 24) == nil)
        #expect(CaptureDate(year: 2023, month: 1, day: 1, minute: 60) == nil)
        #expect(CaptureDate(year: 2023, month: 1, day: 1, second: -1) == nil)
        #expect(CaptureDate(year: 2023, month: 1, day: 1, nanosecond: 1_000_000_000) == nil)
        #expect(CaptureDate(year: 2023, month: 1, day: 1, offsetFromUTC: 1440) == nil)
    }

    @Test("A position is on earth, and a density one that somebody means")
    func plausible() {
        #expect(GeographicPosition(latitude: -90, longitude: 180, altitude: -400) != nil)
        #expect(GeographicPosition(latitude: 90.01, longitude: 0) == nil)
        #expect(GeographicPosition(latitude: 0, longitude: -180.01) == nil)
        #expect(GeographicPosition(latitude: .nan, longitude: 0) == nil)
        #expect(GeographicPosition(latitude: 0, longitude: 0, altitude: .infinity) == nil)
        for density in [0, -72, 0.5, 1e8, .nan, .infinity] {
            #expect(PixelDensity(horizontal: density, vertical: 72) == nil)
            #expect(PixelDensity(horizontal: 72, vertical: density) == nil)
        }
    }

    // MARK: Density

    private func jpeg(unit: UInt8, _ x: UInt16, _ y: UInt16, exif: TIFFFile? = nil) throws -> PixelDensity? {
        var segments = JPEGFile.segments(try Pictures.gradient(8, 8, .grey8).encoded(as: .jpeg))
        #expect(segments[0].marker == 0xE0)
        let numbers = [UInt8(x >> 8), UInt8(x & 255), UInt8(y >> 8), UInt8(y & 255)]
        segments[0].payload.replaceSubrange(7..<12, with: [unit] + numbers)
        if let exif {
            segments.insert(.init(marker: 0xE1, payload: Array("Exif".utf8) + [0, 0] + exif.bytes), at: 1)
        }
        return try Image.decode(JPEGFile.file(segments)).metadata.density
    }

    private func png(
        unit: UInt8, _ x: UInt32, _ y: UInt32, exif: TIFFFile? = nil, change: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> PixelDensity? {
        let density = PNGFile.chunk("pHYs", PNGFile.bigEndian(x) + PNGFile.bigEndian(y) + [unit])
        let facts = exif.map { PNGFile.chunk("eXIf", $0.bytes) } ?? []
        let file = try Pictures.gradient(8, 8, .grey8).encoded(as: .png)
        return try Image.decode(PNGFile.inserting(change(density) + facts, into: file)).metadata.density
    }

    private func exif(_ x: (UInt32, UInt32), _ y: (UInt32, UInt32), unit: UInt32? = nil, turned: UInt32 = 1) -> TIFFFile
    {
        TIFFFile(
            picture: [.short(0x0112, turned), .rational(0x011A, x.0, x.1), .rational(0x011B, y.0, y.1)]
                + (unit.map { [.short(0x0128, $0)] } ?? []))
    }

    @Test("A JPEG's density is its JFIF header's, per inch or centimetre, or else Exif's")
    func jpegDensity() throws {
        #expect(try jpeg(unit: 1, 300, 150) == PixelDensity(horizontal: 300, vertical: 150))
        #expect(try jpeg(unit: 2, 100, 50) == PixelDensity(horizontal: 254, vertical: 127))
        #expect(try jpeg(unit: 0, 4, 3) == nil)
        #expect(try jpeg(unit: 3, 72, 72) == nil)
        #expect(try jpeg(unit: 1, 0, 72) == nil)
        for unit: UInt8 in [0, 3] {
            #expect(
                try jpeg(unit: unit, 1, 1, exif: exif((72, 1), (96, 1))) == PixelDensity(horizontal: 72, vertical: 96))
        }
        #expect(try jpeg(unit: 1, 0, 0, exif: exif((72, 1), (72, 1))) == PixelDensity(horizontal: 72, vertical: 72))
        #expect(
            try jpeg(unit: 1, 300, 300, exif: exif((72, 1), (72, 1))) == PixelDensity(horizontal: 300, vertical: 300))
        // The same, but finer.
        #expect(
            try jpeg(unit: 1, 72, 300, exif: exif((719, 10), (3004, 10)))
                == PixelDensity(horizontal: 71.9, vertical: 300.4))
    }

    @Test("Exif's density is per inch or per centimetre; nothing, or what nobody means, is none")
    func exifDensity() throws {
        func density(_ file: TIFFFile) throws -> PixelDensity? { try TIFFFile.read(file.bytes, in: .jpeg).density }
        #expect(try density(exif((100, 1), (50, 1), unit: 3)) == PixelDensity(horizontal: 254, vertical: 127))
        #expect(try density(exif((100, 1), (50, 1), unit: 2)) == PixelDensity(horizontal: 100, vertical: 50))
        #expect(try density(exif((100, 1), (50, 1), unit: 1)) == nil)
        #expect(try density(exif((100, 1), (50, 1), unit: 4)) == nil)
        for number: (UInt32, UInt32) in [(0, 1), (1, 0), (0, 0), (1, 3), (.max, 1), (1, .max)] {
            #expect(try density(exif(number, (72, 1))) == nil)
            #expect(try density(exif((72, 1), number)) == nil)
        }
        #expect(try density(TIFFFile(picture: [.rational(0x011A, 72, 1)])) == nil)
    }

    @Test("A PNG's density is its pHYs chunk's per metre, or else Exif's; a damaged chunk is none")
    func pngDensity() throws {
        // The whole number per inch that is meant.
        for (stored, meant) in [(2835, 72), (3780, 96), (11811, 300), (39, 1)] as [(UInt32, Double)] {
            #expect(try png(unit: 1, stored, stored) == PixelDensity(horizontal: meant, vertical: meant))
        }
        #expect(try png(unit: 1, 5000, 10000) == PixelDensity(horizontal: 127, vertical: 254))
        #expect(try png(unit: 1, 2834, 2834)?.horizontal == 2834 * 0.0254)
        #expect(try png(unit: 0, 4, 3) == nil)
        #expect(try png(unit: 2, 2835, 2835) == nil)
        #expect(try png(unit: 1, 0, 2835) == nil)
        #expect(try png(unit: 1, 1, 1) == nil)
        #expect(try png(unit: 1, .max, .max) == nil)
        let seventyTwo = PixelDensity(horizontal: 72, vertical: 72)
        #expect(try png(unit: 0, 1, 1, exif: exif((72, 1), (72, 1))) == seventyTwo)
        #expect(try png(unit: 1, 2835, 2835, exif: exif((300, 1), (300, 1))) == seventyTwo)
        #expect(try png(unit: 1, 11811, 11811, exif: exif((299_994, 1000), (300, 1)))?.horizontal == 299.994)
        #expect(try png(unit: 1, 2835, 2835) { $0.dropLast() + [$0[$0.count - 1] ^ 1] } == nil)
        #expect(try png(unit: 1, 2835, 2835) { _ in PNGFile.chunk("pHYs", [0, 0, 11, 19, 0, 0, 11, 19]) } == nil)
        // The first one counts.
        #expect(try png(unit: 1, 2835, 2835) { $0 + PNGFile.chunk("pHYs", [0, 0, 1, 0, 0, 0, 1, 0, 1]) } == seventyTwo)
    }

    @Test("The density is that of the upright picture", arguments: Orientation.allCases)
    func turnedDensity(orientation: Orientation) throws {
        let (stored, turned) = (
            PixelDensity(horizontal: 300, vertical: 150), PixelDensity(horizontal: 150, vertical: 300)
        )
        let exif = exif((300, 1), (150, 1), turned: UInt32(orientation.rawValue))
        let expected = orientation.isTransposing ? turned : stored
        #expect(try TIFFFile.read(exif.bytes).density == expected)
        #expect(try jpeg(unit: 1, 300, 150, exif: exif) == expected)
        #expect(try png(unit: 1, 11811, 5906, exif: exif) == expected)
    }

    // MARK: Gamma

    @Test(
        "What a PNG's samples mean is said by its profile, or sRGB, or gamma, in this order; told to, they stay as they are"
    )
    func gamma() throws {
        let picture = try Pictures.gradient(8, 8)
        let plain = try picture.encoded(as: .png)
        let gamma = PNGFile.chunk("gAMA", PNGFile.bigEndian(50_000))
        func read(_ chunks: [UInt8], in file: [UInt8]) throws -> Double? {
            let stored = DecodeOptions(as: Rendition(appliesGamma: false))
            let image = try Image.decode(PNGFile.inserting(chunks, into: file), options: stored)
            #expect(image.bytes == picture.bytes)
            return image.metadata.gamma
        }
        #expect(try read([], in: plain) == nil)
        #expect(try read(gamma, in: plain) == 0.5)
        #expect(try read(gamma + PNGFile.chunk("sRGB", [0]), in: plain) == nil)
        #expect(try read(gamma + PNGFile.chunk("cICP", [1, 13, 0, 1]), in: plain) == nil)
        let profiled = try picture.withICCProfile(ICCProfiles.minimal(isGrey: false)).encoded(as: .png)
        #expect(try read(gamma, in: profiled) == nil)
        // Damaged, no number, or too late.
        var damaged = PNGFile.chunk("sRGB", [0])
        damaged[10] ^= 1
        #expect(try read(gamma + damaged, in: plain) == 0.5)
        for value: UInt32 in [0, 15, 625_000_001, .max] {
            #expect(try read(PNGFile.chunk("gAMA", PNGFile.bigEndian(value)), in: plain) == nil)
        }
        #expect(try Image.decode(plain.dropLast(12) + gamma + plain.suffix(12)).metadata.gamma == nil)
    }

    @Test("Gamma is written to a PNG and read again, but not beside a profile; to a JPEG it is applied")
    func writtenGamma() throws {
        let facts = ImageMetadata(gamma: 0.45455)
        let picture = try Pictures.gradient(8, 8).withMetadata(facts)
        #expect(try Image.decode(picture.encoded(as: .png, metadata: [])).metadata == facts)
        let light = picture.withMetadata(ImageMetadata(gamma: 1))
        let bright = try Image.decode(light.encoded(as: .png))
        #expect(bright.metadata.gamma == nil && bright != light)
        #expect(try light.encoded(as: .jpeg) == bright.encoded(as: .jpeg))
        let profiled = picture.withICCProfile(ICCProfiles.minimal(isGrey: false))
        #expect(try Image.decode(profiled.encoded(as: .png)).metadata.gamma == nil)
        #expect(try picture.encoded(as: .jpeg) == picture.withMetadata(ImageMetadata()).encoded(as: .jpeg))
        for nothing in [0, -1, .nan, .infinity, 1e9] {
            let picture = picture.withMetadata(ImageMetadata(gamma: nothing))
            #expect(try picture.encoded(as: .png) == picture.withMetadata(ImageMetadata()).encoded(as: .png))
        }
    }

    // MARK: On the way

    @Test("Facts survive whatever is done to the picture", arguments: PixelFormat.allCases)
    func survival(format: PixelFormat) throws {
        var facts = TIFFFile.facts
        facts.gamma = 0.5
        let picture = try Pictures.gradient(40, 30, format).withMetadata(facts)
        let (size, colour) = (PixelSize(width: 20, height: 20), Colour(red: 1, green: 2, blue: 3, alpha: 4))
        let steps: [AnyImageProcessor] = [
            .resize(in: size), .resize(in: size, mode: .fill, linearLight: true), .crop(size, gravity: .top),
            .crop(PixelRect(x: 1, y: 2, width: 3, height: 4)), .roundedCorners(radius: 5), .circle, .blur(sigma: 2),
            .tint(colour), .flatten(on: colour), .grayscale, .composition([.circle, .grayscale]),
        ]
        for step in steps { #expect(try step.process(picture).metadata == facts, "\(step.identifier)") }
        for target in PixelFormat.allCases { #expect(picture.converted(to: target).metadata == facts) }
        #expect(picture.withICCProfile([1]).metadata == facts)
        #expect(picture.resized(to: size).metadata == facts)
    }

    @Test("A decode gives the facts at every size, and with degraded images", arguments: [ImageFormat.jpeg, .png])
    func decoded(format: ImageFormat) throws {
        let file = try TIFFFile.file(TIFFFile.full().bytes, in: format)
        for side in [1, 3, 100] {
            let options = DecodeOptions(as: Rendition(targetSize: PixelSize(width: side, height: side), enlarges: true))
            #expect(try Image.decode(file, options: options).metadata == TIFFFile.facts)
        }
        let picture = try Pictures.gradient(32, 32).withMetadata(TIFFFile.facts)
        let decoder = JPEGDecoder(options: DecodeOptions(previews: true))
        var previews: [ImageMetadata] = []
        for byte in try picture.encoded(as: .jpeg(progressive: true), metadata: .all) {
            try decoder.append([byte])
            if let preview = try decoder.takePreview() { previews.append(preview.image.metadata) }
        }
        let final = try decoder.finish().metadata
        #expect(final.captureDate == TIFFFile.facts.captureDate)
        #expect(!previews.isEmpty && previews.allSatisfy { $0 == final })
    }
}
