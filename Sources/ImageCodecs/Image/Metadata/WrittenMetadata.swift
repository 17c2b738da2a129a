/// The metadata that is written into a file beside its picture. What the samples mean, an ICC profile or a PNG's gamma,
/// always does.
public struct WrittenMetadata: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The option to write ``ImageMetadata/density``.
    public static let density = WrittenMetadata(rawValue: 1)
    /// The option to write ``ImageMetadata/captureDate``.
    public static let captureDate = WrittenMetadata(rawValue: 2)
    /// The option to write ``ImageMetadata/position``. It tells everybody who is given the file where its photographer
    /// was.
    public static let position = WrittenMetadata(rawValue: 4)

    /// The default: all metadata but the position.
    public static let standard: WrittenMetadata = [.density, .captureDate]
    /// All metadata, including the position.
    public static let all: WrittenMetadata = [.standard, .position]
}

extension ImageMetadata {
    /// The facts that are to be written.
    func limited(to written: WrittenMetadata) -> ImageMetadata {
        ImageMetadata(
            captureDate: written.contains(.captureDate) ? captureDate : nil,
            position: written.contains(.position) ? position : nil,
            density: written.contains(.density) ? density : nil, gamma: gamma)
    }
}
