/// A picture in about 25 bytes: its shape, its transparency and the lowest frequencies of its colours.
///
///     let hash = PlaceholderHash(of: image)
///     row.placeholder = hash.bytes          // into a database, or to a client
///     …
///     view.image = PlaceholderHash(row.placeholder)?.image()
///
/// The bytes are those of the ThumbHash format, so that web pages and apps with a decoder of it can show what a server has computed here.
/// Pixels are taken for sRGB, whatever profile the image has.
public struct PlaceholderHash: Sendable, Hashable {
    /// The hash itself: 5 to 30 bytes.
    public let bytes: [UInt8]

    /// Takes a hash that was computed before; nil for bytes that are none.
    ///
    /// - Parameter bytes: The bytes of the hash.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, bytes.count == Layout(bytes).size else { return nil }
        self.bytes = bytes
    }

    /// Computes the hash of an image; about half a millisecond for a thumbnail.
    ///
    /// - Parameter image: The image.
    public init(of image: Image) {
        bytes = PlaceholderEncoding(of: image).bytes
    }

    /// Draws the picture: 32 pixels on its longer side.
    public func image() -> Image? {
        PlaceholderDrawing(bytes, Layout(bytes)).image()
    }
}

extension PlaceholderHash {
    /// The facts in the first five bytes about the others.
    struct Layout {
        let hasAlpha: Bool
        let isLandscape: Bool
        /// The number of frequencies of brightness on each side.
        let columns: Int
        let rows: Int

        /// - Parameter bytes: At least five.
        init(_ bytes: [UInt8]) {
            hasAlpha = bytes[2] & 0x80 != 0
            isLandscape = bytes[4] & 0x80 != 0
            let (longer, shorter) = (hasAlpha ? 5 : 7, Int(bytes[3] & 7))
            columns = isLandscape ? longer : shorter
            rows = isLandscape ? shorter : longer
        }

        init(_ image: Image, hasAlpha: Bool) {
            self.hasAlpha = hasAlpha
            isLandscape = image.width > image.height
            let longest = Double(max(image.width, image.height))
            let limit = hasAlpha ? 5.0 : 7.0
            columns = max(1, Int((limit * Double(image.width) / longest).rounded()))
            rows = max(1, Int((limit * Double(image.height) / longest).rounded()))
        }

        /// The planes: brightness, yellow against blue, red against green, opacity.
        var planes: [Plane] {
            [
                Plane(columns: max(3, columns), rows: max(3, rows)), Plane(columns: 3, rows: 3),
                Plane(columns: 3, rows: 3),
            ]
                + (hasAlpha ? [Plane(columns: 5, rows: 5)] : [])
        }

        /// The offset of the frequencies: four bits each.
        var start: Int { hasAlpha ? 6 : 5 }
        var size: Int { start + (planes.reduce(0) { $0 + $1.frequencies.count } + 1) / 2 }
    }

    /// The frequencies of a plane: a triangle, without the mean.
    struct Plane {
        let columns: Int
        let rows: Int

        var frequencies: [(column: Int, row: Int)] {
            (0..<rows).flatMap { row in
                (0..<columns).prefix { $0 * rows < columns * (rows - row) }.map { ($0, row) }
            }.filter { $0.0 > 0 || $0.1 > 0 }
        }
    }
}
