/// Why an image could not be written in a format.
public enum EncodeError: Error, Sendable, Hashable {
    /// The format cannot hold a picture of this size.
    case tooLarge(PixelSize, format: ImageFormat)
    /// The C library's words.
    case failed(String, format: ImageFormat)
    /// The file could not be written; the `errno` of the call that failed.
    case notWritten(code: Int32)
}
