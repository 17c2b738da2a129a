/// The facts that a file states about its picture. They travel with an image through every step, and into the files
/// written of it.
///
/// It is read from what stands before the picture's own data, or, in a PNG, behind them, and only what is sound: a fact that is damaged, or that cannot be, is `nil`.
public struct ImageMetadata: Sendable, Hashable {
    /// The orientation in which the picture was stored. The image itself is upright, and so are files written of it.
    public var storedOrientation: Orientation
    /// The date at which the picture was taken: Exif's DateTimeOriginal, else DateTimeDigitized (when it was digitized), else
    /// DateTime (when the file was last changed).
    public var captureDate: CaptureDate?
    /// The place at which the picture was taken, by Exif's GPS data. Written to files only where that is asked for: see
    /// ``WrittenMetadata``.
    public var position: GeographicPosition?
    /// The number of pixels per inch at which the picture is meant to be shown or printed. Resizing leaves it as it is.
    public var density: PixelDensity?
    /// The power of light that samples are, by a PNG's `gAMA` chunk: 1 is light itself. `nil` where the file says nothing of it, or says it
    /// otherwise (sRGB, an ICC profile), and where it has been applied, which it is unless ``Rendition/appliesGamma`` says otherwise
    /// or it is near sRGB's (0.45455). It is written to PNG files; to a JPEG, which has no place for it, samples go converted.
    public var gamma: Double?
    /// The damage of the file, in spite of which the picture is shown; `nil` for a picture that is whole. See ``DamagePolicy``. It is
    /// not written to files.
    public var damage: ImageDamage?

    /// Creates metadata from the facts that are known.
    ///
    /// - Parameters:
    ///   - storedOrientation: The orientation in which the picture was stored.
    ///   - captureDate: The date at which the picture was taken.
    ///   - position: The place at which the picture was taken.
    ///   - density: The number of pixels per inch.
    ///   - gamma: The power of light that samples are.
    ///   - damage: The damage of the file.
    public init(
        storedOrientation: Orientation = .up, captureDate: CaptureDate? = nil, position: GeographicPosition? = nil,
        density: PixelDensity? = nil, gamma: Double? = nil, damage: ImageDamage? = nil
    ) {
        self.storedOrientation = storedOrientation
        self.captureDate = captureDate
        self.position = position
        self.density = density
        self.gamma = gamma
        self.damage = damage
    }
}
