/// A file format, by its name: those of this library, and whatever a ``FormatDecoder`` of one's own decodes.
public struct ImageFormat: RawRepresentable, Sendable, Hashable {
    /// The name: what errors tell it by.
    public let rawValue: String

    /// A format by its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// JPEG (ITU-T T.81).
    public static let jpeg = ImageFormat(rawValue: "jpeg")
    /// PNG (W3C, third edition).
    public static let png = ImageFormat(rawValue: "png")

    /// The format that begins with these bytes; `nil` if none does, or if there are too few of them. Names and media types are
    /// not asked.
    ///
    /// - Parameter decoders: those whose formats are known.
    public static func detect(
        _ prefix: some Collection<UInt8>, among decoders: ImageDecoders = .standard
    ) -> ImageFormat? {
        decoders.decoder(for: Array(prefix.prefix(decoders.longestSignature)), isWhole: true)?.format
    }
}

extension ImageFormat: CustomStringConvertible {
    public var description: String { rawValue }
}
