import ImageCodecs
import TestSupport
import Testing

@Suite("Several renditions of one pass")
struct FurtherRenditionTests {
    private func decode(
        _ bytes: [UInt8], _ renditions: [Rendition], limits: DecodeLimits = .safe, previews: Bool = false,
        derives: Bool = true, chunk: Int = .max
    ) throws -> (images: [Image], previews: [DegradedImage]) {
        var options = DecodeOptions(as: renditions[0], limits: limits, previews: previews)
        options.further = Array(renditions.dropFirst())
        options.derivesFurther = derives
        let decoder = ContentDecoder(options: options)
        var given: [DegradedImage] = []
        for start in stride(from: 0, to: bytes.count, by: min(chunk, bytes.count)) {
            try decoder.append(Array(bytes[start...].prefix(chunk)))
            if let preview = try decoder.takePreview() { given.append(preview) }
        }
        return ([try decoder.finish()] + decoder.furtherImages, given)
    }

    private func fit(_ width: Int, _ height: Int) -> Rendition { .fit(PixelSize(width: width, height: height)) }

    /// Of 240 × 180 pixels: fitted and filled, large first and last, near each other and far apart, and the whole picture.
    private var renditions: [Rendition] {
        [
            fit(120, 120), .fill(PixelSize(width: 40, height: 40)), fit(100, 100), .original,
            .fill(PixelSize(width: 20, height: 60), gravity: .topLeft), fit(30, 30), fit(120, 120),
        ]
    }

    @Test("Each is as near to the whole picture reduced as a decode of its own, whatever its format")
    func quality() throws {
        let picture = try Pictures.textured(240, 180)
        let files: [(String, [UInt8])] = [
            ("baseline", try picture.encoded(as: .jpeg(quality: 92))),
            ("progressive", try picture.encoded(as: .jpeg(quality: 92, progressive: true))),
            ("png", try picture.encoded(as: .png)),
        ]
        for (name, bytes) in files {
            let (images, _) = try decode(bytes, renditions, chunk: 10_000)
            try #require(images.count == renditions.count, "\(name)")
            for (image, rendition) in zip(images, renditions) {
                var exact = rendition
                exact.quality = .exact
                let reference = try Image.decode(bytes, options: DecodeOptions(as: exact))
                let alone = try Image.decode(bytes, options: DecodeOptions(as: rendition))
                #expect(image.size == alone.size, "\(name) \(rendition.identifier)")
                let (own, shared) = (Pictures.psnr(alone, reference), Pictures.psnr(image, reference))
                // This picture's waves are harder than a photo's.
                #expect(shared >= min(own, 44), "\(name) \(rendition.identifier): \(shared) dB, alone \(own)")
            }
        }
    }

