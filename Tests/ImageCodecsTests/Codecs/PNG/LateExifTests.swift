import ImageCodecs
import TestSupport
import Testing

@Suite("Exif data behind a PNG's data")
struct LateExifTests {
    private static let sizes: [(box: PixelSize?, mode: ContentMode, enlarges: Bool)] = [
        (nil, .fit, false), (PixelSize(width: 20, height: 20), .fit, false),
        (PixelSize(width: 40, height: 15), .fit, false), (PixelSize(width: 14, height: 31), .exact, false),
        (PixelSize(width: 30, height: 12), .fill, false),
        (PixelSize(width: 25, height: 33), .fill(gravity: .topLeft), false),
        (PixelSize(width: 20, height: 20), .fill(gravity: .bottom), false),
        (PixelSize(width: 200, height: 90), .fit, true),
    ]

    private func pushed(_ file: [UInt8], _ options: DecodeOptions) throws(DecodeError) -> Image {
        let decoder = ContentDecoder(options: options)
        for byte in file where !decoder.needsNoMoreBytes { try decoder.append([byte]) }
        return try decoder.finish()
    }

    @Test(
        "They turn the picture as those before it do, at every size and in every piece",
        arguments: Orientation.allCases, [false, true])
    func turned(orientation: Orientation, isInterlaced: Bool) throws {
        let picture = try Pictures.gradient(31, 23, .rgba8)
        let file = isInterlaced ? PNGFile.interlaced(picture) : try picture.encoded(as: .png)
        let exif = PNGFile.exif(orientation)
        let (early, late) = (PNGFile.inserting(exif, into: file), PNGFile.appending(exif, to: file))
        for (box, mode, enlarges) in Self.sizes {
            let options = DecodeOptions(as: Rendition(targetSize: box, contentMode: mode, enlarges: enlarges))
            let expected = try Image.decode(early, options: options)
            #expect(expected.metadata.storedOrientation == orientation)
            for image in [try Image.decode(late, options: options), try pushed(late, options)] {
                let isEqual = image == expected
                #expect(isEqual, "\(mode) in \(String(describing: box))")
                #expect(image.metadata == expected.metadata)
            }
        }
    }

    @Test("All their facts count, and the chunk before the data counts before the one behind them")
    func facts() throws {
        let file = try Pictures.gradient(30, 20).encoded(as: .png)
        let full = PNGFile.chunk("eXIf", TIFFFile.full().bytes)
        #expect(try Image.decode(PNGFile.appending(full, to: file)).metadata == TIFFFile.facts)
        let twice = PNGFile.appending(full, to: PNGFile.inserting(PNGFile.exif(.left), into: file))
        #expect(try Image.decode(twice).metadata == ImageMetadata(storedOrientation: .left))
        var damaged = full
        damaged[20] ^= 1
        #expect(try Image.decode(PNGFile.appending(damaged, to: file)).metadata == ImageMetadata())
    }

    @Test("Only the file's end says that there are none; what is cut off before it stands as it is stored")
    func ends() throws {
        let picture = try Pictures.textured(60, 400)
        let file = try picture.encoded(as: .png)
        let late = PNGFile.appending(PNGFile.exif(.down), to: file)
        let options = DecodeOptions(
            as: Rendition(targetSize: PixelSize(width: 30, height: 30), contentMode: .fill(gravity: .centre)))
        let stored = try Image.decode(file, options: options)
        for count in [late.count - 13, late.count - 30, file.count * 3 / 4] {
            #expect(try Image.decode(Array(late.prefix(count)), options: options) == stored)
        }
        let decoder = ContentDecoder(options: options)
        // They have come whole, or the end has.
        for (index, byte) in late.enumerated() {
            #expect(decoder.needsNoMoreBytes == (index > late.count - 13), "\(index) of \(late.count)")
            try decoder.append([byte])
        }
        #expect(
            try decoder.finish() == Image.decode(PNGFile.inserting(PNGFile.exif(.down), into: file), options: options))
        // Those in front are the only ones.
        let early = ContentDecoder(options: options)
        try early.append(Array(PNGFile.inserting(PNGFile.exif(.up), into: file).prefix(file.count * 3 / 4)))
        #expect(early.needsNoMoreBytes)
    }

    @Test("No picture is refused for what might follow it, but one that is turned needs room for that")
    func limits() throws {
        let file = try Pictures.gradient(300, 200).encoded(as: .png)
        func decode(_ file: [UInt8], workingBytes: Int, _ box: PixelSize?) throws(DecodeError) -> Image {
            try Image.decode(
                file,
                options: DecodeOptions(as: Rendition(targetSize: box), limits: DecodeLimits(workingBytes: workingBytes))
            )
        }
        let late = PNGFile.appending(PNGFile.exif(.left), to: file)
        #expect(try decode(file, workingBytes: 10_000, nil).size == PixelSize(width: 300, height: 200))
        #expect(try decode(late, workingBytes: 200_000, nil).size == PixelSize(width: 200, height: 300))
        #expect(throws: DecodeError.self) { try decode(late, workingBytes: 10_000, nil) }
        let box = PixelSize(width: 150, height: 120)
        let least = try #require((1...200).first { (try? decode(file, workingBytes: $0 * 1_000, box)) != nil }) * 1_000
        #expect(throws: DecodeError.self) { try decode(late, workingBytes: least, box) }
        #expect(try decode(late, workingBytes: 10 * least, box).size == PixelSize(width: 80, height: 120))
    }

    @Test("Degraded images stand as the file has said so far; the final one stands upright")
    func previews() throws {
        var generator = SeededGenerator(seed: 4)
        let picture = try Pictures.noise(200, 400, .rgb8, using: &generator)
        let late = PNGFile.appending(PNGFile.exif(.right), to: try picture.encoded(as: .png))
        let decoder = ContentDecoder(options: DecodeOptions(previews: true))
        var sizes: Set<PixelSize> = []
        for start in stride(from: 0, to: late.count, by: 100) {
            try decoder.append(Array(late[start..<min(late.count, start + 100)]))
            if let preview = try decoder.takePreview() { sizes.insert(preview.image.size) }
        }
        #expect(sizes == [picture.size])
        #expect(try decoder.finish().size == picture.size.transposed)
    }

    private static let magick = VipsReference.installed("convert-im6.q16") ?? VipsReference.installed("magick")

    @Test(
        "A picture that ImageMagick has made of a photo stands as the photo does",
        .enabled(if: magick != nil && SharedImages.areThere))
    func imageMagick() throws {
        let directory = TemporaryDirectory()
        for orientation in Orientation.allCases {
            let photo =
                try #require(SharedImages.folder).path + "/exif-orientation/Landscape_\(orientation.rawValue).jpg"
            let paths = ["stored", "upright"].map { "\(directory.path)/\($0).png" }
            let program = try #require(Self.magick)
            _ = try ChildProcess(path: program, [photo, "-sample", "10%", paths[0]]).readOutput()
            // It does not look at a PNG's Exif data itself.
            _ = try ChildProcess(path: program, [photo, "-sample", "10%", "-auto-orient", paths[1]]).readOutput()
            let images = try paths.map { try Image.decode(try #require(SharedImages.read($0))) }
            #expect(images[0].metadata.storedOrientation == orientation)
            #expect(images[0].samples == images[1].samples && images[0].size == images[1].size)
        }
    }
}
