import ImageCodecs

/// Makes pictures that look like photos to a codec: smooth skies, ridges, textures of many scales. The same seed and size
/// give the same bytes everywhere.
public struct PhotoGenerator: Sendable {
    private let seed: UInt64

    public init(seed: UInt64) { self.seed = seed }

    /// A landscape in RGB. About a second per megapixel in a debug build.
    ///
    /// - Returns: `nil` when a side is not positive.
    public func image(_ size: PixelSize) -> Image? {
        guard size.width > 0, size.height > 0 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * size.width * size.height) { buffer, count in
            count = 0
            forEachRow(size) { row in
                count += UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: row)
            }
        }
        return Image(size: size, format: .rgb8, bytes: bytes)
    }

    /// The same landscape row by row from the top, for pictures that are not to be in memory as a whole.
    ///
    /// - Parameter body: gets red, green, blue of each pixel of a row; the buffer is valid only within.
    public func forEachRow(_ size: PixelSize, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        guard size.width > 0, size.height > 0 else { return }
        let landscape = Landscape(seed: seed, size: size)
        var row = [UInt8](repeating: 0, count: 3 * size.width)
        for y in 0..<size.height {
            row.withUnsafeMutableBufferPointer { landscape.fill($0, y: y) }
            try row.withUnsafeBufferPointer(body)
        }
    }
}
