/// The facts about a stored response that say for how long it may be served, and to whom (RFC 9111).
struct StoredResponse: Sendable, Hashable {
    /// The fields of the response but those of its connection.
    var headers: [HTTPField]
    /// The moment at which the request was sent, since 1970.
    var requestTime: Duration
    /// The moment at which the response came, since 1970.
    var responseTime: Duration
    /// The fields of the request that the response depends on, by its `Vary`: names in lower case, sorted.
    var varied: [HTTPField]
    /// The facts about the redirects that have led to it; nil where the URL that was asked for has answered itself.
    var redirection: StoredRedirection?

    /// Fields of one connection (RFC 9110, 7.6.1), and those that are for whoever asked.
    private static let unstored = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie",
    ]
    /// Fields of a body that a 304 does not have (RFC 9111, 3.2).
    private static let unmerged = ["content-length", "content-encoding", "content-range"]

    /// Notes a response to a request.
    ///
    /// - Returns: nil if it may not be stored.
    init?(_ head: HTTPResponseHead, to request: [HTTPField], requestTime: Duration, responseTime: Duration) {
        let directives = CacheDirectives(head.headers)
        guard head.isWhole, !directives.has("no-store"), !CacheDirectives(request).has("no-store") else {
            return nil
        }
        headers = head.headers.filter { !$0.isNamed(oneOf: Self.unstored) }
        self.requestTime = requestTime
        self.responseTime = responseTime
        redirection = StoredRedirection(head.redirects, requestTime: requestTime, responseTime: responseTime)
        varied = []
        guard let varied = Self.varied(by: headers, request) else { return nil }
        self.varied = varied
    }

    /// Whether the request would have had the same response, by the fields that the response has named.
    func matches(_ request: [HTTPField]) -> Bool { Self.varied(by: headers, request) == varied }

    /// The fields of a request that `Vary` names; nil if it depends on more than fields.
    private static func varied(by headers: [HTTPField], _ request: [HTTPField]) -> [HTTPField]? {
        let names = headers.values("vary")
            .flatMap { $0.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }.map(String.init)
        guard !names.contains("*") else { return nil }
        return Set(names).sorted().flatMap { name in
            request.values(name).map { HTTPField(name, $0, isPrivate: false) }
        }
    }

    /// The validators that the server has sent.
    var validators: HTTPValidators? {
        HTTPValidators(entityTag: first("etag"), lastModified: first("last-modified"))
    }

    /// Returns the response after the server has said that it is as it was (RFC 9111, 4.3.4); nil if it said that of another one.
    func confirmed(by head: HTTPResponseHead, requestTime: Duration, responseTime: Duration) -> StoredResponse? {
        guard isMeant(by: head) else { return nil }
        // The tag of these bytes stays: that of equal ones would say more of them than they are if it is strong and theirs is not.
        let fresh = head.headers.filter {
            !$0.isNamed(oneOf: Self.unstored + Self.unmerged) && !($0.isNamed("etag") && first("etag") != nil)
        }
        let replaced = fresh.map { $0.name.lowercased() } + ["age"]
        var response = self
        // An age is that of one answer.
        response.headers = headers.filter { !$0.isNamed(oneOf: replaced) } + fresh
        (response.requestTime, response.responseTime) = (requestTime, responseTime)
        response.redirection = StoredRedirection(
            head.redirects, requestTime: requestTime, responseTime: responseTime)
        return response
    }

    /// Whether a server that says that a response is as it was says it of this one (RFC 9111, 4.3.4): the same resource has answered, and
    /// by the validators that it names this is what it has.
    private func isMeant(by head: HTTPResponseHead) -> Bool {
        guard head.redirects.last?.target == redirection?.target else { return false }
        if let new = head["etag"].first { return first("etag").map { Self.opaque($0) == Self.opaque(new) } ?? false }
        // The date of the last change is all that is left to tell them apart.
        guard let new = head["last-modified"].first, let old = first("last-modified") else { return true }
        return new == old
    }

    /// An entity tag without its weakness (RFC 9110, 8.8.3.2).
    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag) }

    /// Whether the request was sent before that of another response, by the bytes that are kept of that. One of the future is of a clock
    /// that was wrong.
    func isOlder(than other: [UInt8], at now: Duration) -> Bool {
        guard let other = StoredResponse(metadata: other) else { return false }
        return other.requestTime > requestTime && other.requestTime <= now
    }

    func values(_ name: String) -> [String] { headers.values(name) }

    private func first(_ name: String) -> String? { values(name).first }
}
