/// A decoder of one file format: the protocol to implement for adding a format.
///
/// Add the type to ``ImageDecoders``, and hand those to ``DecodeOptions/decoders`` or to a pipeline: <doc:AddAFormat>.
///
/// It is driven by ``ContentDecoder``, which passes it all bytes from the first one on, bounds the file's length, and calls
/// nothing any more after an error or after ``ImageDecoder/finish()``. The format's own limits, cancellation and time are the
/// decoder's: ``DecodedRows`` looks after them.
///
/// In a pipeline one call comes after the other, on threads of the scheduler that decodes. No lock is held meanwhile: a call may
/// wait, send, request or cancel as it likes. If its own load is cancelled inside a call, that one is the last, and the decoder
/// is released when it returns.
public protocol FormatDecoder: ImageDecoder, SendableMetatype {
    /// The format that the type decodes.
    static var format: ImageFormat { get }

    /// The number of a file's first bytes that suffice to recognize the format.
    static var signatureLength: Int { get }

    /// Returns a Boolean value that indicates whether a file that begins with the given bytes is of this format.
    ///
    /// - Parameter prefix: ``signatureLength`` bytes or more.
    static func recognizes(_ prefix: [UInt8]) -> Bool

    /// Creates a decoder for one file.
    ///
    /// - Parameter options: The rendition, and the limits of the decode.
    init(options: DecodeOptions)
}
