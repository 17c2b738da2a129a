/// The orientation of a stored picture: the sides that its first row and first column belong to (Exif 2.32, 4.6.4.A,
/// tag 0x0112; TIFF 6.0).
///
/// The raw values are the tag's. An image that leaves this library is upright: orientation is applied once, while decoding.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
    case up = 1
    case upMirrored = 2
    case down = 3
    case downMirrored = 4
    case leftMirrored = 5
    case right = 6
    case rightMirrored = 7
    case left = 8

    /// A Boolean value that indicates whether stored rows become upright columns, so that width and height change
    /// places.
    public var isTransposing: Bool { rawValue >= 5 }

    /// Returns the upright size of a picture stored with `size`, or the stored size of one whose upright size it is.
    ///
    /// - Parameter size: The size to turn.
    public func applied(to size: PixelSize) -> PixelSize {
        isTransposing ? size.transposed : size
    }

    /// Whether the stored picture's columns run from right to left, or, where transposing, from the bottom upwards.
    var reversesColumns: Bool {
        switch self {
        case .upMirrored, .down, .rightMirrored, .left: true
        default: false
        }
    }

    /// Whether the stored picture's rows run from the bottom upwards, or, where transposing, from right to left.
    var reversesRows: Bool {
        switch self {
        case .down, .downMirrored, .right, .rightMirrored: true
        default: false
        }
    }
}
