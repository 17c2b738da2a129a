/// The first damage of a file whose picture is shown in spite of it.
public struct ImageDamage: Sendable, Hashable {
    /// A kind of damage.
    public enum Kind: Sendable, Hashable {
        /// The bytes end before the picture does.
        case truncated
        /// The bytes contradict the format; the message is the C library's or names the rule.
        case corrupt(String)
    }

    /// The kind of the damage.
    public var kind: Kind
    /// The number of bytes of the file in front of it; a few more or less, as the C libraries read ahead.
    public var byteOffset: Int
    /// The number of the first row of the stored picture that it concerns, if the file has its rows in order.
    public var row: Int?

    /// Creates a note of damage.
    ///
    /// - Parameters:
    ///   - kind: The kind of the damage.
    ///   - byteOffset: The number of bytes of the file in front of it.
    ///   - row: The number of the first row that it concerns.
    public init(_ kind: Kind, byteOffset: Int, row: Int? = nil) {
        self.kind = kind
        self.byteOffset = byteOffset
        self.row = row
    }
}

extension ImageDamage: CustomStringConvertible {
    public var description: String {
        let place = "byte \(byteOffset)" + (row.map { ", row \($0)" } ?? "")
        return switch kind {
        case .truncated: "truncated (\(place))"
        case .corrupt(let message): "corrupt: \(message) (\(place))"
        }
    }
}