    @Test(
        "Beside an enlarged one each is what a decode of its own gives: no picture is made of one that has been enlarged"
    )
    func besideEnlarged() throws {
        let picture = try Pictures.textured(240, 180)
        var enlarged = fit(1_200, 1_200)
        enlarged.enlarges = true
        let wanted = [
            fit(400, 400), enlarged, fit(240, 240), fit(200, 200),
            Rendition(targetSize: PixelSize(width: 200, height: 180), contentMode: .exact),
        ]
        for bytes in [try picture.encoded(as: .jpeg(quality: 92)), try picture.encoded(as: .png)] {
            let (images, _) = try decode(bytes, wanted)
            try #require(images.count == wanted.count)
            for (image, rendition) in zip(images, wanted) {
                #expect(
                    image == (try Image.decode(bytes, options: DecodeOptions(as: rendition))), "\(rendition.identifier)"
                )
            }
        }
    }

    /// One that is as hard to reduce as can be: what is between white and black at one size is wrong at the next. Sizes of it are made of each
    /// other for as large a one only.
    private static let lineArt = Result { try Pictures.hatched(2_600, 1_700) }

    @Test("Line art is never made of a picture that has been reduced already", arguments: [1, 2, 4, 6])
    func lineArt(orientation: Int) throws {
        let picture = try Self.lineArt.get()
        var metadata = ImageMetadata()
        metadata.storedOrientation = try #require(Orientation(rawValue: orientation))
        let jpeg = try picture.withMetadata(metadata).encoded(as: .jpeg(quality: 95, subsampling: .yuv444))
        let wanted = [fit(1_300, 1_300), fit(900, 900), fit(450, 450)]
        #expect(try decode(jpeg, wanted).images.count == 1)
        #expect(try decode(jpeg, wanted, previews: true, chunk: 100_000).images.count == 1)
        let (images, _) = try decode(jpeg, wanted, derives: false)
        try #require(images.count == 3)
        for (image, rendition) in zip(images, wanted) {
            var exact = rendition
            exact.quality = .exact
            let reference = try Image.decode(jpeg, options: DecodeOptions(as: exact))
            #expect(Pictures.psnr(image, reference) > 50, "\(rendition.identifier)")
        }
    }

    @Test(
        "Of a photo of a few megapixels no size is less than a decode of its own gives",
        .enabled(if: SharedImages.areThere), arguments: ["Landscape_1.jpg", "Portrait_8.jpg"])
    func smallPhoto(name: String) throws {
        let bytes = try SharedImages.bytes("exif-orientation/\(name)")
        let wanted = [1_280, 640, 450, 320, 225, 160, 64, 31, 7].map { fit($0, $0) }
        let (images, _) = try decode(bytes, wanted)
        try #require(images.count == wanted.count)
        for (image, rendition) in zip(images, wanted) {
            var exact = rendition
            exact.quality = .exact
            let reference = try Image.decode(bytes, options: DecodeOptions(as: exact))
            let own = try Pictures.psnr(Image.decode(bytes, options: DecodeOptions(as: rendition)), reference)
            #expect(Pictures.psnr(image, reference) >= own - 0.5, "\(rendition.identifier)")
        }
    }

    @Test("Of a large picture smaller sizes are made of larger ones, and hardly less than a decode of their own")
    func derived() throws {
        let bytes = try Pictures.textured(2_600, 1_700).encoded(as: .jpeg(quality: 92))
        let wanted = [1_300, 900, 640, 450, 320, 160, 64].map { fit($0, $0) }
        let (images, _) = try decode(bytes, wanted)
        let (own, _) = try decode(bytes, wanted, derives: false)
        try #require(images.count == wanted.count && own.count == wanted.count)
        #expect(images != own)
        for (image, own) in zip(images, own) {
            #expect(Pictures.psnr(image, own) > 50, "\(image.size)")
        }
    }

    @Test("In linear light, or exactly, each is made of the decoded pixels")
    func exactly() throws {
        let bytes = try Pictures.textured(240, 180).encoded(as: .jpeg(quality: 92))
        for change in [{ (rendition: inout Rendition) in rendition.linearLight = true }, { $0.quality = .exact }] {
            var wanted = [fit(120, 120), fit(80, 80), fit(20, 20)]
            for index in wanted.indices { change(&wanted[index]) }
            let (images, _) = try decode(bytes, wanted)
            for (image, rendition) in zip(images, wanted) {
                #expect(try image == Image.decode(bytes, options: DecodeOptions(as: rendition)))
            }
        }
    }

    @Test("The first one is what it is without the others, to the bit, where it is the largest")
    func first() throws {
        let bytes = try Pictures.textured(400, 300).encoded(as: .jpeg(quality: 90))
        for side in [25, 60, 125, 250] {
            let alone = try Image.decode(bytes, options: DecodeOptions(as: fit(side, side)))
            let (images, _) = try decode(bytes, [fit(side, side), fit(side / 2, side / 2), fit(side / 3, side / 3)])
            #expect(images.first == alone && images.count == 3)
        }
    }

    @Test("A picture that is turned, at once or by what follows its pixels, is turned in all of them")
    func turned() throws {
        let picture = try Pictures.gradient(400, 200)
        let jpeg = try picture.encoded(as: .jpeg(quality: 95))
        var metadata = ImageMetadata()
        metadata.storedOrientation = .right
        let wanted = [fit(100, 60), fit(30, 30), .fill(PixelSize(width: 40, height: 20))]
        for bytes in [jpeg, try picture.encoded(as: .png)] {
            let (images, _) = try decode(bytes, wanted)
            let alone = try wanted.map { try Image.decode(bytes, options: DecodeOptions(as: $0)) }
            for (image, own) in zip(images, alone) { #expect(image.size == own.size && Pictures.psnr(image, own) > 40) }
        }
    }

    @Test("Degraded images come in all sizes")
    func previews() throws {
        let bytes = try Pictures.textured(400, 300).encoded(as: .jpeg(quality: 90, progressive: true))
        let wanted = [fit(100, 100), fit(50, 50), fit(30, 30)]
        let (images, previews) = try decode(bytes, wanted, previews: true, chunk: 2_000)
        #expect(!previews.isEmpty)
        for preview in previews {
            let sizes = ([preview] + preview.further).map { $0?.image.size }
            #expect(sizes == images.map(\.size))
        }
    }

    @Test("A size has a degraded image when the first of its rows is there, and a quality of its own")
    func previewsOfRows() throws {
        let picture = try Pictures.textured(1_600, 1_200)
        let wanted = [fit(300, 300), fit(20, 20), .fill(PixelSize(width: 300, height: 20))]
        for encoding in [ImageEncoding.png, .jpeg(quality: 90)] {
            let (_, previews) = try decode(
                try picture.encoded(as: encoding), wanted, previews: true, derives: false, chunk: 5_000)
            #expect(previews.contains { $0.further.contains { $0 == nil } }, "\(encoding)")
            #expect(
                previews.contains { preview in
                    preview.further.contains { ($0?.quality).map { $0 != preview.quality } ?? false }
                })
            for case let further? in previews.flatMap(\.further) {
                #expect(0 < further.quality && further.quality < 1 && further.image.bytes.contains { $0 != 0 })
            }
        }
    }

    @Test("Rows that have not come are clear where a picture is, whichever size shows them")
    func clearPreviews() throws {
        let (width, height) = (400, 300)
        let colours = try Pictures.textured(width, height).bytes
        var bytes: [UInt8] = []
        for pixel in 0..<width * height {
            bytes += colours[3 * pixel..<3 * pixel + 3]
            bytes.append(pixel % width < width / 2 ? 255 : 90)
        }
        let picture = try #require(Image(size: PixelSize(width: width, height: height), format: .rgba8, bytes: bytes))
        let wanted = [fit(200, 200), .fill(PixelSize(width: 200, height: 60))]
        let (_, previews) = try decode(try picture.encoded(as: .png), wanted, previews: true, chunk: 1_000)
        let unfinished = previews.flatMap(\.further).compactMap { $0 }.filter { $0.quality < 0.99 }
        #expect(!unfinished.isEmpty)
        for preview in unfinished { #expect(preview.image.bytes.last == 0) }
    }

    @Test("What is too much for all of them is decoded as the first alone")
    func limits() throws {
        let bytes = try Pictures.textured(300, 200).encoded(as: .jpeg(quality: 90))
        var limits = DecodeLimits.safe
        limits.outputBytes = 100 * 100 * 3
        let (images, _) = try decode(bytes, [fit(80, 80), fit(200, 200)], limits: limits)
        #expect(images.map(\.width) == [80])
        limits = .safe
        limits.workingBytes = 300_000
        let many = try decode(bytes, [fit(80, 80)] + (1...30).map { fit(81 + $0, 200) }, limits: limits)
        #expect(many.images.map(\.width) == [80])
    }

    /// Of many rows that are made together, those that wait for others are in an image all the same.
    @Test("An image of rows so far has every row that they suffice for, in all sizes, whatever their number")
    func early() throws {
        let picture = try Pictures.textured(240, 180)
        var options = DecodeOptions(as: fit(120, 120))
        options.further = [fit(80, 80), fit(40, 40), fit(20, 20)]
        func receiver() throws -> DecodedRows {
            try DecodedRows(
                size: picture.size, format: picture.format, options: options, watch: DecodeWatch(options: options),
                location: DecodeError.Location(format: .png, byteOffset: 0))
        }
        func append(_ range: Range<Int>, to rows: DecodedRows) throws {
            for y in range {
                let start = y * picture.bytesPerRow
                let row = Array(picture.bytes[start..<start + picture.bytesPerRow])
                try rows.append(row, at: DecodeError.Location(format: .png, byteOffset: 0))
            }
        }
        let whole = try receiver()
        try append(0..<180, to: whole)
        let finals = [whole.image()] + whole.furtherImages
        for count in 0..<180 {
            let rows = try receiver()
            try append(0..<count, to: rows)
            for (early, final) in zip([rows.image()] + rows.furtherImages, finals) {
                // What is there is what it will be: rows reach three of their own height further, and come a few at a time.
                let rowBytes = final.bytesPerRow
                let made = (0..<final.height).last { y in
                    early.bytes[y * rowBytes..<(y + 1) * rowBytes].contains { $0 != 0 }
                }
                let end = (made ?? -1) + 1
                #expect(early.bytes.prefix(end * rowBytes).elementsEqual(final.bytes.prefix(end * rowBytes)))
                let scale = 180.0 / Double(final.height)
                #expect(Double(end) >= (Double(count) - 8) / scale - 13, "\(count) rows, \(final.size)")
            }
            try append(count..<180, to: rows)
            #expect([rows.image()] + rows.furtherImages == finals, "\(count) rows")
        }
    }
}
