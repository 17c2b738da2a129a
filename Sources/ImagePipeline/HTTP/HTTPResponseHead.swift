/// The final response's beginning.
public struct HTTPResponseHead: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields in the order in which they came.
    public let headers: [HTTPField]
    /// The length of the body in bytes, if the server says so and nothing has to be decoded.
    public let contentLength: Int?

    /// Whether a body that was cut short fails the transfer: its length was announced, or it comes in chunks or frames. If
    /// it goes on until the connection ends, nobody can tell.
    public let isDelimited: Bool

    public init(status: Int, headers: [HTTPField], contentLength: Int?, isDelimited: Bool) {
        self.status = status
        self.headers = headers
        self.contentLength = contentLength
        self.isDelimited = isDelimited
    }

    /// The values of a field, in the order in which they came; its name in any case.
    public subscript(name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
