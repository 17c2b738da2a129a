/// A part of a picture, in whole pixels from its upper left corner.
public struct PixelRect: Sendable, Hashable {
    /// The number of pixels on the left of the part.
    public var x: Int
    /// The number of pixels above the part.
    public var y: Int
    /// The width and the height of the part.
    public var size: PixelSize

    /// Creates a part of a picture.
    ///
    /// - Parameters:
    ///   - x: The number of pixels on the left of the part.
    ///   - y: The number of pixels above the part.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        size = PixelSize(width: width, height: height)
    }
}

extension PixelRect: CustomStringConvertible {
    public var description: String { "\(size) at \(x), \(y)" }
}
