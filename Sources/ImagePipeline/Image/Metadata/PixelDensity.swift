/// Pixels per inch, of the upright picture.
public struct PixelDensity: Sendable, Hashable {
    public var horizontal: Double
    public var vertical: Double

    /// So many pixels per inch each way.
    public init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}
