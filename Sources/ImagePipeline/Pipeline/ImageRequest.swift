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
    /// The box in pixels that the upright image is fitted into, never enlarged; nil for its own size.
    public var targetSize: PixelSize?

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
    public init(_ resource: Resource, headers: [Header] = [], targetSize: PixelSize? = nil) {
        self.resource = resource
        self.headers = headers
        self.targetSize = targetSize
    }

    /// A request for a URL, or for a file if it has no scheme.
    public init(_ urlOrPath: String, headers: [Header] = [], targetSize: PixelSize? = nil) {
        if urlOrPath.hasPrefix("file://") {
            self.init(.file(String(urlOrPath.dropFirst(7))), headers: headers, targetSize: targetSize)
        } else {
            let resource: Resource = urlOrPath.contains("://") ? .url(urlOrPath) : .file(urlOrPath)
            self.init(resource, headers: headers, targetSize: targetSize)
        }
    }

    /// Tells the bytes apart: the whole resource and every header. No two different ones share a key.
    public var dataKey: CacheKey {
        CacheKey(parts: resourceParts + headerParts)
    }

    /// Tells images apart: the bytes' key and the size.
    public var imageKey: CacheKey {
        let size = targetSize.map { "\($0.width)x\($0.height)" } ?? ""
        return CacheKey(parts: [Array(size.utf8)] + resourceParts + headerParts)
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
