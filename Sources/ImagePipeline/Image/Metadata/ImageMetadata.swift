/// What a file says of its picture beside the picture itself. It travels with an image through every step, and into the files
/// written of it.
public struct ImageMetadata: Sendable, Hashable {
    /// How the picture was stored. The image itself is upright, and so are files written of it.
    public var storedOrientation: Orientation
    /// When the picture was taken.
    public var captureDate: CaptureDate?
    /// Where it was taken. Written to files only where that is asked for: see ``WrittenMetadata``.
    public var position: GeographicPosition?
    /// How close to each other its pixels are meant to be. Resizing leaves it as it is.
    public var density: PixelDensity?

    /// What is known.
    public init(
        storedOrientation: Orientation = .up, captureDate: CaptureDate? = nil, position: GeographicPosition? = nil,
        density: PixelDensity? = nil
    ) {
        self.storedOrientation = storedOrientation
        self.captureDate = captureDate
        self.position = position
        self.density = density
    }
}
