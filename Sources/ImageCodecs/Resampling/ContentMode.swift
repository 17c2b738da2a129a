/// How a picture is brought into a box of another shape.
public enum ContentMode: Sendable, Hashable {
    /// All of the picture, in its own shape: one side is the box's, the other at most the box's.
    case fit
    /// All of the box: the picture keeps its shape, and what lies over the box's sides is cut off, and not filtered.
    /// A picture that is smaller than the box, and is not to be enlarged, gives as much of the box as it covers.
    case fill(gravity: Gravity)
    /// All of the picture in all of the box: its shape becomes the box's.
    case exact

    /// ``fill(gravity:)`` with what is in the middle.
    public static let fill = ContentMode.fill(gravity: .centre)

    /// A stable name, for keys of caches.
    var identifier: String {
        switch self {
        case .fit: "fit"
        case .fill(let gravity): "fill-\(gravity.rawValue)"
        case .exact: "exact"
        }
    }
}
