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
    }

    let facts: Facts
    let bytes: [UInt8]

    init(facts: Facts, bytes: [UInt8]) {
        self.facts = facts
        self.bytes = bytes
    }

    /// Encodes an image; it may take some milliseconds.
    ///
    /// - Parameter provenance: Of the image, which may have lost something before.
    init(
        _ image: Image, _ provenance: Provenance, as form: StoredForm, freshUntil: Duration?
    ) throws(EncodeError) {
        let encoding = form.encoding(of: image)
        bytes = try image.encoded(as: encoding, metadata: .all, profile: .keep)
        facts = Facts(
            isLossy: provenance.isLossy || encoding.format == .jpeg, fileFormat: encoding.format,
            pixelFormat: image.format, orientation: image.metadata.storedOrientation, freshUntil: freshUntil)
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
    private static let version: UInt8 = 1
    private static let size = 13
    private static let never = Duration.milliseconds(Int64.max)

    /// Reads them; nil for what is none, or is of another version.
    init?(metadata bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes[0] == Self.version, bytes[1] < 2, bytes[2] < 2,
            Int(bytes[3]) < PixelFormat.allCases.count, let orientation = Orientation(rawValue: Int(bytes[4]))
        else { return nil }
        guard let end = Duration(stored: bytes[5...]) else { return nil }
        self.init(
            isLossy: bytes[1] == 1, fileFormat: bytes[2] == 0 ? .jpeg : .png,
            pixelFormat: PixelFormat.allCases[Int(bytes[3])], orientation: orientation,
            freshUntil: end == Self.never ? nil : end)
    }

    var metadata: [UInt8] {
        let format = PixelFormat.allCases.firstIndex(of: pixelFormat) ?? 0
        return [
            Self.version, isLossy ? 1 : 0, fileFormat == .jpeg ? 0 : 1, UInt8(format), UInt8(orientation.rawValue),
        ] + (freshUntil ?? Self.never).storedBytes
    }

    /// The content type of the file.
    var contentType: String { fileFormat == .jpeg ? "image/jpeg" : "image/png" }

    /// The provenance of the image at a moment since 1970.
    func provenance(at now: Duration) -> Provenance {
        Provenance(.disk, freshFor: freshUntil.map { max(.zero, $0 - now) }, isLossy: isLossy)
    }
}
