/// The file formats this library reads and writes.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case jpeg
    case png

    /// How many leading bytes decide for certain.
    static let signatureLength = 8

    /// The format that begins with these bytes; `nil` if none does. Names and media types are not asked.
    ///
    /// JPEG: SOI and the first byte of a marker (T.81 B.1.1); PNG: its 8-byte signature.
    public static func detect(_ prefix: some Collection<UInt8>) -> ImageFormat? {
        if prefix.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if prefix.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        return nil
    }
}
