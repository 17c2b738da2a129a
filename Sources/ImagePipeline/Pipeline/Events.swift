/// The stage that an image, or its bytes, came from.
public enum Provenance: String, Sendable, Hashable {
    case memory, disk, network, file, data
}

/// What a source of bytes delivers: one response, then the body in chunks, then its completion.
public enum DataEvent: Sendable {
    /// The body begins.
    case response(DataResponse)
    /// The next bytes of the body; never empty.
    case chunk([UInt8])
}

/// What is known of a body before its first byte.
public struct DataResponse: Sendable {
    /// Where it comes from.
    public var provenance: Provenance
    /// How long the body will be, in bytes, if that is known.
    public var expectedLength: Int?
    /// The final status, of HTTP; nil elsewhere.
    public var status: Int?
    /// Whether a cache may keep it.
    public var isStorable: Bool

    /// What is known of a body; see the properties.
    public init(provenance: Provenance, expectedLength: Int? = nil, status: Int? = nil, isStorable: Bool = true) {
        self.provenance = provenance
        self.expectedLength = expectedLength
        self.status = status
        self.isStorable = isStorable
    }
}

/// What a source of images delivers: `(progress | degraded)* (final finished | failure)`.
public enum ImageEvent: Sendable {
    /// Bytes have arrived.
    case progress(Progress)
    /// A preview of the final image, at its size; `quality` grows from 0 towards 1.
    case degraded(Image, quality: Double)
    /// The image. There is exactly one, and the stream finishes behind it.
    case final(Image, Provenance)

    /// How far the bytes have come.
    public struct Progress: Sendable, Hashable {
        /// Bytes received.
        public var received: Int
        /// Bytes in all, if that is known.
        public var expected: Int?

        /// So many bytes.
        public init(received: Int, expected: Int? = nil) {
            self.received = received
            self.expected = expected
        }
    }

    /// The image to show, degraded or final.
    public var image: Image? {
        switch self {
        case .progress: nil
        case .degraded(let image, quality: _), .final(let image, _): image
        }
    }

    /// The final image; nil for every other event.
    public var finalImage: Image? {
        if case .final(let image, _) = self { image } else { nil }
    }
}
