/// One header field of a request or a reply. Fields are kept as a list, not as a dictionary: order and repetitions are
/// part of what a client has to cope with.
public struct Header: Sendable, Hashable {
    /// The field's name, as it stands on the wire. Names compare without regard to case.
    public var name: String
    /// The field's value, without the white space around it.
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension Sequence<Header> {
    /// The value of the first field of this name (in any case), or `nil`.
    public func value(_ name: String) -> String? {
        let wanted = name.lowercased()
        return first { $0.name.lowercased() == wanted }?.value
    }
}
