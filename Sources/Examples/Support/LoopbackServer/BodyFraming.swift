/// How the end of a reply's body is made known (RFC 9112, section 6.3).
public enum BodyFraming: Sendable, Hashable {
    /// By `Content-Length`.
    case contentLength
    /// In chunks of at most this many bytes.
    case chunked(Int)
    /// By the end of the connection.
    case untilClose
}
