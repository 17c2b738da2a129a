/// The way in which a picture is scaled to a box of another shape.
public enum ContentMode: Sendable, Hashable {
    /// Fits the whole picture in the box without changing its shape: one side is the box's, the other at most the
    /// box's.
    case fit
    /// Fills the whole box without changing the picture's shape: what exceeds the box is cut off, and not filtered. A
    /// picture that is smaller than the box, and is not to be enlarged, gives as much of the box as it covers.
    case fill(gravity: Gravity)
    /// Stretches the whole picture to the box: its shape becomes the box's.
    case exact

    /// Fills the box with the middle of the picture; see ``fill(gravity:)``.
    public static let fill = ContentMode.fill(gravity: .centre)

    /// A stable name, for keys of caches.
    var identifier: String {
        switch self {
        case .fit: "fit"
        case .fill(let gravity): "fill-" + gravity.rawValue
        case .exact: "exact"
        }
    }
}
