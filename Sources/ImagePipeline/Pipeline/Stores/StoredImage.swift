/// An image as a file in a store, with what the file does not say.
struct StoredImage: Sendable {
    /// The metadata beside the file: a version, and the facts that bring back the image as it was.
    struct Facts: Sendable, Hashable {
        var isLossy: Bool
        var fileFormat: ImageFormat
        var pixelFormat: PixelFormat
        var orientation: Orientation
        /// The moment until which it may be served without asking anybody, since 1970; nil for ever.
        var freshUntil: Duration?
        var asking: Asking
    }

    /// The moment since 1970 at which a server was asked for an image. For one of a cache that is not known: it is that at which its load
    /// began, and says only that the image is no newer.
    struct Asking: Sendable, Hashable {
        var time: Duration
        var isKnown: Bool
    }

    let facts: Facts
    let bytes: [UInt8]

    init(facts: Facts, bytes: [UInt8]) {
        self.facts = facts
        self.bytes = bytes
    }

    /// Encodes an image; it may take some milliseconds.
    ///
    /// - Parameters:
    ///   - provenance: Of the image, which may have lost something before.
    ///   - asking: The moment at which its server was asked.
    init(
        _ image: Image, _ provenance: Provenance, as form: StoredForm, freshUntil: Duration?, asking: Asking
    ) throws(EncodeError) {
        let encoding = form.encoding(of: image)
        bytes = try image.encoded(as: encoding, metadata: .all, profile: .keep)
        facts = Facts(
            isLossy: provenance.isLossy || encoding.format == .jpeg, fileFormat: encoding.format,
            pixelFormat: image.format, orientation: image.metadata.storedOrientation, freshUntil: freshUntil,
            asking: asking)
    }

    /// Decodes it to what was kept, but for what a JPEG loses.
    func image(limits: DecodeLimits, isCancelled: @escaping @Sendable () -> Bool) throws(DecodeError) -> Image {
        // No sample is to mean something else than it did.
        let rendition = Rendition(
            keepsDepth: facts.pixelFormat.isDeep, appliesGamma: false, damage: .refuse)
        let decoded = try Image.decode(
            bytes, options: DecodeOptions(as: rendition, limits: limits, previews: false, isCancelled: isCancelled))
        var metadata = decoded.metadata
        metadata.storedOrientation = facts.orientation
        return decoded.converted(to: facts.pixelFormat).withICCProfile(decoded.iccProfile).withMetadata(metadata)
    }
}

extension StoredImage.Facts {
    private static let version: UInt8 = 2
    private static let size = 22
    private static let never = Duration.milliseconds(Int64.max)

    /// Reads them; nil for what is none, or is of another version.
    init?(metadata bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes[0] == Self.version, bytes[1] < 2, bytes[2] < 2,
            Int(bytes[3]) < PixelFormat.allCases.count, let orientation = Orientation(rawValue: Int(bytes[4]))
        else { return nil }
        guard bytes[5] < 2, let end = Duration(stored: bytes[6..<14]), let asked = Duration(stored: bytes[14...]) else {
            return nil
        }
        self.init(
            isLossy: bytes[1] == 1, fileFormat: bytes[2] == 0 ? .jpeg : .png,
            pixelFormat: PixelFormat.allCases[Int(bytes[3])], orientation: orientation,
            freshUntil: end == Self.never ? nil : end, asking: StoredImage.Asking(time: asked, isKnown: bytes[5] == 1))
    }

    var metadata: [UInt8] {
        let format = PixelFormat.allCases.firstIndex(of: pixelFormat) ?? 0
        return [
            Self.version, isLossy ? 1 : 0, fileFormat == .jpeg ? 0 : 1, UInt8(format), UInt8(orientation.rawValue),
            asking.isKnown ? 1 : 0,
        ] + (freshUntil ?? Self.never).storedBytes + asking.time.storedBytes
    }

    /// The content type of the file.
    var contentType: String { fileFormat == .jpeg ? "image/jpeg" : "image/png" }

    /// The provenance of the image at a moment since 1970. If that is before its own time the clock was wrong, and says nothing of its age.
    func provenance(at now: Duration) -> Provenance {
        let freshness = freshUntil.map { asking.time > now ? .zero : max(.zero, $0 - now) }
        var provenance = Provenance(.disk, freshFor: freshness, isLossy: isLossy)
        if asking.isKnown { provenance.asked = AskingTime(noted: asking.time) }
        return provenance
    }

    /// Whether its server was asked later than at a moment, by a clock that is not behind it.
    func isNewer(than asked: Duration, at now: Duration) -> Bool {
        asking.isKnown && asking.time > asked && asking.time <= now
    }
}
