/// A request for an image: the place of its bytes, and the form in which it is wanted.
public struct ImageRequest: ShareableRequest, Hashable {
    /// The place of an image's bytes.
    public enum Resource: Sendable, Hashable {
        /// An `http` or `https` URL.
        case url(String)
        /// A file's path. What is kept in memory is found by it, and outlives changes of the file: see ``version``.
        case file(String)
        /// The bytes themselves.
        case data([UInt8])
        /// A publisher of the bytes.
        case stream(ByteStream)
    }

    /// The place of the image's bytes.
    public var resource: Resource {
        get { contents.fields.resource }
        set {
            change(keepsKeys: false) {
                $0.resource = newValue
                $0.expectsFileOfVersion = false
            }
        }
    }
    /// A stable identity of the resource, part of every key in place of its URL or path; nil for the resource itself. It serves URLs
    /// that change though what is there does not: with a signature, a token or an expiry in them.
    ///
    ///     var request = ImageRequest("https://bucket.example/photos/7.jpg?expires=1763800000&signature=5fa3…")
    ///     request.identity = "photos/7.jpg"
    public var identity: String? {
        get { contents.fields.identity }
        set { change(keepsKeys: false) { $0.identity = newValue } }
    }
    /// A revision of the resource, such as a file's modification time; part of every key. Without one an image in
    /// memory is shown even if its file has changed since: no cache asks the disk.
    public var version: String? {
        get { contents.fields.version }
        set {
            change(keepsKeys: false) {
                $0.version = newValue
                $0.expectsFileOfVersion = false
            }
        }
    }
    /// Whether the version is that of a file as ``FileSource`` finds it, and no other file is to be read.
    var expectsFileOfVersion: Bool { contents.fields.expectsFileOfVersion }
    /// The user, or other party, whom the response is for; part of every key. No cache gives to one party what another was allowed
    /// to see, and no two share a load.
    public var partition: String? {
        get { contents.fields.partition }
        set { change(keepsKeys: false) { $0.partition = newValue } }
    }
    /// The HTTP header fields to send with the request.
    public var headers: [HTTPField] {
        get { contents.fields.headers }
        set { change(keepsKeys: false) { $0.headers = newValue } }
    }
    /// The form of the image: its size, the way it gets that size, and the steps applied afterwards.
    public var rendition: Rendition {
        get { contents.fields.rendition }
        set { change(keepsKeys: false) { $0.rendition = newValue } }
    }
    /// The images that are delivered to this subscriber, part of no key: others that share its load choose for themselves.
    public var delivery: ImageDelivery {
        get { contents.fields.delivery }
        set { change { $0.delivery = newValue } }
    }
    /// The requests for lesser images that are shown until this one comes, part of no key; empty for none. See ``ImageRequest/preview``.
    var previewRequests: [ImageRequest] {
        get { contents.fields.previewRequests }
        set { change { $0.previewRequests = newValue } }
    }
    /// The live interest in degraded images of those who share the load, part of no key; nil for one who does not share it.
    /// ``Source/coalesced()`` sets it.
    public var previewInterest: PreviewInterest? {
        get { contents.fields.previewInterest }
        set { change { $0.previewInterest = newValue } }
    }
    /// The place among loads that wait for a connection or a file; part of no key.
    public var priority: LoadPriority {
        get { contents.fields.priority }
        set { change { $0.priority = newValue } }
    }
    /// The use that the load makes of each cache; part of no key. Two loads at a time share one only if it is the same.
    public var caching: CachePolicies {
        get { contents.fields.caching }
        set { change { $0.caching = newValue } }
    }
    /// The form in which the image itself is kept on disk, part of no key; nil for what the pipeline says
    /// (``Source/cached(in:as:freshFor:limits:workers:on:clock:)``).
    public var storedForm: StoredForm? {
        get { contents.fields.storedForm }
        set { change { $0.storedForm = newValue } }
    }
    /// The limits of the transfer, in time and bytes; nil for those of the transport. Part of no cache's key; loads under way are shared by
    /// requests that have the same.
    public var limits: TransferLimits? {
        get { contents.fields.limits }
        set { change { $0.limits = newValue } }
    }
    /// The validators of a response that a cache has, part of no key: if the server says that it is as it was, a response of status
    /// 304 without a body is delivered. Caches set them.
    public var validators: HTTPValidators? {
        get { contents.fields.validators }
        set { change { $0.validators = newValue } }
    }
    /// The trace that tells what becomes of the request, part of no key; nil for none. Observed stages write it (`observed(as:in:)`).
    public var trace: LoadTrace? {
        get { contents.fields.trace }
        set { change { $0.trace = newValue } }
    }

