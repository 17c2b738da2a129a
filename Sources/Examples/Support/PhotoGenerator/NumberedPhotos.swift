import CLibrary
import ImageCodecs

/// Makes photos that are all distinct, each in less than a millisecond: landscapes that are encoded once, with a strip of each
/// photo's own number in place of their upper sixth (``IdentityStrip``), and an Exif segment with a date and a thumbnail,
/// which has the strip, too.
public struct NumberedPhotos: Sendable {
    /// A size of photos.
    public struct Size: Sendable, Hashable {
        /// The size in pixels: whole blocks, and so is the strip's sixth.
        public let pixels: PixelSize
        let quality: Int

        /// About 40 KB a file.
        public static let small = Size(pixels: PixelSize(width: 512, height: 384), quality: 88)
        /// About 2.4 megapixels, 400 KB a file.
        public static let large = Size(pixels: PixelSize(width: 1792, height: 1344), quality: 85)
    }

    private struct Picture: Sendable {
        let photo: BandedJPEG
        let thumbnail: BandedJPEG
    }

    /// The size of all photos.
    public let size: Size
    private let pictures: [Picture]
    private static let thumbnail = Size(pixels: PixelSize(width: 128, height: 96), quality: 50)

    /// Encodes the landscapes.
    ///
    /// - Parameters:
    ///   - size: The size of all photos.
    ///   - landscapes: The number of landscapes, which photos have in turn.
    public init(_ size: Size = .small, landscapes: Int = 24) throws(EncodeError) {
        self.size = size
        pictures = try (0..<max(1, landscapes)).map { (seed) throws(EncodeError) in
            let generator = PhotoGenerator(seed: UInt64(seed))
            return Picture(
                photo: try BandedJPEG(generator, size), thumbnail: try BandedJPEG(generator, Self.thumbnail))
        }
    }

    /// Returns the file of a photo.
    ///
    /// - Parameter number: The photo's number: see ``IdentityStrip``.
    public func file(_ number: Int) throws(EncodeError) -> [UInt8] {
        let strip = IdentityStrip(number)
        let picture = pictures[strip.number % pictures.count]
        let thumbnail = try picture.thumbnail.file(strip)
        return try picture.photo.file(strip, exif: Self.exif(date: Self.date(of: strip.number), thumbnail: thumbnail))
    }

    /// Returns the time at which a photo was taken, in seconds since 1970: one every two hours or so from 2010 on.
    ///
    /// - Parameter number: The photo's number.
    public static func date(of number: Int) -> Int { 1_262_304_000 + number * 7919 }

    /// A TIFF structure of three directories, big-endian (Exif 2.32, 4.6): the picture's, the Exif one with DateTimeOriginal, and
    /// the thumbnail's.
    private static func exif(date: Int, thumbnail: [UInt8]) -> [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            big(tag, 2) + big(type, 2) + big(count, 4) + big(value, 4)
        }
        let header: [UInt8] = [0x4D, 0x4D, 0, 42] + big(8, 4)
        let picture = big(1, 2) + entry(0x8769, 4, 1, 26) + big(76, 4)
        let exif = big(2, 2) + entry(0x9000, 7, 4, 0x3032_3332) + entry(0x9003, 2, 20, 56) + big(0, 4)
        let small =
            big(3, 2) + entry(0x0103, 3, 1, 6 << 16) + entry(0x0201, 4, 1, 118)
            + entry(0x0202, 4, 1, thumbnail.count) + big(0, 4)
        return header + picture + exif + Array(text(date).utf8) + [0] + small + thumbnail
    }

    private static func text(_ date: Int) -> String {
        var time = time_t(date)
        var parts = tm()
        gmtime_r(&time, &parts)
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900):\(digits(parts.tm_mon + 1)):\(digits(parts.tm_mday)) "
            + "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
    }
}

/// A number of so many bytes, the highest first.
func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
