/// The failure of test publishers and of marbles.
public struct TestFailure: Error, Hashable, CustomStringConvertible {
    /// The text that distinguishes the failure from others.
    public let label: String

    /// Creates a failure; the default is that of the marble `✕`.
    ///
    /// - Parameter label: The text that distinguishes the failure from others.
    public init(_ label: String = "✕") {
        self.label = label
    }

    public var description: String { label }
}
