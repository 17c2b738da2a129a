/// A decoder that is given a file's bytes as they arrive.
///
/// Not thread-safe: it may move from thread to thread, but is used by one at a time. After an error every further call
/// throws it again. Memory in use: the image handed out, and what ``DecodeLimits/workingBytes`` bounds.
///
/// ``ContentDecoder`` is one for all known formats; a decoder of one format is a ``FormatDecoder``.
public protocol ImageDecoder: AnyObject {
    /// Decodes as far as these bytes allow; bytes not consumed yet are kept. Chunks may have any size: the result is the
    /// same. Bytes behind the end of the picture are ignored.
    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError)

    /// The newest degraded image, if ``DecodeOptions/previews`` asks for them and it is newer than the last one taken.
    /// It is rendered by this call, from what is decoded: no byte is decoded twice. A file has eight at most, each of a higher
    /// quality than the one before, and none once the final image is there.
    func takePreview() throws(DecodeError) -> DegradedImage?

    /// Whether the final image is there before the file's end: what follows shows nothing of it, and need not be loaded. (Rows below
    /// the part that fills a box, scans of a progressive JPEG that the size asked for does not show.)
    var needsNoMoreBytes: Bool { get }

    /// Says that no more bytes will come, and gives the final image, complete and upright.
    ///
    /// A truncated file throws, unless only what follows the picture is missing, or what the size asked for does not show
    /// (``needsNoMoreBytes``).
    func finish() throws(DecodeError) -> Image
}

extension ImageDecoder {
    /// None.
    public func takePreview() throws(DecodeError) -> DegradedImage? { nil }

    /// `false`: all bytes are waited for.
    public var needsNoMoreBytes: Bool { false }

    /// ``append(_:)-(UnsafeRawBufferPointer)`` for an array.
    public func append(_ bytes: [UInt8]) throws(DecodeError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DecodeError) in
            try append(UnsafeRawBufferPointer(buffer))
        }
    }
}
