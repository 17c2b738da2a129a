/// The name of a file format: one of this library's, or one that a ``FormatDecoder`` of one's own decodes.
public struct ImageFormat: RawRepresentable, Sendable, Hashable {
    /// The name, which errors show.
    public let rawValue: String

    /// Creates a format with a name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JPEG (ITU-T T.81).
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG (W3C, third edition).
    public static let png = ImageFormat(rawValue: "png")

    /// Returns the format that begins with the given bytes; `nil` if none does, or if there are too few of them. Names
    /// and media types are not asked.
    ///
    /// - Parameters:
    ///   - prefix: The first bytes of a file.
    ///   - decoders: The decoders whose formats are known.
    public static func detect(
        _ prefix: some Collection<UInt8>, among decoders: ImageDecoders = .standard
    ) -> ImageFormat? {
        decoders.decoder(for: Array(prefix.prefix(decoders.longestSignature)), isWhole: true)?.format
    }
}

extension ImageFormat: CustomStringConvertible {
    public var description: String { rawValue }
}
