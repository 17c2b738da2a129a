/// The status and the header fields of the final response.
public struct HTTPResponseHead: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields in the order in which they came.
    public let headers: [HTTPField]
    /// The length of the body in bytes, if the server announced it and nothing has to be decoded.
    public let contentLength: Int?

    /// A Boolean value that indicates whether a body that was cut short fails the transfer: its length was announced,
    /// or it comes in chunks. If it goes on until its connection or its stream of HTTP/2 ends, that cannot be known.
    public let isDelimited: Bool

    /// The redirects that have led here, in their order; empty where the URL that was asked for has answered itself.
    public let redirects: [HTTPRedirect]

    /// The statuses of answers that are what was asked for: as the server has it, or changed by a proxy on the way (RFC 9110, 15.3.4).
    static let wholeStatuses = [200, 203]

    var isWhole: Bool { Self.wholeStatuses.contains(status) }

    /// Creates a head; see the properties.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields in the order in which they came.
    ///   - contentLength: The length of the body in bytes, if the server announced it and nothing has to be decoded.
    ///   - isDelimited: A Boolean value that indicates whether a body that was cut short fails the transfer.
    ///   - redirects: The redirects that have led here, in their order.
    public init(
        status: Int, headers: [HTTPField], contentLength: Int?, isDelimited: Bool, redirects: [HTTPRedirect] = []
    ) {
        self.status = status
        self.headers = headers
        self.contentLength = contentLength
        self.isDelimited = isDelimited
        self.redirects = redirects
    }

    /// Returns the values of a field, in the order in which they came; the case of its name does not matter.
    ///
    /// - Parameter name: The name, for reports.
    public subscript(name: String) -> [String] {
        headers.values(name.lowercased())
    }
}
