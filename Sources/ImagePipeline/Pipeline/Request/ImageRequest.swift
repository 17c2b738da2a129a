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
    /// The box in pixels that the upright image is brought into; nil for its own size.
    public var targetSize: PixelSize?
    /// What becomes of the image where its shape is not the box's.
    public var contentMode: ContentMode
    /// Whether an image smaller than the box is enlarged.
    public var enlarges: Bool
    /// How samples are weighted where the size changes.
    public var filter: ResamplingFilter
    /// The fidelity of a reduced JPEG to the whole picture reduced, as in ``DecodeOptions/quality``.
    public var quality: DecodeQuality
    /// Whether light is weighted there, not samples, as in ``DecodeOptions/linearLight``.
    public var linearLight: Bool
    /// Whether a file's samples of 16 bits stay so, as in ``DecodeOptions/keepsDepth``.
    public var keepsDepth: Bool
    /// Whether scans of a progressive JPEG that hardly show are left out, as in ``DecodeOptions/leavesOutScans``.
    public var leavesOutScans: Bool
    /// Whether degraded images are wanted on the way. Who joins a load that is under way gets those that it makes.
    public var previews: Bool
    /// What is done with the image at that size, step by step.
    public var processors: [AnyImageProcessor]

    /// A request for a resource.
    public init(
        _ resource: Resource, headers: [HTTPField] = [], targetSize: PixelSize? = nil, contentMode: ContentMode = .fit,
        enlarges: Bool = false, filter: ResamplingFilter = .lanczos3, quality: DecodeQuality = .standard,
        linearLight: Bool = false, keepsDepth: Bool = false, leavesOutScans: Bool = true, previews: Bool = true,
        processors: [AnyImageProcessor] = []
    ) {
        self.resource = resource
        self.headers = headers
        self.targetSize = targetSize
        self.contentMode = contentMode
        self.enlarges = enlarges
        self.filter = filter
        self.quality = quality
        self.linearLight = linearLight
        self.keepsDepth = keepsDepth
        self.leavesOutScans = leavesOutScans
        self.previews = previews
        self.processors = processors
    }

    /// A request for a URL, or for a file if it is a `file` URL of this machine or has no scheme.
    public init(
        _ urlOrPath: String, headers: [HTTPField] = [], targetSize: PixelSize? = nil, contentMode: ContentMode = .fit,
        enlarges: Bool = false, filter: ResamplingFilter = .lanczos3, quality: DecodeQuality = .standard,
        linearLight: Bool = false, keepsDepth: Bool = false, leavesOutScans: Bool = true, previews: Bool = true,
        processors: [AnyImageProcessor] = []
    ) {
        self.init(
            Resource(urlOrPath), headers: headers, targetSize: targetSize, contentMode: contentMode, enlarges: enlarges,
            filter: filter, quality: quality, linearLight: linearLight, keepsDepth: keepsDepth,
            leavesOutScans: leavesOutScans,
            previews: previews, processors: processors)
    }

    /// Tells the bytes apart: the whole resource, its version and every header. No two different ones share a key; of
    /// bytes at hand it has the SHA-256.
    public var dataKey: CacheKey {
        CacheKey(parts: resourceParts + versionParts + headerParts)
    }

    /// Tells images apart: the bytes' key, the size and how it is reached, the processors in their order.
    public var imageKey: CacheKey {
        // Their number comes first, so that no identifier passes for a URL.
        let steps = ["\(processors.count)"] + processors.map(\.identifier)
        return CacheKey(
            parts: [Array(sizing.utf8)] + steps.map { Array($0.utf8) } + resourceParts + versionParts + headerParts)
    }

    private var sizing: String {
        let depth = keepsDepth ? "deep" : ""
        guard let targetSize else { return depth }
        return [
            "\(targetSize.width)x\(targetSize.height)", contentMode.identifier, enlarges ? "enlarges" : "",
            filter.rawValue, quality == .standard ? "" : quality.rawValue, linearLight ? "linear" : "", depth,
            leavesOutScans ? "" : "every scan",
        ].joined(separator: " ")
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
