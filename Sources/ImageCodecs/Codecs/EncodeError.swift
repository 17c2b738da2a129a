import Files

/// An error that ended an encode.
public enum EncodeError: Error, Sendable, Hashable {
    /// The format cannot hold a picture of this size.
    case tooLarge(PixelSize, format: ImageFormat)
    /// The C library failed, with the message given.
    case failed(String, format: ImageFormat)
    /// The file could not be written; the code is the `errno` of the call that failed.
    case notWritten(code: Int32)
}

extension EncodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLarge(let size, let format): "\(format) cannot hold a picture of \(size)"
        case .failed(let message, let format): "the picture could not be written as \(format): \(message)"
        case .notWritten(let code): "the file could not be written: \(String(cString: strerror(code)))"
        }
    }
}
