/// An immutable buffer of pixels, upright, with straight alpha. A value: copies share their pixels.
public struct Image: Sendable {
    /// The width and height in pixels; both at least 1.
    public let size: PixelSize
    /// The number, kind and depth of the samples of a pixel.
    public let format: PixelFormat
    /// The number of bytes from the start of one row to the start of the next; at least `size.width *
    /// format.bytesPerPixel`.
    public let bytesPerRow: Int
    /// The ICC profile to read the samples with, as it stood in the file; `nil` means sRGB (or its grey).
    public var iccProfile: [UInt8]? { facts?.iccProfile }
    /// Further facts about the picture that the file stated.
    public var metadata: ImageMetadata { facts?.metadata ?? ImageMetadata() }
    /// The rows from top to bottom, `bytesPerRow` bytes each.
    public let bytes: [UInt8]
    /// Nil for a picture of which nothing is known. By reference, as images pass through many hands, each of which would copy it all.
    private let facts: Facts?

    private final class Facts: Sendable {
        let iccProfile: [UInt8]?
        let metadata: ImageMetadata

        init?(_ iccProfile: [UInt8]?, _ metadata: ImageMetadata) {
            if iccProfile == nil, metadata == ImageMetadata() { return nil }
            self.iccProfile = iccProfile
            self.metadata = metadata
        }
    }

    /// Creates an image from pixels.
    ///
    /// - Parameters:
    ///   - size: The size in pixels.
    ///   - format: The layout of a pixel.
    ///   - bytes: Rows from top to bottom, `bytesPerRow` apart; the last one may end with its last pixel.
    ///   - bytesPerRow: `nil` for rows without padding.
    ///   - iccProfile: The ICC profile of the samples; nil for sRGB.
    ///   - metadata: The metadata.
    /// - Returns: `nil` when a side is not positive, or when `bytes` is too short for the rows it is to hold.
    public init?(
        size: PixelSize, format: PixelFormat, bytes: [UInt8], bytesPerRow: Int? = nil, iccProfile: [UInt8]? = nil,
        metadata: ImageMetadata = ImageMetadata()
    ) {
        guard size.width > 0, size.height > 0 else { return nil }
        let (rowBytes, isWide) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard !isWide else { return nil }
        let stride = bytesPerRow ?? rowBytes
        guard stride >= rowBytes else { return nil }
        let (leading, isTall) = stride.multipliedReportingOverflow(by: size.height - 1)
        guard !isTall, bytes.count - rowBytes >= leading else { return nil }
        self.size = size
        self.format = format
        self.bytesPerRow = stride
        self.bytes = bytes
        facts = Facts(iccProfile, metadata)
    }

    /// For canvases, whose buffers have the right length by construction.
    init(
        unpadded bytes: [UInt8], size: PixelSize, format: PixelFormat, iccProfile: [UInt8]?, metadata: ImageMetadata
    ) {
        self.size = size
        self.format = format
        self.bytesPerRow = size.width * format.bytesPerPixel
        self.bytes = bytes
        facts = Facts(iccProfile, metadata)
    }

    /// The width in pixels.
    public var width: Int { size.width }
    /// The height in pixels.
    public var height: Int { size.height }

    /// The damage of the file that the image was decoded from; `nil` for a picture that is whole. It stays with the image through every
    /// step; files written of it do not tell.
    public var damage: ImageDamage? { metadata.damage }

    /// The number of bytes that the image keeps in memory: pixels and profile. What a memory cache counts.
    public var byteCount: Int { bytes.count + (iccProfile?.count ?? 0) }

    /// Calls `body` with all rows; the pointer is valid only within.
    ///
    /// - Parameter body: A closure that is called with the rows; the pointer is valid only within.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }

    /// Returns the samples of one pixel as red, green, blue, alpha, of 8 bits each; `nil` outside the image.
    ///
    /// - Parameters:
    ///   - x: The column, counted from 0.
    ///   - y: The row, counted from 0.
    public func pixel(x: Int, y: Int) -> SIMD4<UInt8>? {
        deepPixel(x: x, y: y).map { deep in
            SIMD4(UInt8(deep: deep.x), UInt8(deep: deep.y), UInt8(deep: deep.z), UInt8(deep: deep.w))
        }
    }

    /// Returns the samples of one pixel as red, green, blue, alpha, of 16 bits each whatever the format; `nil` outside
    /// the image.
    ///
    /// - Parameters:
    ///   - x: The column, counted from 0.
    ///   - y: The row, counted from 0.
    public func deepPixel(x: Int, y: Int) -> SIMD4<UInt16>? {
        guard x >= 0, y >= 0, x < width, y < height else { return nil }
        let at = y * bytesPerRow + x * format.bytesPerPixel
        return withUnsafeBytes { bytes in
            func sample(_ channel: Int) -> UInt16 {
                format.isDeep
                    ? bytes.loadUnaligned(fromByteOffset: at + 2 * channel, as: UInt16.self) : bytes[at + channel].deep
            }
            let alpha = format.hasAlpha ? sample(format.channels - 1) : .max
            return format.isGrey
                ? SIMD4(sample(0), sample(0), sample(0), alpha) : SIMD4(sample(0), sample(1), sample(2), alpha)
        }
    }

    /// Returns the same pixels with another profile, or none. Samples are not converted.
    ///
    /// - Parameter profile: The new profile, or nil for none.
    public func withICCProfile(_ profile: [UInt8]?) -> Image {
        Image(self, iccProfile: profile, metadata: metadata)
    }

    /// Returns the same pixels with other metadata.
    ///
    /// - Parameter metadata: The metadata.
    public func withMetadata(_ metadata: ImageMetadata) -> Image {
        Image(self, iccProfile: iccProfile, metadata: metadata)
    }

    /// These pixels with a note that others were lost.
    func noting(_ damage: ImageDamage?) -> Image {
        guard let damage else { return self }
        var metadata = metadata
        metadata.damage = damage
        return withMetadata(metadata)
    }

    private init(_ image: Image, iccProfile: [UInt8]?, metadata: ImageMetadata) {
        size = image.size
        format = image.format
        bytesPerRow = image.bytesPerRow
        bytes = image.bytes
        facts = Facts(iccProfile, metadata)
    }
}

extension Image: Equatable {
    /// Returns a Boolean value that indicates whether two images have the same size, format, samples and profile.
    /// Padding between rows does not count, nor do the facts beside the picture.
    ///
    /// - Parameters:
    ///   - left: The first image.
    ///   - right: The second image.
    public static func == (left: Image, right: Image) -> Bool {
        guard left.size == right.size, left.format == right.format, left.iccProfile == right.iccProfile else {
            return false
        }
        let rowBytes = left.width * left.format.bytesPerPixel
        if left.bytesPerRow == rowBytes, right.bytesPerRow == rowBytes, left.bytes.count == right.bytes.count {
            return left.bytes == right.bytes
        }
        return (0..<left.height).allSatisfy { y in
            left.bytes[(y * left.bytesPerRow)...].prefix(rowBytes)
                .elementsEqual(right.bytes[(y * right.bytesPerRow)...].prefix(rowBytes))
        }
    }
}

extension Image: CustomStringConvertible {
    public var description: String { "\(size), \(format)" }
}
