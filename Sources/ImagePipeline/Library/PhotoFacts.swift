/// The facts about a photo that its file's first kilobytes state.
public struct PhotoFacts: Sendable, Hashable {
    /// The size of the upright picture in pixels.
    public let size: PixelSize
    /// The orientation in which the picture is stored.
    public let orientation: Orientation
    /// The date and time of day at which the picture was taken, by the camera's clock; nil where the file does not say.
    public let captureDate: CaptureDate?

    /// Creates facts.
    ///
    /// - Parameters:
    ///   - size: The size of the upright picture in pixels.
    ///   - orientation: The orientation in which the picture is stored.
    ///   - captureDate: The date and time of day at which the picture was taken.
    public init(size: PixelSize, orientation: Orientation = .up, captureDate: CaptureDate? = nil) {
        self.size = size
        self.orientation = orientation
        self.captureDate = captureDate
    }
}
