import ImageCodecs
import PhotoGenerator
import Testing

@Suite("Numbered photos")
struct NumberedPhotosTests {
    private static let numbers = [0, 1, 4711, 59_999, 1 << 20 - 1]
    /// A landscape takes a debug build a while: one serves all tests.
    private static let photos = Result { try NumberedPhotos(.small, landscapes: 1) }

    @Test("A photo's number is read back from its pixels, whole or cut, at any size down to 48 pixels")
    func readBack() throws {
        let photos = try Self.photos.get()
        for number in [0, 4711, 1 << 20 - 1] {
            let file = try photos.file(number)
            for side in [512, 120, 48] {
                let box = PixelSize(width: side, height: side)
                for rendition in [Rendition.fit(box), .fill(box)] {
                    let image = try Image.decode(file, options: DecodeOptions(as: rendition))
                    #expect(
                        IdentityStrip(in: image, ofShape: photos.size.pixels)?.number == number,
                        "\(number) at \(image.size)")
                }
            }
        }
    }

    @Test("Its thumbnail shows the number, too, before anything else is decoded")
    func preview() throws {
        let photos = try Self.photos.get()
        for number in Self.numbers {
            let file = try photos.file(number)
            let box = PixelSize(width: 512, height: 512)
            let decoder = JPEGDecoder(options: DecodeOptions(as: .fit(box), previews: true))
            try decoder.append(Array(file.prefix(8 << 10)))
            let preview = try #require(try decoder.takePreview())
            #expect(IdentityStrip(in: preview.image, ofShape: photos.size.pixels)?.number == number)
        }
    }

    @Test("Files are distinct, small, and have their own dates")
    func files() throws {
        let photos = try Self.photos.get()
        let files = try Self.numbers.map { try photos.file($0) }
        #expect(Set(files).count == Self.numbers.count)
        for (number, file) in zip(Self.numbers, files) {
            #expect((20_000..<60_000).contains(file.count), "\(file.count) bytes")
            let header = ImageHeader.read { count, offset in Array(file.dropFirst(offset).prefix(count)) }
            #expect(header?.size == photos.size.pixels)
            let day = header?.metadata.captureDate.map { "\($0)".prefix(10) }
            if number == 4711 { #expect(day == "2011-03-08") }
        }
    }

    @Test("A picture without a strip has no number, nor has one that shows less than the strip")
    func none() throws {
        let plain = try #require(PhotoGenerator(seed: 3).image(PixelSize(width: 512, height: 384)))
        #expect(IdentityStrip(in: plain, ofShape: plain.size) == nil)
        let tiny = try #require(Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [0]))
        #expect(IdentityStrip(in: tiny, ofShape: plain.size) == nil)
    }
}
