/// A request for an image: the place of its bytes, and the form in which it is wanted.
public struct ImageRequest: Sendable, Hashable {
    /// The place of an image's bytes.
    public enum Resource: Sendable, Hashable {
        /// An `http` or `https` URL.
        case url(String)
        /// A file's path. What is kept in memory is found by it, and outlives changes of the file: see ``version``.
        case file(String)
        /// The bytes themselves.
        case data([UInt8])
    }

    /// The place of the image's bytes.
    public var resource: Resource
    /// A revision of the resource, such as a file's modification time; part of every key. Without one an image in
    /// memory is shown even if its file has changed since: no cache asks the disk.
    public var version: String?
    /// The user, or other party, whom the response is for; part of every key. No cache gives to one party what another was allowed
    /// to see, and no two share a load.
    public var partition: String?
    /// The HTTP header fields to send with the request.
    public var headers: [HTTPField]
    /// The form of the image: its size, the way it gets that size, and the steps applied afterwards.
    public var rendition: Rendition
    /// A Boolean value that determines whether degraded images are delivered before the final one. A subscriber that joins a load
    /// that is under way gets those that it makes.
    public var previews: Bool
    /// The place among loads that wait for a connection or a file; part of no key.
    public var priority = LoadPriority.normal
    /// The limits of the transfer, in time and bytes, part of no key; nil for those of the transport.
    public var limits: TransferLimits?
    /// The validators of a response that a cache has, part of no key: if the server says that it is as it was, a response of status
    /// 304 without a body is delivered. Caches set them.
    public var validators: HTTPValidators?

    /// Creates a request for a resource.
    ///
    /// - Parameters:
    ///   - resource: The place of the image's bytes.
    ///   - rendition: The form in which the image is wanted.
    ///   - headers: The HTTP header fields to send.
    ///   - previews: A Boolean value that determines whether degraded images are delivered before the final one.
    public init(
        _ resource: Resource, as rendition: Rendition = .original, headers: [HTTPField] = [], previews: Bool = true
    ) {
        self.resource = resource
        self.rendition = rendition
        self.headers = headers
        self.previews = previews
    }

    /// Creates a request for a URL, or for a file if the text is a `file` URL of this machine or has no scheme.
    ///
    /// - Parameters:
    ///   - urlOrPath: A URL, or the path of a file.
    ///   - rendition: The form in which the image is wanted.
    ///   - headers: The HTTP header fields to send.
    ///   - previews: A Boolean value that determines whether degraded images are delivered before the final one.
    public init(
        _ urlOrPath: String, as rendition: Rendition = .original, headers: [HTTPField] = [], previews: Bool = true
    ) {
        self.init(Resource(urlOrPath), as: rendition, headers: headers, previews: previews)
    }

    /// The key of the resource's bytes: the whole resource, its version, its partition and every header but `Cache-Control` and
    /// `Pragma`, which say how a cache may answer and not with what. No two different ones share a key; of bytes at hand it has
    /// the SHA-256.
    public var dataKey: CacheKey {
        CacheKey(parts: resourceParts + versionParts + parts(of: headers.filter { !Self.isDirective($0) }))
    }

    /// The key of the image: the resource as for its bytes, every header, and the rendition. A request with a `Cache-Control` of its
    /// own so goes past the images in memory, which know no freshness.
    public var imageKey: CacheKey {
        CacheKey(parts: [Array(rendition.identifier.utf8)] + resourceParts + versionParts + parts(of: headers))
    }

    private var resourceParts: [[UInt8]] {
        // In front of the resource, none of whose words it is.
        (partition.map { [Array("for".utf8), Array($0.utf8)] } ?? []) + ownResourceParts
    }

    private var ownResourceParts: [[UInt8]] {
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

    private static func isDirective(_ field: HTTPField) -> Bool {
        ["cache-control", "pragma"].contains(field.name.lowercased())
    }

    private func parts(of headers: [HTTPField]) -> [[UInt8]] {
        headers.map { ($0.name.lowercased(), $0.value) }.sorted { $0 < $1 }
            .flatMap { [Array($0.0.utf8), Array($0.1.utf8)] }
    }
}
