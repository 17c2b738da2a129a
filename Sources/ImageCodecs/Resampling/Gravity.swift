/// The part of a picture that is kept when it is cut to another shape.
public enum Gravity: String, Sendable, Hashable, CaseIterable {
    /// A part at the top: from the left, the middle or the right.
    case topLeft, top, topRight
    /// A part halfway down: from the left, the middle or the right.
    case left, centre, right
    /// A part at the bottom: from the left, the middle or the right.
    case bottomLeft, bottom, bottomRight

    /// The share of what is cut off across that goes from the left side.
    var fromLeft: Double {
        switch self {
        case .topLeft, .left, .bottomLeft: 0
        case .top, .centre, .bottom: 0.5
        case .topRight, .right, .bottomRight: 1
        }
    }

    /// The share of what is cut off down that goes from the top.
    var fromTop: Double {
        switch self {
        case .topLeft, .top, .topRight: 0
        case .left, .centre, .right: 0.5
        case .bottomLeft, .bottom, .bottomRight: 1
        }
    }
}
