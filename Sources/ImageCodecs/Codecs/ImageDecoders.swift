/// A list of decoders, of which a file's first bytes select one.
///
/// The first one that knows a file's beginning gets it: order is precedence.
public struct ImageDecoders: Sendable {
    private var types: [any FormatDecoder.Type]

    /// Creates a list of decoders, which are tried in this order.
    ///
    /// - Parameter types: The types of the decoders, in the order in which they are tried.
    public init(_ types: [any FormatDecoder.Type]) {
        self.types = types
    }

    /// The decoders of JPEG and PNG.
    public static let standard = ImageDecoders([JPEGDecoder.self, PNGDecoder.self])

    /// Returns the list with one more decoder, which is tried after all others.
    ///
    /// - Parameter type: The type of the decoder to add.
    public func adding(_ type: any FormatDecoder.Type) -> ImageDecoders {
        ImageDecoders(types + [type])
    }

    /// The known formats, in the order in which they are looked for.
    public var formats: [ImageFormat] { types.map { $0.format } }

    /// How many bytes tell for certain, whatever the format.
    var longestSignature: Int { types.reduce(0) { max($0, $1.signatureLength) } }

    /// The decoder for a file that begins with `prefix`; `nil` while bytes are missing that decide, and when none knows it.
    ///
    /// One that needs more bytes than there are keeps those behind it waiting: it might yet be the first to know the file.
    ///
    /// - Parameter isWhole: no more bytes will come.
    func decoder(for prefix: [UInt8], isWhole: Bool) -> (any FormatDecoder.Type)? {
        for type in types {
            guard prefix.count >= type.signatureLength else {
                if isWhole { continue }
                return nil
            }
            if type.recognizes(prefix) { return type }
        }
        return nil
    }
}
