/// A decoder that is given a file's bytes as they arrive.
///
/// Not thread-safe: it may move from thread to thread, but is used by one at a time. After an error every further call
/// throws it again. Memory in use: the image handed out, and what ``DecodeLimits/workingBytes`` bounds.
///
/// ``ContentDecoder`` is one for all known formats; a decoder of one format is a ``FormatDecoder``.
public protocol ImageDecoder: AnyObject {
    /// Decodes as far as these bytes allow; bytes not consumed yet are kept. Chunks may have any size: the result is the
    /// same. Bytes behind the end of the picture are ignored.
    ///
    /// - Parameter bytes: The next bytes of the file.
    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError)

    /// Returns the newest degraded image, if ``DecodeOptions/previews`` asks for them and it is newer than the last one
    /// taken. It is rendered by this call, from what is decoded: no byte is decoded twice. A file has eight at most,
    /// each of a higher quality than the one before, and none once the final image is there.
    func takePreview() throws(DecodeError) -> DegradedImage?

    /// A Boolean value that indicates whether the final image is complete before the file's end, so that the rest need
    /// not be loaded. (Rows below the part that fills a box, scans of a progressive JPEG that the size asked for does
    /// not show.)
    var needsNoMoreBytes: Bool { get }

    /// The bytes that the decode holds at the most, images included; nil until that is known, and where the decoder cannot say.
    ///
    /// A pipeline begins further decodes by it.
    var memoryNeeded: Int? { get }

    /// Ends the input, and returns the final image, complete and upright.
    ///
    /// A truncated file throws, unless only what follows the picture is missing, or what the size asked for does not show
    /// (``needsNoMoreBytes``).
    func finish() throws(DecodeError) -> Image

    /// The images of ``DecodeOptions/further`` in their order, once ``finish()`` has returned the first; empty where the decoder makes none.
    var furtherImages: [Image] { get }
}

extension ImageDecoder {
    /// Returns nil: a decoder need not make previews.
    public func takePreview() throws(DecodeError) -> DegradedImage? { nil }

    /// Empty by default: a decoder may make several images in one pass, and need not.
    public var furtherImages: [Image] { [] }

    /// Returns nil: a decoder need not know.
    public var memoryNeeded: Int? { nil }

    /// `false`: by default all bytes are waited for.
    public var needsNoMoreBytes: Bool { false }

    /// Decodes as far as the bytes of an array allow; see ``append(_:)-(UnsafeRawBufferPointer)``.
    ///
    /// - Parameter bytes: The next bytes of the file.
    public func append(_ bytes: [UInt8]) throws(DecodeError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DecodeError) in
            try append(UnsafeRawBufferPointer(buffer))
        }
    }
}
