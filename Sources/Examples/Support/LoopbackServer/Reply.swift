/// What the server answers: status, header fields and body, how fast, and what goes wrong on the way.
///
/// `Content-Length`, `Date` and `Connection` are added by the server where `headers` does not have them.
/// A reply with status 200 answers conditional and range requests by its own `ETag` and `Last-Modified`
/// (``ConditionalReply``), unless ``answersConditions`` is off.
public struct Reply: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// Header fields, sent in this order, repetitions included.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]
    /// How the body's end is made known.
    public var framing = BodyFraming.contentLength
    /// The rate of the body in bytes per second; `nil`: as fast as the client reads.
    public var bytesPerSecond: Int?
    /// What goes wrong, if anything.
    public var fault: Fault?
    /// Whether `If-None-Match`, `If-Modified-Since` and `Range` are heeded.
    public var answersConditions = true

    public init(status: Int = 200, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A resource.
    ///
    /// - Parameters:
    ///   - entityTag: the `ETag` with its quotation marks, for instance `"v1"` or `W/"v1"`.
    ///   - lastModified: an HTTP date; it is compared as text.
    public static func resource(
        _ body: [UInt8], contentType: String = "application/octet-stream", entityTag: String? = nil,
        lastModified: String? = nil, cacheControl: String? = nil, headers: [Header] = []
    ) -> Reply {
        let own: [(String, String?)] = [
            ("Content-Type", contentType), ("ETag", entityTag), ("Last-Modified", lastModified),
            ("Cache-Control", cacheControl),
        ]
        let fields = own.compactMap { name, value in value.map { Header(name, $0) } }
        return Reply(headers: fields + headers, body: body)
    }

    /// A status with a line of text that says it.
    public static func status(_ status: Int, headers: [Header] = []) -> Reply {
        Reply(
            status: status, headers: [Header("Content-Type", "text/plain")] + headers,
            body: Array("\(status) \(reasonPhrase(status))\n".utf8))
    }

    /// A redirection to a path of this server or to a whole URL elsewhere.
    public static func redirect(to location: String, status: Int = 302) -> Reply {
        Reply(status: status, headers: [Header("Location", location)])
    }

    /// The same reply, its body sent at this many bytes per second.
    public func limited(bytesPerSecond: Int) -> Reply {
        var copy = self
        copy.bytesPerSecond = bytesPerSecond
        return copy
    }

    /// The same reply, going wrong.
    public func failing(_ fault: Fault) -> Reply {
        var copy = self
        copy.fault = fault
        if case .brokenChunk = fault, copy.framing == .contentLength { copy.framing = .chunked(4096) }
        return copy
    }

    /// The same reply, framed otherwise.
    public func framed(_ framing: BodyFraming) -> Reply {
        var copy = self
        copy.framing = framing
        return copy
    }

    static func reasonPhrase(_ status: Int) -> String {
        let phrases = [
            200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found",
            303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
            410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests",
            431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
            502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        ]
        return phrases[status] ?? "Status"
    }
}
