/// A header field of a request or a response.
public struct HTTPField: Sendable, Hashable {
    /// The name, in any case: names are compared without it.
    public var name: String
    /// The value, as it is sent.
    public var value: String

    /// Creates a field of this name and value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
