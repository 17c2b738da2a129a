import ImageCodecs
import Testing

@Suite("Which decoder gets a file")
struct ImageDecodersTests {
    /// Knows the files that begin with `Word`, and shows what got them by the picture's width.
    class WordDecoder: FormatDecoder {
        class var word: [UInt8] { [] }
        class var width: Int { 1 }
        class var format: ImageFormat { ImageFormat(rawValue: "word \(width)") }
        class var signatureLength: Int { word.count }

        class func recognizes(_ prefix: [UInt8]) -> Bool {
            #expect(prefix.count >= signatureLength)
            return prefix.starts(with: word)
        }

        private var bytes: [UInt8] = []

        required init(options: DecodeOptions) {}

        func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) { self.bytes += bytes }

        func finish() throws(DecodeError) -> Image {
            let row = bytes + [UInt8](repeating: 0, count: max(0, Self.width - bytes.count))
            guard let image = Image(size: PixelSize(width: Self.width, height: 1), format: .grey8, bytes: row) else {
                throw .truncated(at: DecodeError.Location(format: Self.format, byteOffset: bytes.count))
            }
            return image
        }
    }

    final class Short: WordDecoder {
        override class var word: [UInt8] { [7] }
        override class var width: Int { 1 }
    }

    final class Middle: WordDecoder {
        override class var word: [UInt8] { [7, 8, 9] }
        override class var width: Int { 3 }
    }

    final class Long: WordDecoder {
        override class var word: [UInt8] { [7, 8, 9, 10, 11] }
        override class var width: Int { 5 }
    }

    /// Pushes the bytes one by one.
    ///
    /// - Returns: the format, and after how many bytes it was found; as many as there are where only the end told.
    private func found(_ bytes: [UInt8], _ decoders: ImageDecoders) -> (format: ImageFormat?, after: Int) {
        let decoder = ContentDecoder(options: DecodeOptions(decoders: decoders))
        for (index, byte) in bytes.enumerated() {
            do throws(DecodeError) { try decoder.append([byte]) } catch { return (nil, index + 1) }
            if let format = decoder.format { return (format, index + 1) }
        }
        _ = try? decoder.finish()
        return (decoder.format, bytes.count)
    }

    @Test("Order is precedence: a longer signature wins only where it stands first")
    func precedence() {
        let file: [UInt8] = [7, 8, 9, 10, 11, 12]
        #expect(found(file, ImageDecoders([Short.self, Middle.self, Long.self])) == (Short.format, 1))
        #expect(found(file, ImageDecoders([Middle.self, Short.self, Long.self])) == (Middle.format, 3))
        #expect(found(file, ImageDecoders([Long.self, Middle.self, Short.self])) == (Long.format, 5))
        // What stands before has to be ruled out first.
        #expect(found([7, 8, 9, 1, 2, 3], ImageDecoders([Long.self, Middle.self, Short.self])) == (Middle.format, 5))
        #expect(found([7, 1, 2, 3, 4, 5], ImageDecoders([Middle.self, Short.self, Long.self])) == (Short.format, 3))
    }

    @Test("The end of a short file decides")
    func end() throws {
        let decoders = ImageDecoders([Long.self, Middle.self, Short.self])
        #expect(found([7, 8, 9], decoders) == (Middle.format, 3))
        #expect(found([7, 8], decoders) == (Short.format, 2))
        #expect(found([8], decoders) == (nil, 1))
        #expect(found([], decoders) == (nil, 0))
        let decoder = ContentDecoder(options: DecodeOptions(decoders: decoders))
        try decoder.append([7, 8, 9])
        #expect(decoder.format == nil)
        #expect(try decoder.finish().bytes == [7, 8, 9])
    }

    @Test("A file of no known format is refused as soon as no signature can match any more")
    func unknown() {
        #expect(found([1, 2, 3, 4, 5, 6, 7], ImageDecoders([Long.self, Short.self])) == (nil, 5))
        #expect(found([1], ImageDecoders([])) == (nil, 1))
        #expect(found("GIF89a..........".utf8.map { $0 }, .standard) == (nil, 8))
        #expect("\(DecodeError.unknownFormat)" == "of no known format")
    }

    @Test("The standard ones know JPEG and PNG, and one more is added behind them")
    func standard() {
        #expect(ImageDecoders.standard.formats == [.jpeg, .png])
        let decoders = ImageDecoders.standard.adding(Short.self)
        #expect(decoders.formats == [.jpeg, .png, Short.format])
        #expect(found([0xFF, 0xD8, 0xFF, 0xE0], decoders) == (.jpeg, 3))
        #expect(found([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], decoders) == (.png, 8))
        #expect(found([7, 0, 0, 0, 0, 0, 0, 0, 0], decoders) == (Short.format, 8))
        #expect(ImageFormat.detect([7, 0], among: decoders) == Short.format)
        #expect(ImageFormat.detect([7, 0]) == nil)
        #expect("\(ImageFormat.png)" == "png")
    }
}
