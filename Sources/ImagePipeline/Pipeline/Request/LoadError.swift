/// Why a load ended without an image.
public enum LoadError: Error, Sendable {
    /// The request cannot be served by this source, and why.
    case unsupported(String)
    /// The server answered with a status that is not a success.
    case status(Int)
    /// The transfer failed.
    case transport(TransportError)
    /// A file could not be read: its path, and what the system said.
    case file(path: String, reason: String)
    /// A cached body could not be read to its end, and what the system said.
    case cache(reason: String)
    /// The bytes are not an image, or not a whole one.
    case decode(DecodeError)
    /// The bytes are not a value of the kind that was asked for, and why.
    case value(reason: String)
    /// A processor made nothing of the image.
    case processing(ProcessingError)
    /// The task that waited for the image was cancelled.
    case cancelled
}

extension LoadError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsupported(let reason): reason
        case .status(let status): "the server answered with status \(status)"
        case .transport(let error): "\(error)"
        case .file(let path, let reason): "\(path): \(reason)"
        case .cache(let reason): "the cached body could not be read: \(reason)"
        case .decode(let error): "\(error)"
        case .value(let reason): "the body could not be decoded: \(reason)"
        case .processing(let error): "\(error)"
        case .cancelled: "the load was cancelled"
        }
    }
}
