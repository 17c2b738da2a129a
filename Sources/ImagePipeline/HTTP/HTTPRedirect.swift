/// A redirect on the way to a response.
public struct HTTPRedirect: Sendable {
    /// The status code, such as 302.
    public let status: Int
    /// The header fields in the order in which they came.
    public let headers: [HTTPField]
    /// The whole URL that it leads to, without its fragment.
    public let target: String

    /// Creates a redirect; see the properties.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - target: The whole URL that it leads to.
    public init(status: Int, headers: [HTTPField], target: String) {
        self.status = status
        self.headers = headers
        self.target = String(target.prefix { $0 != "#" })
    }

    /// A Boolean value that indicates whether it holds until its server says otherwise (RFC 9110, 15.4.2 and 15.4.9).
    var isPermanent: Bool { [301, 308].contains(status) }
}
