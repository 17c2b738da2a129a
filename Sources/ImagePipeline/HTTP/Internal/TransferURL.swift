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

    private static let loaded: Set = ["http", "https"]

    /// - Parameter schemes: Those that are allowed.
    init(_ text: String, schemes: Set<String> = Self.loaded) throws(TransportError) {
        if let plain = TransferURL(plain: text), schemes.contains(plain.scheme) {
            self = plain
        } else {
            try self.init(text, base: nil, schemes: schemes)
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
            return try TransferURL(location, base: text, schemes: Self.loaded)
        } catch .invalidURL(_, let reason) {
            throw .refusedRedirect(to: location, reason: reason)
        }
    }

    /// Reads a URL as libcurl does.
    init(_ given: String, base: String?, schemes: Set<String>) throws(TransportError) {
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
        guard schemes.contains(scheme) else {
            throw invalid(scheme.isEmpty ? "it has no scheme" : "\(scheme): is not loaded by HTTP")
        }
        let punycode = ccurl_punycode_flag()
        guard let whole = part(CURLUPART_URL, punycode), let host = part(CURLUPART_HOST, punycode)?.lowercased(),
            !host.isEmpty, let port = part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { throw invalid("it has no host that can be looked up") }
        guard host.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
            throw invalid("its host has characters beyond ASCII, which this libcurl cannot translate")
        }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.init(text: whole, scheme: scheme, host: bare, port: port, literalAddress: IPAddress(bare))
    }
}

extension TransportOptions {
    /// The credentials of an origin, however it is written.
    func credentials(for url: TransferURL) -> HTTPCredentials? {
        credentials.first { (try? TransferURL($0.key))?.origin == url.origin }?.value
    }
}
