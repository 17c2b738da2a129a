import Testing

@testable import ImageCodecs

@Suite("The header of a picture")
struct ImageHeaderTests {
    @Test("Says what decoding the file says, for any orientation and either format")
    func agreement() throws {
        for encoding in [ImageEncoding.jpeg(), .jpeg(progressive: true), .png()] {
            let date = CaptureDate(year: 2020, month: 5, day: 6, hour: 7, minute: 8, second: 9, offsetFromUTC: 120)
            let image = try #require(
                Image(
                    size: PixelSize(width: 33, height: 18), format: .rgb8,
                    bytes: [UInt8](repeating: 9, count: 33 * 18 * 3),
                    metadata: ImageMetadata(captureDate: date)))
            let bytes = try image.encoded(as: encoding)
            let header = try #require(Self.header(bytes))
            #expect(header.size == image.size)
            #expect(header.metadata.captureDate == date)
            #expect(header.format == encoding.format)
        }
    }

    @Test("A long segment is skipped, not read")
    func longSegment() throws {
        let picture = try picture().encoded(as: .jpeg)
        // SOI, three comments of 60,000 bytes, the rest.
        let comment: [UInt8] = [0xFF, 0xFE, 0xEA, 0x60] + [UInt8](repeating: 0, count: 59_998)
        let bytes = picture[..<2] + comment + comment + comment + picture[2...]
        var read = 0
        let header = ImageHeader.read { count, offset in
            let part = Array(bytes.dropFirst(offset).prefix(count))
            read += part.count
            return part
        }
        #expect(header?.size == PixelSize(width: 21, height: 13))
        #expect(read <= 5 << 12)
    }

    @Test("Any damage, and any end, gives a header or none")
    func damage() throws {
        for encoding in [ImageEncoding.jpeg(), .png()] {
            let bytes = try picture().encoded(as: encoding)
            for position in 0..<min(bytes.count, 800) {
                for value in [0x00, 0x7F, 0xFF] as [UInt8] {
                    var damaged = bytes
                    damaged[position] = value
                    if let header = Self.header(damaged) { #expect(header.size.width > 0 && header.size.height > 0) }
                }
                _ = Self.header(Array(bytes.prefix(position)))
            }
        }
    }

    @Test("Another format has none")
    func unknown() {
        #expect(Self.header([]) == nil)
        #expect(Self.header(Array("GIF89a, which nobody reads".utf8)) == nil)
    }

    private func picture() throws -> Image {
        let bytes = [UInt8](repeating: 77, count: 21 * 13)
        return try #require(Image(size: PixelSize(width: 21, height: 13), format: .grey8, bytes: bytes))
    }

    private static func header(_ bytes: [UInt8]) -> ImageHeader? {
        ImageHeader.read { count, offset in Array(bytes.dropFirst(offset).prefix(count)) }
    }
}
