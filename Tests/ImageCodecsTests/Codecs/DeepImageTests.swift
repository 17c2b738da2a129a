import ImageCodecs
import TestSupport
import Testing

@Suite("Images of 16 bits")
struct DeepImageTests {
    private static let deep = DecodeOptions(as: Rendition(keepsDepth: true))

    @Test("A PNG's samples come as they were written, in pieces too, and by default their upper bytes")
    func samples() throws {
        let values: [UInt16] = [0x0000, 0x00FF, 0x0100, 0x7FFF, 0x8000, 0xFEFF, 0xFF00, 0xFFFF]
        let size = PixelSize(width: 4, height: 2)
        let image = try #require(Image(size: size, format: .grey16, bytes: Pictures.native(values)))
        let file = try image.encoded(as: .png)
        #expect(try Image.decode(file, options: Self.deep).samples == values.map { Int($0) })
        #expect(try Image.decode(file).format == .grey8)
        #expect(try Image.decode(file).samples == values.map { Int($0 >> 8) })
        let decoder = ContentDecoder(options: Self.deep)
        for byte in file { try decoder.append([byte]) }
        #expect(try decoder.finish() == image)
    }

    @Test("A file of 8 bits or fewer stays one of 8, and a JPEG too")
    func shallow() throws {
        let picture = try Pictures.gradient(9, 7)
        for encoding in [ImageEncoding.png, .png(reduced: false), .jpeg] {
            #expect(try Image.decode(picture.encoded(as: encoding), options: Self.deep).format == .rgb8)
        }
    }

    @Test("A JPEG of them has the nearest 8 bits")
    func jpeg() throws {
        let picture = try Pictures.gradient(40, 30, .rgba16)
        #expect(try picture.encoded(as: .jpeg) == picture.converted(to: .rgb8).encoded(as: .jpeg))
    }

    @Test("Conversion there and back changes nothing, and 16 bits become the nearest 8")
    func conversion() throws {
        let all = try #require(
            Image(
                size: PixelSize(width: 256, height: 256), format: .grey16, bytes: Pictures.native(Array(0...UInt16.max))
            ))
        let expected = (0...65_535).map { Int((Double($0) / 257).rounded()) }
        #expect(all.converted(to: .grey8).samples == expected)
        for format in PixelFormat.allCases where !format.isDeep {
            let picture = try Pictures.gradient(31, 17, format)
            #expect(picture.converted(to: format.deep(true)).converted(to: format) == picture)
            #expect(picture.converted(to: format.deep(true)).samples == picture.samples.map { $0 * 257 })
        }
        let clear = try #require(
            Image(
                size: PixelSize(width: 2, height: 1), format: .greyAlpha16,
                bytes: Pictures.native([1_000, 0, 1_000, 65_535])))
        #expect(clear.converted(to: .grey16).samples == [65_535, 1_000])
        #expect(clear.converted(to: .rgb16, background: (1, 2, 3)).samples == [257, 514, 771, 1_000, 1_000, 1_000])
    }

    @Test("A file decoded at a size is the whole picture reduced", arguments: [false, true])
    func reduction(linearLight: Bool) throws {
        for format in PixelFormat.allCases where format.isDeep {
            let picture = try Pictures.gradient(90, 70, format)
            let target = PixelSize(width: 21, height: 30)
            let file = try picture.encoded(as: .png)
            let options = DecodeOptions(
                as: Rendition(targetSize: target, contentMode: .fill, linearLight: linearLight, keepsDepth: true))
            let decoded = try Image.decode(file, options: options)
            #expect(decoded == picture.resized(in: target, mode: .fill, linearLight: linearLight))
            #expect(decoded.format == format)
        }
    }

    @Test("Every step does with 16 bits what it does with 8, to less than one of them", arguments: PixelFormat.allCases)
    func processors(format: PixelFormat) throws {
        guard !format.isDeep else { return }
        let picture = try Pictures.gradient(40, 30, format)
        let deep = picture.converted(to: format.deep(true))
        let box = PixelSize(width: 17, height: 20)
        let steps: [AnyImageProcessor] = [
            .resize(in: box), .resize(in: box, mode: .fill, linearLight: true), .crop(box), .roundedCorners(radius: 9),
            .circle, .blur(sigma: 1.5), .tint(Colour(red: 1, green: 200, blue: 3, alpha: 100)),
            .tint(Colour(red: 90, green: 90, blue: 90, alpha: 100)), .flatten(),
            .flatten(on: Colour(red: 1, green: 2, blue: 3)), .grayscale,
        ]
        for step in steps {
            let (expected, made) = (try step.process(picture), try step.process(deep))
            #expect(made.format == expected.format.deep(true), "\(step.identifier)")
            #expect(made.size == expected.size, "\(step.identifier)")
            let channels = expected.format.channels
            for (index, (left, right)) in zip(expected.samples, made.samples).enumerated() {
                let alpha = expected.samples[index / channels * channels + channels - 1]
                // Where hardly anything is opaque, straight colour is a quotient of small numbers.
                if expected.format.hasAlpha, alpha < 16 { continue }
                #expect(abs(Double(left) - Double(right) / 257) < 1.01, "\(step.identifier): sample \(index)")
            }
        }
    }

    @Test("An image of them counts twice against the limit of what is handed out")
    func limit() throws {
        let file = try Pictures.gradient(10, 10, .rgb16).encoded(as: .png)
        var options = DecodeOptions(limits: DecodeLimits(outputBytes: 599))
        #expect(try Image.decode(file, options: options).byteCount == 300)
        options.rendition.keepsDepth = true
        #expect(throws: DecodeError.self) { try Image.decode(file, options: options) }
    }

    @Test(
        "PngSuite's files of 16 bits have the samples that libvips finds, and their upper bytes by default",
        .enabled(if: SharedImages.areThere && VipsReference.copier != nil))
    func suite() throws {
        let names = SharedImages.names(in: "pngsuite", extensions: ["png"]).filter {
            $0.hasSuffix("16.png") && !$0.hasPrefix("x")
        }
        #expect(names.count >= 30)
        for name in names {
            let bytes = try SharedImages.bytes("pngsuite/\(name)")
            let image = try Image.decode(
                bytes, options: DecodeOptions(as: Rendition(keepsDepth: true, appliesGamma: false)))
            #expect(image.format.isDeep, "\(name)")
            #expect(
                try Image.decode(bytes, options: DecodeOptions(as: Rendition(appliesGamma: false))).samples
                    == image.samples.map { $0 >> 8 }, "\(name)")
            let reference = try #require(try VipsReference.copy(of: name, in: "pngsuite"), "\(name)")
            #expect(image == reference, "\(name)")
        }
    }
}
