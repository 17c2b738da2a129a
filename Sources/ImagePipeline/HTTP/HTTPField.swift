/// A header field of a request or a response.
public struct HTTPField: Sendable, Hashable {
    /// The name, in any case: names are compared without it.
    public var name: String
    /// The value, as it is sent.
    public var value: String
    /// A Boolean value that indicates whether the field is for the origin that was asked first, and does not follow a redirect elsewhere.
    public var isPrivate: Bool

    /// Creates a field of this name and value.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The value.
    ///   - isPrivate: A Boolean value that determines whether the field stays at its origin. By default every field
    ///     does but those by which a client negotiates with any server alike, such as `Accept-Language`. `Authorization`
    ///     and `Cookie` always stay.
    public init(_ name: String, _ value: String, isPrivate: Bool? = nil) {
        self.name = name
        self.value = value
        self.isPrivate = isPrivate ?? !Self.negotiating.contains(name.lowercased())
    }

    /// A Boolean value that indicates whether the field stays at its origin, whatever was said of it.
    var staysAtOrigin: Bool {
        isPrivate || ["authorization", "cookie", "proxy-authorization", "host"].contains(name.lowercased())
    }

    private static let negotiating: Set<String> = [
        "accept", "accept-charset", "accept-language", "cache-control", "if-match", "if-modified-since",
        "if-none-match",
        "if-range", "if-unmodified-since", "pragma", "range", "user-agent",
    ]

    /// A Boolean value that indicates whether this is the field's name, whose case does not matter.
    ///
    /// - Parameter lowercase: The name in lower case.
    func isNamed(_ lowercase: String) -> Bool {
        name.utf8.count == lowercase.utf8.count
            && name.utf8.elementsEqual(lowercase.utf8) { (65...90).contains($0) ? $0 + 32 == $1 : $0 == $1 }
    }

    /// A Boolean value that indicates whether one of these is the field's name.
    ///
    /// - Parameter lowercase: The names in lower case.
    func isNamed(oneOf lowercase: [String]) -> Bool { lowercase.contains { isNamed($0) } }

    /// A field's text without the spaces and tabs around it.
    static func trimmed(_ text: Substring) -> String {
        String(Substring(trimmed(text.utf8)))
    }

    /// Bytes without the spaces and tabs around them.
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        let isText: (UInt8) -> Bool = { $0 != 32 && $0 != 9 }
        guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else {
            return bytes[bytes.endIndex...]
        }
        return bytes[first...last]
    }
}

extension [HTTPField] {
    /// The values of a field, in their order.
    ///
    /// - Parameter name: The name in lower case.
    func values(_ name: String) -> [String] {
        var values: [String] = []
        for field in self where field.isNamed(name) { values.append(field.value) }
        return values
    }
}
