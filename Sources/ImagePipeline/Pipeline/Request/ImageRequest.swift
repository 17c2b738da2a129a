/// What is wanted: where the bytes are, and at what size the image will be shown.
public struct ImageRequest: Sendable, Hashable {
    /// Where the bytes are.
    public enum Resource: Sendable, Hashable {
        /// An `http` or `https` URL.
        case url(String)
        /// A file's path. What is kept in memory is found by it, and outlives changes of the file: see ``version``.
        case file(String)
        /// Bytes at hand.
        case data([UInt8])
    }

    /// Where the bytes are.
    public var resource: Resource
    /// Tells contents apart that a resource has had one after the other under one name, such as a file's modification time; part of
    /// all keys. Without one an image in memory is shown even if its file has changed since: no cache asks the disk.
    public var version: String?
    /// Headers sent with the request, each a name and a value.
    public var headers: [HTTPField]
    /// The form of the image: its size, the way it gets it, and the steps applied afterwards.
    public var rendition: Rendition
    /// Whether degraded images are wanted on the way. Who joins a load that is under way gets those that it makes.
    public var previews: Bool
    /// The place among loads that wait for a connection or a file; part of no key.
    public var priority = LoadPriority.normal

    /// A request for a resource.
    public init(
        _ resource: Resource, as rendition: Rendition = .original, headers: [HTTPField] = [], previews: Bool = true
    ) {
        self.resource = resource
        self.rendition = rendition
        self.headers = headers
        self.previews = previews
    }

    /// A request for a URL, or for a file if it is a `file` URL of this machine or has no scheme.
    public init(
        _ urlOrPath: String, as rendition: Rendition = .original, headers: [HTTPField] = [], previews: Bool = true
    ) {
        self.init(Resource(urlOrPath), as: rendition, headers: headers, previews: previews)
    }

    /// Tells the bytes apart: the whole resource, its version and every header. No two different ones share a key; of
    /// bytes at hand it has the SHA-256.
    public var dataKey: CacheKey {
        CacheKey(parts: resourceParts + versionParts + headerParts)
    }

    /// Tells images apart: the bytes' key and the rendition.
    public var imageKey: CacheKey {
        CacheKey(parts: [Array(rendition.identifier.utf8)] + resourceParts + versionParts + headerParts)
    }

    private var resourceParts: [[UInt8]] {
        switch resource {
        case .url(let url): [Array("url".utf8), Array(url.utf8)]
        case .file(let path): [Array("file".utf8), Array(path.utf8)]
        // Not the bytes themselves: a key is kept for as long as what is found by it.
        case .data(let bytes):
            [Array("data".utf8), Array("\(bytes.count)".utf8), Array(CacheKey(parts: [bytes]).digest.utf8)]
        }
    }

    /// An odd number of parts, as headers have an even one.
    private var versionParts: [[UInt8]] {
        version.map { [Array($0.utf8)] } ?? []
    }

    private var headerParts: [[UInt8]] {
        headers.map { ($0.name.lowercased(), $0.value) }.sorted { $0 < $1 }
            .flatMap { [Array($0.0.utf8), Array($0.1.utf8)] }
    }
}
