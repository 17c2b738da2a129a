/// What is wanted: where the bytes are, and at what size the image will be shown.
public struct ImageRequest: Sendable, Hashable {
    /// Where the bytes are.
    public enum Resource: Sendable, Hashable {
        /// An `http` or `https` URL.
        case url(String)
        /// A file's path.
        case file(String)
        /// Bytes at hand.
        case data([UInt8])
    }

    /// Where the bytes are.
    public var resource: Resource
    /// Headers sent with the request, each a name and a value.
    public var headers: [Header]
    /// The box in pixels that the upright image is brought into; nil for its own size.
    public var targetSize: PixelSize?
    /// What becomes of the image where its shape is not the box's.
    public var contentMode: ContentMode
    /// Whether an image smaller than the box is enlarged.
    public var enlarges: Bool
    /// How samples are weighted where the size changes.
    public var filter: ResamplingFilter
    /// Whether light is weighted there, not samples, as in ``DecodeOptions/linearLight``.
    public var linearLight: Bool
    /// What is done with the image at that size, step by step.
    public var processors: [AnyImageProcessor]

    /// A header field.
    public struct Header: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A request for a resource.
    public init(
        _ resource: Resource, headers: [Header] = [], targetSize: PixelSize? = nil, contentMode: ContentMode = .fit,
        enlarges: Bool = false, filter: ResamplingFilter = .lanczos3, linearLight: Bool = false,
        processors: [AnyImageProcessor] = []
    ) {
        self.resource = resource
        self.headers = headers
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.enlarges = enlarges
        self.filter = filter
        self.linearLight = linearLight
        self.processors = processors
    }

    /// A request for a URL, or for a file if it has no scheme.
    public init(
        _ urlOrPath: String, headers: [Header] = [], targetSize: PixelSize? = nil, contentMode: ContentMode = .fit,
        enlarges: Bool = false, filter: ResamplingFilter = .lanczos3, linearLight: Bool = false,
        processors: [AnyImageProcessor] = []
    ) {
        let resource: Resource =
            if urlOrPath.hasPrefix("file://") {
                .file(String(urlOrPath.dropFirst(7)))
            } else if urlOrPath.contains("://") {
                .url(urlOrPath)
            } else {
                .file(urlOrPath)
            }
        self.init(
            resource, headers: headers, targetSize: targetSize, contentMode: contentMode, enlarges: enlarges,
            filter: filter, linearLight: linearLight, processors: processors)
    }

    /// Tells the bytes apart: the whole resource and every header. No two different ones share a key.
    public var dataKey: CacheKey {
        CacheKey(parts: resourceParts + headerParts)
    }

    /// Tells images apart: the bytes' key, the size and how it is reached, the processors in their order.
    public var imageKey: CacheKey {
        // Their number comes first, so that no identifier passes for a URL.
        let steps = ["\(processors.count)"] + processors.map(\.identifier)
        return CacheKey(parts: [Array(sizing.utf8)] + steps.map { Array($0.utf8) } + resourceParts + headerParts)
    }

    private var sizing: String {
        guard let targetSize else { return "" }
        return [
            "\(targetSize.width)x\(targetSize.height)", contentMode.identifier, enlarges ? "enlarges" : "",
            filter.rawValue, linearLight ? "linear" : "",
        ].joined(separator: " ")
    }

    private var resourceParts: [[UInt8]] {
        switch resource {
        case .url(let url): [Array("url".utf8), Array(url.utf8)]
        case .file(let path): [Array("file".utf8), Array(path.utf8)]
        case .data(let bytes): [Array("data".utf8), bytes]
        }
    }

    private var headerParts: [[UInt8]] {
        headers.map { ($0.name.lowercased(), $0.value) }.sorted { $0 < $1 }
            .flatMap { [Array($0.0.utf8), Array($0.1.utf8)] }
    }
}
