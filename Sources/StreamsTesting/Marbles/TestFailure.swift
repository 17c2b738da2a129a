/// The failure of test publishers and of marbles.
public struct TestFailure: Error, Hashable, CustomStringConvertible {
    /// What tells it from others.
    public let label: String

    public init(_ label: String = "✕") {
        self.label = label
    }

    public var description: String { label }
}
