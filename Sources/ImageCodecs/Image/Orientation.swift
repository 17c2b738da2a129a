/// The orientation of a stored picture: the sides that its first row and first column belong to (Exif 2.32, 4.6.4.A,
/// tag 0x0112; TIFF 6.0).
///
/// The raw values are the tag's. An image that leaves this library is upright: orientation is applied once, while decoding.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
    /// First row at the top, first column on the left: upright as it is stored.
    case up = 1
    /// First row at the top, first column on the right: the mirror image.
    case upMirrored = 2
    /// First row at the bottom, first column on the right: upright when it is turned by 180°.
    case down = 3
    /// First row at the bottom, first column on the left: the mirror image, upside down.
    case downMirrored = 4
    /// First row on the left, first column at the top: upright when rows and columns change places.
    case leftMirrored = 5
    /// First row on the right, first column at the top: upright when it is turned clockwise by 90°.
    case right = 6
    /// First row on the right, first column at the bottom: the mirror image when it is turned anticlockwise by 90°.
    case rightMirrored = 7
    /// First row on the left, first column at the bottom: upright when it is turned anticlockwise by 90°.
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
