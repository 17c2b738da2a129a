/// A request as the server understood it.
public struct Request: Sendable, Hashable {
    /// The method, for instance `GET`.
    public var method: String
    /// The request target as sent: path and query.
    public var target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    public var version: String
    /// The header fields, in the order in which they came.
    public var headers: [Header]

    public init(method: String, target: String, version: String = "HTTP/1.1", headers: [Header] = []) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
    }

    /// The target without its query.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The value of the first header field of this name (in any case), or `nil`.
    public func header(_ name: String) -> String? {
        headers.value(name)
    }

    /// Whether the client wants the connection closed behind the reply (RFC 9112, section 9.3).
    var wantsClose: Bool {
        let options = (header("Connection") ?? "").lowercased().split(separator: ",").map { $0.trimmed() }
        return options.contains("close") || (version == "HTTP/1.0" && !options.contains("keep-alive"))
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs at its ends.
    func trimmed() -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let head = drop(while: isBlank)
        return String(head.reversed().drop(while: isBlank).reversed())
    }
}
