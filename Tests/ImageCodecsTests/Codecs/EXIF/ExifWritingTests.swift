import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Writing facts into files")
struct ExifWritingTests {
    private static let encodings: [ImageEncoding] = [.jpeg, .jpeg(progressive: true), .png, .png(reduced: false)]

    private func read(_ facts: ImageMetadata, as encoding: ImageEncoding, _ written: WrittenMetadata) throws
        -> ImageMetadata
    {
        let picture = try Pictures.gradient(7, 5).withMetadata(facts)
        let file = try picture.encoded(as: encoding, metadata: written)
        return try Image.decode(file, options: DecodeOptions(as: Rendition(appliesGamma: false))).metadata
    }

    @Test("All that a camera says comes back, of an upright picture", arguments: encodings)
    func all(encoding: ImageEncoding) throws {
        var expected = TIFFFile.facts
        expected.storedOrientation = .up
        #expect(try read(TIFFFile.facts, as: encoding, .all) == expected)
    }

    @Test("Only what is asked for is written, and where the picture was taken only if that is", arguments: encodings)
    func chosen(encoding: ImageEncoding) throws {
        for choice in 0..<8 {
            let written = WrittenMetadata(rawValue: choice)
            let facts = try read(TIFFFile.facts, as: encoding, written)
            #expect(facts.density == (written.contains(.density) ? TIFFFile.facts.density : nil))
            #expect(facts.captureDate == (written.contains(.captureDate) ? TIFFFile.facts.captureDate : nil))
            #expect((facts.position != nil) == written.contains(.position))
            #expect(facts.storedOrientation == .up)
        }
        let standard = try read(TIFFFile.facts, as: encoding, .standard)
        #expect(standard.captureDate != nil && standard.density != nil && standard.position == nil)
    }

    @Test("No trace of a source's position is in a file, unless it is asked for", arguments: encodings)
    func noPosition(encoding: ImageEncoding) throws {
        // The tag of what would say where its directory is.
        let pointer: [UInt8] = [0x88, 0x25]
        for format in [ImageFormat.jpeg, .png] {
            let source = try Image.decode(TIFFFile.file(TIFFFile.full().bytes, in: format))
            #expect(source.metadata.position != nil)
            let file = try source.encoded(as: encoding)
            #expect(try Image.decode(file).metadata.position == nil)
            #expect(!exif(file).isEmpty && !exif(file).contains(pointer))
            #expect(try exif(source.encoded(as: encoding, metadata: .all)).contains(pointer))
            let directory = TemporaryDirectory()
            let descriptor = open("\(directory.path)/file", O_RDWR | O_CREAT, 0o600)
            defer { close(descriptor) }
            try source.write(as: encoding, to: descriptor)
            #expect(SharedImages.read("\(directory.path)/file") == file)
        }
    }

    /// The Exif data of a file of either format.
    private func exif(_ file: [UInt8]) -> [UInt8] {
        if ImageFormat.detect(file) == .png {
            return PNGFile.chunks(file).first { $0.type == "eXIf" }.map { Array($0.payload) } ?? []
        }
        return JPEGFile.segments(file).first { $0.marker == 0xE1 }.map { Array($0.payload.dropFirst(6)) } ?? []
    }

    @Test("An image without facts is the same file as ever, and one whose header says them all has no Exif data")
    func little() throws {
        let picture = try Pictures.gradient(7, 5)
        let turned = picture.withMetadata(ImageMetadata(storedOrientation: .left))
        for encoding in Self.encodings {
            let plain = try picture.encoded(as: encoding)
            #expect(exif(plain).isEmpty)
            #expect(try turned.encoded(as: encoding, metadata: .all) == plain)
            let dense = picture.withMetadata(ImageMetadata(density: PixelDensity(horizontal: 72, vertical: 300)))
            #expect(exif(try dense.encoded(as: encoding)).isEmpty)
            #expect(try read(dense.metadata, as: encoding, .standard) == dense.metadata)
            #expect(try dense.encoded(as: encoding, metadata: []) == plain)
        }
        #expect(JPEGFile.segments(try picture.encoded(as: .jpeg))[0].payload[7...] == [0, 0, 1, 0, 1, 0, 0])
        #expect(PNGFile.chunks(try picture.encoded(as: .png)).map(\.type) == ["IHDR", "IDAT", "IEND"])
    }

    @Test("In a JPEG the facts stand behind JFIF's header and before the profile; in a PNG, before the data")
    func places() throws {
        let picture = try Pictures.gradient(7, 5).withICCProfile(ICCProfiles.minimal(isGrey: false))
            .withMetadata(TIFFFile.facts)
        let markers = JPEGFile.segments(try picture.encoded(as: .jpeg)).prefix(3).map(\.marker)
        #expect(markers == [0xE0, 0xE1, 0xE2])
        let types = PNGFile.chunks(try picture.encoded(as: .png)).map(\.type)
        let data = try #require(types.firstIndex(of: "IDAT"))
        for type in ["iCCP", "pHYs", "eXIf"] {
            #expect(types[..<data].contains(type))
            #expect(types.filter { $0 == type }.count == 1)
        }
    }

