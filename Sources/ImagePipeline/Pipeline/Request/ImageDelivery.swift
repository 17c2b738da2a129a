/// The images that a load delivers before it completes.
public enum ImageDelivery: Sendable, Hashable {
    /// Degraded images as they come, each better than the one before, then the final image.
    case opportunistic
    /// The final image alone.
    case highQuality
    /// The first image of at least this quality, from 0 to 1, as the final one; the load ends with it. Where that is a preview, its stage is
    /// ``Provenance/preview``, and no cache keeps it. An image that was whole a moment ago and may be out of date does not end it.
    case fast(quality: Double)

    /// The first image that shows about a quarter of the picture, as the final one.
    public static let fast = ImageDelivery.fast(quality: 0.25)
}

extension ImageRequest {
    /// A Boolean value that determines whether degraded images are delivered before the final one: every ``delivery`` but
    /// ``ImageDelivery/highQuality``.
    public var previews: Bool {
        get { delivery != .highQuality }
        set {
            guard newValue != previews else { return }
            delivery = newValue ? .opportunistic : .highQuality
        }
    }

    /// A request for a lesser image of the same picture, shown until a better one of this request comes: a smaller file that a server offers.
    ///
    ///     var request = ImageRequest("https://example.com/7.jpg", as: .fit(box))
    ///     request.preview = ImageRequest("https://example.com/7-small.jpg", as: .fit(box))
    ///
    /// Both are loaded at once, unless this one is in memory. The lesser one comes as degraded images, the best of them of quality 0.5, and keeps the size
    /// that it was requested in. It is cancelled when something better is there, and its failure goes unnoticed. Degraded images of both are made
    /// whether they are requested or not. Nil for none.
    public var preview: ImageRequest? {
        get { previewRequests.first }
        set { previewRequests = newValue.map { [$0] } ?? [] }
    }
}
