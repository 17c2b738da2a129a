import CCurl
import Files

/// A URL as libcurl reads it, so that what is checked is what is connected to.
struct TransferURL: Sendable, Hashable {
    /// The whole URL, encoded, with its host in ASCII.
    let text: String
    /// The scheme, in lower case.
    let scheme: String
    /// The host without brackets, in lower case.
    let host: String
    let port: Int

    /// Scheme, host and port: what credentials and private headers belong to.
    let origin: String

    /// The address, if the host is written as one.
    let literalAddress: IPAddress?

    var isEncrypted: Bool { scheme == "https" }

    /// The schemes that are loaded, and the ports that they mean.
    static let loaded = ["http": 80, "https": 443]
    /// Those of proxies; libcurl has its own port for them.
    static let proxies = [
        "http": 1_080, "https": 443, "socks4": 1_080, "socks4a": 1_080, "socks5": 1_080, "socks5h": 1_080,
    ]

    init(_ text: String) throws(TransportError) {
        if let plain = TransferURL(plain: text) {
            self = plain
        } else {
            try self.init(text, base: nil, ports: Self.loaded)
        }
    }

    init(text: String, scheme: String, host: String, port: Int, literalAddress: IPAddress?) {
        self.text = text
        self.scheme = scheme
        self.host = host
        self.port = port
        self.literalAddress = literalAddress
        origin = "\(scheme)://\(host):\(port)"
    }

    /// The URL that a `Location` stands for here.
    func resolving(_ location: String) throws(TransportError) -> TransferURL {
        // RFC 3986, 5.2.2: the same resource; libcurl takes the folder that it is in.
        let reference = HTTPField.trimmed(location[...])
        if reference.isEmpty || reference.unicodeScalars.first == "#" { return self }
        do {
            return try TransferURL(location, base: text, ports: Self.loaded)
        } catch .invalidURL(_, let reason) {
            throw .refusedRedirect(to: location, reason: reason)
        }
    }

    /// Reads a URL as libcurl does.
    ///
    /// - Parameter ports: The schemes that are allowed, and the port that each means.
    init(_ given: String, base: String?, ports: [String: Int]) throws(TransportError) {
        func invalid(_ reason: String) -> TransportError { .invalidURL(given, reason: reason) }
        // Browsers ignore spaces around a URL. Within, a line break or a NUL would cut it or begin a header.
        let url = HTTPField.trimmed(given[...])
        guard !url.isEmpty || base != nil else { throw invalid("it is empty") }
        guard url.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
            throw invalid("it has a line break, a NUL or another control character")
        }
        if base == nil, url.prefix(5).lowercased() == "data:" {
            throw invalid("data: URLs hold their bytes; decode those, and load them as .data")
        }
        guard let handle = curl_url() else { throw .failed("libcurl is out of memory") }
        defer { curl_url_cleanup(handle) }
        if let base { _ = curl_url_set(handle, CURLUPART_URL, base, 0) }
        let flags = UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)
        // libcurl writes a plus for a space in a query, which means one in forms only. By scalars: a mark combines with a space.
        let scalars = url.unicodeScalars
        let query = scalars.firstIndex(of: "?") ?? scalars.endIndex
        let words = scalars[query...].split(separator: " ", omittingEmptySubsequences: false).map { Substring($0) }
        let encoded = url[..<query] + words.joined(separator: "%20")
        let code = curl_url_set(handle, CURLUPART_URL, String(encoded), flags)
        guard code == CURLUE_OK else {
            let hasScheme = url.contains("://")
            throw invalid(
                hasScheme ? String(cString: curl_url_strerror(code)) : "it has no scheme; is it http:// or https://?")
        }
        func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            defer { curl_free(text) }
            guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
            return String(cString: text)
        }
        let scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
        guard let usualPort = ports[scheme] else {
            throw invalid(scheme.isEmpty ? "it has no scheme" : "\(scheme): is not loaded by HTTP")
        }
        for credential in [CURLUPART_USER, CURLUPART_PASSWORD] {
            var text: UnsafeMutablePointer<CChar>?
            defer { curl_free(text) }
            // libcurl would leave a proxy out that has such ones, and go straight to the host.
            if curl_url_get(handle, credential, &text, UInt32(CURLU_URLDECODE)) == CURLUE_URLDECODE {
                throw invalid("its user or password has a control character")
            }
        }
        let punycode = ccurl_punycode_flag()
        guard let whole = part(CURLUPART_URL, punycode), let host = part(CURLUPART_HOST, punycode)?.lowercased(),
            !host.isEmpty
        else { throw invalid("it has no host that can be looked up") }
        guard host.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw invalid("its host has characters beyond ASCII, which this libcurl cannot translate")
        }
        if host.endsInNumber, host.hasSuffix(".") {
            // An address with a dot behind it is one for browsers and for the system, and a name for libcurl.
            curl_url_set(handle, CURLUPART_HOST, String(host.dropLast()), 0)
            guard let address = part(CURLUPART_URL) else { throw invalid("it has no host that can be looked up") }
            try self.init(address, base: nil, ports: ports)
            return
        }
        let port = part(CURLUPART_PORT).flatMap { Int($0) } ?? usualPort
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.init(text: whole, scheme: scheme, host: bare, port: port, literalAddress: IPAddress(bare))
    }
}

extension String {
    /// Whether the last part of a host begins with a digit, which that of no name does.
    fileprivate var endsInNumber: Bool {
        utf8.split(separator: UInt8(ascii: ".")).last?.first.map { (48...57).contains($0) } ?? false
    }
}

extension TransportOptions {
    /// The credentials of an origin, however it is written.
    func credentials(for url: TransferURL) -> HTTPCredentials? {
        credentials.first { (try? TransferURL($0.key))?.origin == url.origin }?.value
    }
}
