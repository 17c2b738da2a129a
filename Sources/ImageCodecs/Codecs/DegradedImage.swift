/// A preview made of what has arrived so far: upright, of the final image's size and format.
public struct DegradedImage: Sendable {
    /// The picture.
    public let image: Image
    /// The share of the picture's information that has arrived, above 0 and at most 1; grows from one preview to the
    /// next. Of rows it is their share; of a thumbnail, that of its pixels; of both together, what each brings; of
    /// scans, that of the bits.
    public let quality: Double
    /// The previews of ``DecodeOptions/further`` in their order; nil for one of which nothing is there yet. Empty where the decoder makes
    /// none.
    public let further: [DegradedImage?]

    /// Creates a preview from a picture and the share of it that has arrived.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - quality: The share of the picture's information that has arrived.
    ///   - further: The previews of the further renditions; nil for one of which nothing is there yet.
    public init(image: Image, quality: Double, further: [DegradedImage?] = []) {
        self.image = image
        self.quality = quality
        self.further = further
    }
}
