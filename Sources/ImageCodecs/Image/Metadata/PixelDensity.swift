/// The pixels per inch of the upright picture.
///
/// A JPEG says it in its JFIF header, in whole numbers per inch or centimetre; a PNG in its `pHYs` chunk, in whole numbers per metre: 2835 of
/// them are 72 per inch. Both may say it in their Exif data, too, as a fraction: that is taken where there is no such header, or
/// where it says the same but finer. What gives no unit but only a pixel's shape is no density.
public struct PixelDensity: Sendable, Hashable {
    /// The number of pixels per inch from left to right.
    public let horizontal: Double
    /// The number of pixels per inch from top to bottom.
    public let vertical: Double

    /// Creates a density.
    ///
    /// - Parameters:
    ///   - horizontal: The number of pixels per inch from left to right.
    ///   - vertical: The number of pixels per inch from top to bottom.
    /// - Returns: `nil` for less than one, or more than ten million: no file means that.
    public init?(horizontal: Double, vertical: Double) {
        let plausible = 1.0...10_000_000
        guard plausible.contains(horizontal), plausible.contains(vertical) else { return nil }
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Of the picture turned by a quarter.
    var transposed: PixelDensity { PixelDensity(across: vertical, down: horizontal) }

    private init(across: Double, down: Double) {
        horizontal = across
        vertical = down
    }
}
