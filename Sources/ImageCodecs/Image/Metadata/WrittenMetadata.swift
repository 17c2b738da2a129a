/// Which facts go into a file beside its picture. What the samples mean, an ICC profile or a PNG's gamma, always does.
public struct WrittenMetadata: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// ``ImageMetadata/density``.
    public static let density = WrittenMetadata(rawValue: 1)
    /// ``ImageMetadata/captureDate``.
    public static let captureDate = WrittenMetadata(rawValue: 2)
    /// ``ImageMetadata/position``. It tells everybody who is given the file where its photographer was.
    public static let position = WrittenMetadata(rawValue: 4)

    /// All but the position: what is written where nothing else is said.
    public static let standard: WrittenMetadata = [.density, .captureDate]
    /// All there is, the position too.
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
