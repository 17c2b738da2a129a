/// A picture of what has arrived so far: upright, of the final image's size and format.
public struct DegradedImage: Sendable {
    /// The picture.
    public let image: Image
    /// Share of the picture's information that has arrived, above 0, below or equal to 1; grows from one to the next. Of rows it is
    /// their share; of a thumbnail, that of its pixels; of both together, what each brings; of scans, that of the bits.
    public let quality: Double

    /// A picture, and how much of it has arrived.
    public init(image: Image, quality: Double) {
        self.image = image
        self.quality = quality
    }
}