    /// Whether the request only watches the load of another: it has a part in that, and is no request of its own to whoever counts them.
    var isWatching: Bool { contents.fields.isWatching }

    /// The request of whoever watches the load of this one.
    var watching: ImageRequest {
        var request = self
        request.change {
            $0.isWatching = true
            $0.trace = nil
        }
        return request
    }

    /// The beginning of the body that a client has, part of no key: if it is still that of the resource, a response of status 206 with
    /// the rest is delivered, or one of status 416. ``Source/resumed(in:on:)`` sets it.
    public var resumption: HTTPResumption? {
        get { contents.fields.resumption }
        set { change { $0.resumption = newValue } }
    }
    /// By reference: a request is handed from stage to stage, and kept by most.
    private var contents: RequestContents

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
        contents = RequestContents(
            RequestContents.Fields(
                resource: resource, headers: headers, rendition: rendition,
                delivery: previews ? .opportunistic : .highQuality))
    }

    /// Creates a request for a URL, or for a file if the text is a `file` URL of this machine or has no scheme.
    ///
    /// Text that is meant as a URL and lacks its scheme, a host with a port such as `127.0.0.1:8391/x.jpg`, fails with an error that says so;
    /// `./` before it makes it the path of a file.
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

    /// The key of the resource's bytes: the whole resource or its ``identity``, its version, its partition and every header but
    /// `Cache-Control` and `Pragma`, which say how a cache may answer and not with what. No two different ones share a key; of bytes at
    /// hand it has the SHA-256. Computed once, for all copies of the request.
    public var dataKey: CacheKey {
        contents.dataKey {
            var digest = KeyDigest()
            appendResource(to: &digest)
            append(headers.filter { !Self.isDirective($0) }, to: &digest)
            return CacheKey(digest)
        }
    }

    /// The key of the image: the resource as for its bytes, the same headers, and the rendition. Computed once, for all copies of
    /// the request.
    public var imageKey: CacheKey {
        contents.imageKey {
            var digest = KeyDigest()
            rendition.forEachIdentifierWord { digest.append($0) }
            appendResource(to: &digest)
            append(headers.filter { !Self.isDirective($0) }, to: &digest)
            return CacheKey(digest)
        }
    }

    /// Sets the version, and has a load fail where the file is of another one.
    mutating func expect(fileOfVersion version: String) {
        change(keepsKeys: false) {
            $0.version = version
            $0.expectsFileOfVersion = true
        }
    }

    private mutating func change(keepsKeys: Bool = true, _ body: (inout RequestContents.Fields) -> Void) {
        var fields = contents.fields
        body(&fields)
        contents = RequestContents(fields, keys: keepsKeys ? contents.keys : RequestContents.Keys())
    }

    private func appendResource(to digest: inout KeyDigest) {
        if let partition {
            // In front of the resource, none of whose words it is.
            digest.append("for")
            digest.append(partition)
        }
        switch (identity, resource) {
        case (let identity?, _):
            digest.append("identity")
            digest.append(identity)
        case (nil, .url(let url)):
            digest.append("url")
            digest.append(url)
        case (nil, .file(let path)):
            digest.append("file")
            digest.append(path)
        case (nil, .data(let bytes)):
            digest.append("data")
            digest.append(bytes)
        case (nil, .stream(let stream)):
            digest.append("stream")
            digest.append(stream.name)
        }
        // An odd number of parts, as headers have an even one.
        if let version { digest.append(version) }
    }

    static func isDirective(_ field: HTTPField) -> Bool {
        ["cache-control", "pragma"].contains(field.name.lowercased())
    }

    private func append(_ headers: [HTTPField], to digest: inout KeyDigest) {
        if headers.isEmpty { return }
        for (name, value) in headers.map({ ($0.name.lowercased(), $0.value) }).sorted(by: <) {
            digest.append(name)
            digest.append(value)
        }
    }
}
