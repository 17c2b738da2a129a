/// An error that ended a transfer.
public enum TransportError: Error, Sendable, Hashable {
    /// The URL cannot be read, or has another scheme than `http` and `https`.
    case invalidURL(String)
    /// The connection could not be made: the name is unknown, or no server listens.
    case couldNotConnect(String)
    /// The connection, or the next bytes on it, took too long.
    case timedOut(String)
    /// The body ended before its announced length.
    case truncated(received: Int)
    /// The server redirected more often than is allowed.
    case tooManyRedirects
    /// The transfer failed for another reason, in libcurl's words.
    case failed(String)
}

extension TransportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let url): "not an http or https URL: \(url)"
        case .couldNotConnect(let reason): "could not connect: \(reason)"
        case .timedOut(let reason): "timed out: \(reason)"
        case .truncated(let received): "the body ended after \(received) bytes, before its announced length"
        case .tooManyRedirects: "too many redirects"
        case .failed(let reason): reason
        }
    }
}