    @Test("Exif data are a TIFF structure: tags in order, offsets even, orientation 1")
    func structure() throws {
        let bytes = exif(try Pictures.gradient(7, 5).withMetadata(TIFFFile.facts).encoded(as: .jpeg, metadata: .all))
        func number(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
        #expect(bytes.starts(with: [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]))
        var (directories, tags) = ([8], [Int]())
        while let directory = directories.popLast() {
            let entries = (0..<number(directory, 2)).map { directory + 2 + 12 * $0 }
            let own = entries.map { number($0, 2) }
            #expect(own == own.sorted() && Set(own).count == own.count)
            tags += own
            for entry in entries {
                let size = number(entry + 4, 4) * ([0, 1, 1, 2, 4, 8, 0, 1][number(entry + 2, 2)])
                let (tag, value) = (number(entry, 2), number(entry + 8, 4))
                if size > 4 || tag == 0x8769 || tag == 0x8825 { #expect(value % 2 == 0 && value + size <= bytes.count) }
                if tag == 0x8769 || tag == 0x8825 { directories.append(value) }
                if tag == 0x0112 { #expect(number(entry + 8, 2) == 1) }
            }
            #expect(number(directory + 2 + 12 * entries.count, 4) == 0)
        }
        #expect(
            Set(tags) == [
                0x0112, 0x011A, 0x011B, 0x0128, 0x0213, 0x8769, 0x8825, 0x9000, 0x9003, 0x9011, 0x9101, 0x9291, 0xA000,
                0xA001, 0xA002, 0xA003, 0, 1, 2, 3, 4, 5, 6,
            ])
    }

    @Test("Any facts come back: dates to the nanosecond, densities as they are, positions to a tenth of a millimetre")
    func property() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for round in 0..<400 {
            let facts = Self.facts(using: &generator)
            let encoding = Self.encodings[round % Self.encodings.count]
            let first = try read(facts, as: encoding, .all)
            #expect(first.captureDate == facts.captureDate, "seed \(seed)")
            #expect(first.storedOrientation == .up, "seed \(seed)")
            if ImageFormat.png == encoding.format { #expect(first.gamma == facts.gamma, "seed \(seed)") }
            #expect(isNear(first.density?.horizontal, facts.density?.horizontal), "\(facts), seed \(seed)")
            #expect(isNear(first.density?.vertical, facts.density?.vertical), "\(facts), seed \(seed)")
            #expect(isNear(first.position?.latitude, facts.position?.latitude), "\(facts), seed \(seed)")
            #expect(isNear(first.position?.longitude, facts.position?.longitude), "\(facts), seed \(seed)")
            #expect(isNear(first.position?.altitude, facts.position?.altitude, 1e-4), "\(facts), seed \(seed)")
            // What comes of a file goes into the next one as it is.
            #expect(try read(first, as: encoding, .all) == first, "\(facts), seed \(seed)")
        }
    }

    private func isNear(_ left: Double?, _ right: Double?, _ tolerance: Double = 1e-9) -> Bool {
        guard let left, let right else { return left == right }
        return abs(left - right) <= tolerance * max(1, abs(right))
    }

    private static func facts(using generator: inout SeededGenerator) -> ImageMetadata {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func isThere() -> Bool { number(0...3) > 0 }
        var facts = ImageMetadata()
        facts.storedOrientation = Orientation.allCases.randomElement(using: &generator) ?? .up
        if isThere() {
            facts.captureDate = CaptureDate(
                year: number(1...9999), month: number(1...12), day: number(1...31), hour: number(0...23),
                minute: number(0...59), second: number(0...60),
                nanosecond: [0, 500_000_000, number(0...999_999_999)].randomElement(using: &generator) ?? 0,
                offsetFromUTC: isThere() ? number(-1439...1439) : nil)
        }
        if isThere() {
            facts.position = GeographicPosition(
                latitude: Double.random(in: -90...90, using: &generator),
                longitude: Double.random(in: -180...180, using: &generator),
                altitude: isThere() ? Double(number(-50_000...900_000)) / 64 : nil)
        }
        if isThere() {
            func density() -> Double {
                [
                    Double(number(1...1200)), Double(number(1...500)) * 2.54, Double(number(100...100_000)) / 7,
                    Double(number(1...10_000_000)),
                ].randomElement(using: &generator) ?? 72
            }
            facts.density = PixelDensity(horizontal: density(), vertical: density())
        }
        if isThere() { facts.gamma = Double(number(16...200_000)) / 100_000 }
        return facts
    }

    // MARK: Beside libvips

    private static let header = VipsReference.program.map { $0.replacing("vipsthumbnail", with: "vipsheader") }

    @Test(
        "libvips and libexif read what is written: upright, with its date, density and place",
        .enabled(if: header != nil),
        arguments: [ImageEncoding.jpeg, .png])
    func others(encoding: ImageEncoding) throws {
        let picture = try Pictures.gradient(30, 20).withMetadata(TIFFFile.facts)
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/file"
        try Data(picture.encoded(as: encoding, metadata: .all)).write(to: URL(fileURLWithPath: path))
        let text = try ChildProcess(path: try #require(Self.header), ["-a", path]).readOutput()
        let expected = [
            "exif-ifd0-Orientation: 1 ", "exif-ifd0-XResolution: 150/1 ", "exif-ifd0-YResolution: 3001/10 ",
            "exif-ifd0-ResolutionUnit: 2 (Inch", "exif-ifd2-DateTimeOriginal: 2012:02:29 22:07:18 ",
            "exif-ifd2-OffsetTimeOriginal: -09:30 ", "exif-ifd2-SubSecTimeOriginal: 125 ",
            "exif-ifd3-GPSLatitudeRef: S ", "exif-ifd3-GPSLatitude: 33/1 51/1 24340000/1000000 ",
            "exif-ifd3-GPSLongitudeRef: E ", "exif-ifd3-GPSLongitude: 151/1 12/1 36000000/1000000 ",
            "exif-ifd3-GPSAltitude: 25/2 ", "xres: 5.90", "yres: 11.8",
        ]
        for line in expected { #expect(text.contains(line), "\(line)") }
        try Data(picture.encoded(as: encoding)).write(to: URL(fileURLWithPath: path))
        #expect(!(try ChildProcess(path: try #require(Self.header), ["-a", path]).readOutput()).contains("GPS"))
    }
}
