/// The decoders that files are given to, by what their first bytes say.
///
/// The first one that knows a file's beginning gets it: order is precedence.
public struct ImageDecoders: Sendable {
    private var types: [any FormatDecoder.Type]

    /// Those given, the first one first.
    public init(_ types: [any FormatDecoder.Type]) {
        self.types = types
    }

    /// JPEG and PNG.
    public static let standard = ImageDecoders([JPEGDecoder.self, PNGDecoder.self])

    /// These and one more, which gets what none of these knows.
    public func adding(_ type: any FormatDecoder.Type) -> ImageDecoders {
        ImageDecoders(types + [type])
    }

    /// The formats known, in the order in which they are looked for.
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
