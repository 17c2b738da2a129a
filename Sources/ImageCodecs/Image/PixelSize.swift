/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable {
    /// The number of pixels across.
    public var width: Int
    /// The number of pixels down.
    public var height: Int

    /// Creates a size.
    ///
    /// - Parameters:
    ///   - width: The number of pixels across.
    ///   - height: The number of pixels down.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the largest size of the same shape that fits in `box`, and is not larger than this one unless it may be
    /// enlarged; at least 1 × 1.
    ///
    /// The longer constraint is met exactly, the other side is rounded to the nearest pixel.
    ///
    /// - Parameters:
    ///   - box: The box in pixels; a side less than 1 counts as 1.
    ///   - enlarges: A Boolean value that determines whether a picture smaller than the box is enlarged.
    public func fitted(in box: PixelSize, enlarges: Bool = false) -> PixelSize {
        guard width > 0, height > 0 else { return self }
        // What no image has, and no number of pixels holds, is cut off.
        let limit = Int(Int32.max)
        let box = PixelSize(width: min(box.width, limit), height: min(box.height, limit))
        let fitting = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        let scale = enlarges ? fitting : min(1, fitting)
        guard scale != 1 else { return self }
        func side(_ side: Int, _ limit: Int) -> Int {
            max(1, min(Int((Double(side) * scale).rounded()), scale < 1 ? side : max(1, limit)))
        }
        return PixelSize(width: side(width, box.width), height: side(height, box.height))
    }

    /// The size with width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
    public var description: String { "\(width) × \(height)" }
}
