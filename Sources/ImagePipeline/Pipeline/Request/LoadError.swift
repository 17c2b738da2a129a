/// An error that ended a load without an image.
public enum LoadError: Error, Sendable {
    /// The request cannot be served by this source, for the reason given.
    case unsupported(String)
    /// The server answered with a status that is not a success.
    case status(Int)
    /// The server asks to be asked again later, with this status.
    case busy(Int, retryAfter: Duration)
    /// The closure that prepares requests has failed.
    case preparation(reason: String)
    /// The body is empty, or something else than an image: its content type, as far as a server has named one, and how it begins.
    case notAnImage(contentType: String?, beginning: String)
    /// The transfer failed.
    case transport(TransportError)
    /// A file could not be read: its path, and the system's message.
    case file(path: String, reason: String)
    /// A file is not the one any more that was listed under its path (``PhotoAsset/request(as:)``).
    case fileChanged(path: String)
    /// The publisher of a request's bytes failed, for the reason given.
    case stream(reason: String)
    /// The request wants nothing but what a cache may serve, and there is nothing.
    case notCached
    /// A cached body could not be read to its end; the reason is the system's message.
    case cache(reason: String)
    /// The bytes are not an image, or not a whole one.
    case decode(DecodeError)
    /// The bytes are not a value of the kind that was requested, for the reason given.
    case value(reason: String)
    /// A processor failed on the image.
    case processing(ProcessingError)
    /// The final image had not come within this time, which its requester has set.
    case timedOut(Duration)
    /// The task that waited for the image was cancelled, or the load by its handle.
    case cancelled
}

extension LoadError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupported(let reason): reason
        case .status(let status): "the server answered with status \(status)"
        case .busy(let status, let delay): "the server answered with status \(status), to be asked again in \(delay)"
        case .preparation(let reason): "the request could not be prepared: \(reason)"
        case .notAnImage(let type, let beginning):
            (beginning.isEmpty
                ? "the body is empty" : "the body is no image; it begins with \(beginning.debugDescription)")
                + (type.map { " (\($0))" } ?? "")
        case .transport(let error): "\(error)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .fileChanged(let path): "\(path) has been replaced or changed since it was listed"
        case .stream(let reason): "the bytes could not be read: \(reason)"
        case .notCached: "no cache has it, and the request allows nothing else"
        case .cache(let reason): "the cached body could not be read: \(reason)"
        case .decode(let error): "\(error)"
        case .value(let reason): "the body could not be decoded: \(reason)"
        case .processing(let error): "\(error)"
        case .timedOut(let limit): "no final image within \(limit)"
        case .cancelled: "the load was cancelled"
        }
    }
}

extension LoadError {
    /// A Boolean value that indicates whether the same request may succeed a moment later: the network or the server had a bad moment.
    /// A request, a certificate or an image that is wrong stays wrong.
    public var isWorthRetrying: Bool {
        switch self {
        case .busy: true
        case .status(let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .transport(let error):
            switch error {
            case .nameNotFound, .couldNotConnect, .timedOut, .connectionLost, .truncated: true
            default: false
            }
        default: false
        }
    }

    /// Whether the server has no such resource any more: what is kept of it is of no use.
    var saysThatItIsGone: Bool {
        switch self {
        case .status(404), .status(410): true
        default: false
        }
    }
}
