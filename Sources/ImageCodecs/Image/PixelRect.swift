/// A part of a picture, in whole pixels from its upper left corner.
public struct PixelRect: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var size: PixelSize

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        size = PixelSize(width: width, height: height)
    }
}

extension PixelRect: CustomStringConvertible {
    public var description: String { "\(size) at \(x), \(y)" }
}
