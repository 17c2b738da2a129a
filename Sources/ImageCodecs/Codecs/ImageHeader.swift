/// The facts about a picture that stand before its data: its format, its size and the metadata of the file.
///
/// Nothing is decoded, and little is read: of most files the first 4 KB.
public struct ImageHeader: Sendable, Hashable {
    /// The format of the file.
    public let format: ImageFormat
    /// The size of the upright picture in pixels.
    public let size: PixelSize
    /// The metadata that stand before the picture's data. Only orientation, capture date and position are read.
    public let metadata: ImageMetadata

    /// Reads the header of a JPEG or a PNG.
    ///
    /// A long segment, such as a profile, is skipped: only the bytes behind it are read.
    ///
    /// - Parameter read: Returns up to so many bytes of the file from an offset on; fewer at the file's end.
    /// - Returns: The header; nil for another format, or a file that is damaged or ends too early.
    public static func read<Failure: Error>(
        _ read: (_ count: Int, _ offset: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageHeader? {
        var window = HeaderWindow(bytes: try read(HeaderWindow.length, 0))
        if JPEGDecoder.recognizes(window.bytes) { return try jpeg(&window, read) }
        if PNGDecoder.recognizes(window.bytes) { return try png(&window, read) }
        return nil
    }

    /// Segments up to the frame header (T.81 B.2).
    private static func jpeg<Failure: Error>(
        _ window: inout HeaderWindow, _ read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageHeader? {
        var offset = 2
        var exif: ExifFacts?
        for _ in 0..<mostParts {
            guard let head = try window.bytes(10, at: offset, read), head[0] == 0xFF else { return nil }
            let marker = head[1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 2 else { return nil }
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                let height = Int(head[5]) << 8 | Int(head[6])
                guard let width = try window.bytes(2, at: offset + 7, read) else { return nil }
                return ImageHeader(.jpeg, width: Int(width[0]) << 8 | Int(width[1]), height: height, exif)
            case 0xE1 where exif == nil && head[4...].starts(with: Array("Exif\0\0".utf8)):
                exif = try window.exif(length - 8, at: offset + 10, read)
            case 0xD9, 0xDA: return nil
            default: break
            }
            offset += 2 + length
        }
        return nil
    }

    /// Chunks up to the data (PNG 3rd edition, 5.3 and 11.2.1).
    private static func png<Failure: Error>(
        _ window: inout HeaderWindow, _ read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageHeader? {
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        guard let first = try window.bytes(16, at: 8, read), first[4..<8].elementsEqual("IHDR".utf8) else { return nil }
        let (width, height) = (number(first[8..<12]), number(first[12..<16]))
        var offset = 8
        var exif: ExifFacts?
        for _ in 0..<mostParts {
            guard let head = try window.bytes(8, at: offset, read) else { break }
            let length = number(head[0..<4])
            if head[4..<8].elementsEqual("IDAT".utf8) { break }
            if head[4..<8].elementsEqual("eXIf".utf8) { exif = try window.exif(length, at: offset + 8, read) }
            offset += 12 + length
        }
        return ImageHeader(.png, width: width, height: height, exif)
    }

    /// More segments before a picture are a way to keep a reader busy.
    private static let mostParts = 256

    private init?(_ format: ImageFormat, width: Int, height: Int, _ exif: ExifFacts?) {
        guard width > 0, height > 0 else { return nil }
        let orientation = exif?.orientation ?? .up
        self.format = format
        size = orientation.applied(to: PixelSize(width: width, height: height))
        metadata = ImageMetadata(
            storedOrientation: orientation, captureDate: exif?.captureDate, position: exif?.position)
    }
}

/// A part of a file that is in memory, moved to where bytes are wanted.
private struct HeaderWindow {
    static let length = 4 << 10
    /// Directories come before the thumbnail, which makes up most of a segment.
    private static let exifLength = 16 << 10

    var start = 0
    var bytes: [UInt8]

    /// As many bytes, and no fewer; nil behind the file's end.
    mutating func bytes<Failure: Error>(
        _ count: Int, at offset: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
        if offset < start || offset + count > start + bytes.count {
            start = offset
            bytes = try read(Self.length, offset)
        }
        let first = offset - start
        return first + count <= bytes.count ? Array(bytes[first..<first + count]) : nil
    }

    mutating func exif<Failure: Error>(
        _ count: Int, at offset: Int, _ read: (Int, Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ExifFacts? {
        guard count > 0 else { return nil }
        let wanted = min(count, Self.exifLength)
        let inWindow = offset >= start && offset + wanted <= start + bytes.count
        let content = inWindow ? Array(bytes[offset - start..<offset - start + wanted]) : try read(wanted, offset)
        return content.withUnsafeBufferPointer { ExifFacts($0) }
    }
}
