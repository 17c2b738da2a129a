/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest size of the same shape that fits in `box` and is not larger than this one; at least 1 × 1.
    ///
    /// The longer constraint is met exactly, the other side is rounded to the nearest pixel.
    public func fitted(in box: PixelSize) -> PixelSize {
        guard width > 0, height > 0 else { return self }
        let scale = min(1, Double(box.width) / Double(width), Double(box.height) / Double(height))
        guard scale < 1 else { return self }
        return PixelSize(
            width: min(max(1, Int((Double(width) * scale).rounded())), width),
            height: min(max(1, Int((Double(height) * scale).rounded())), height))
    }

    /// Width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width) × \(height)" }
}
