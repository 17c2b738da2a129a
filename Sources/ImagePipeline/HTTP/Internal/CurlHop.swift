import CCurl
import Files

/// One request and its answer: what the callbacks of a handle of libcurl have found. A redirect is another hop.
///
/// Only the loop's thread has it.
final class CurlHop {
    let owner: ObjectIdentifier
    let url: TransferURL
    /// The proxy, if the request goes through one.
    let proxy: TransferURL?
    /// The addresses of the proxy.
    private var proxyAddresses: [IPAddress] = []
    let limits: TransferLimits
    private let policy: AddressPolicy
    private(set) var handle: CurlHandle?
    /// Those of the loop.
    var kept: KeptSockets?
    /// Whether it must not go over a connection that there is.
    var needsNewConnection = false
    /// The sockets that were opened for this hop; some may be closed by now.
    private var opened: [Int32] = []
    private var lists: [UnsafeMutablePointer<curl_slist>?] = []

    private(set) var head = HeadParser()
    /// Of a body that is encoded for the transfer.
    private var decoder: BodyDecoder?
    private(set) var isConnected = false
    private(set) var isHeadComplete = false
    private(set) var received = 0
    /// Bytes of head and body.
    var total: Int { head.byteCount + received }
    /// Bytes of head and body since the stall limit was looked at.
    var recent = 0
    /// Where a redirect leads; its body is of no interest.
    private(set) var location: String?
    /// How often the request was sent: libcurl sends it again where a connection that was kept turns out to be closed.
    private(set) var attempts = 0
    /// Whether nothing was sent, since the connection that was kept for it is of no use: it starts again, on another one.
    private(set) var isUnsent = false
    /// Whether something came before the request was with the server, which cannot have answered it.
    private(set) var isUnsolicited = false
    /// The port of this end of the connection that the request goes over.
    private var port: Int32?
    /// The socket of that connection if other requests have gone over it.
    private var reused: KeptSockets.Kept?
    /// Whether a head is all that is asked for.
    private var isForHead = false
    /// The error that a callback has stopped the transfer for.
    private var failure: TransportError?

    /// Told when the request is about to be sent.
    var onConnect: () -> Void = {}
    /// Told when the answer turns out to be a redirect.
    var onRedirect: () -> Void = {}
    /// Takes the bytes of the body, unless they have to wait.
    var onBody: (UnsafeRawBufferPointer) -> Bool = { _ in true }

    /// A body of a redirect that is longer costs more than another connection.
    private static let discardedBody = 64 << 10

    /// - Parameter owner: The transfer that it is a part of.
    init(
        _ url: TransferURL, of owner: ObjectIdentifier, limits: TransferLimits, options: TransportOptions
    ) throws(TransportError) {
        self.owner = owner
        self.url = url
        self.limits = limits
        policy = options.addresses
        proxy = try options.proxy.proxy(for: url)
        if let address = url.literalAddress, !policy.allows(address) {
            throw .refusedAddress(host: url.host, address: "\(address)")
        }
    }

    deinit {
        lists.forEach { curl_slist_free_all($0) }
    }

    /// The host whose address is connected to, which has to be looked up unless it is an address.
    var peer: TransferURL { proxy ?? url }

    /// The proxy as libcurl is told of it. For socks4 and socks5 it would look up the request's host itself, which blocks; socks4a and socks5h
    /// leave that to the proxy.
    private var proxyText: String {
        guard let text = proxy?.text else { return "" }
        for (scheme, asking) in [("socks5://", "socks5h://"), ("socks4://", "socks4a://")] where text.hasPrefix(scheme)
        {
            return asking + text.dropFirst(scheme.count)
        }
        return text
    }

    var easy: UnsafeMutableRawPointer? { handle?.easy }

    /// Makes a handle the one of this hop.
    ///
    /// - Parameter addresses: Those of the peer; empty where it is written as one.
    func prepare(
        _ handle: CurlHandle, for request: HTTPRequest, headers: [HTTPField], addresses: [IPAddress],
        options: TransportOptions
    ) throws(TransportError) {
        self.handle = handle
        let easy = handle.easy
        proxyAddresses = addresses.isEmpty ? [proxy?.literalAddress].compactMap { $0 } : addresses
        isForHead = request.method == "HEAD"
        // "name;" is how libcurl is told to send a field with an empty value. It would drop one of nothing but spaces.
        let fields = headers.map { field in
            let value = HTTPField.trimmed(field.value[...])
            return value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"
        }
        // libcurl never looks up a name itself: that would block, and could not be cancelled. The plus lets it forget the addresses.
        let texts = addresses.map { $0.isVersion6 ? "[\($0)]" : "\($0)" }.joined(separator: ",")
        let names = texts.isEmpty ? [] : ["+\(peer.host):\(peer.port):\(texts)"]
        let credentials = options.credentials(for: url)
        // Every option that transfers do not share: the handle may have those of another one.
        try handle.check([
            ccurl_set_string(easy, CURLOPT_URL, url.text),
            ccurl_set_string(easy, CURLOPT_PROXY, proxyText),
            ccurl_set_long(easy, CURLOPT_PROXYPORT, proxy?.port ?? 0),
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, CurlHandle.version(options.version, byProxy: proxy != nil)),
            // libcurl would read the environment's exceptions once more, and go round the proxy for them.
            ccurl_set_string(easy, CURLOPT_NOPROXY, ""),
            isForHead ? ccurl_set_long(easy, CURLOPT_NOBODY, 1) : ccurl_set_long(easy, CURLOPT_HTTPGET, 1),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, limits.connect.limitMilliseconds),
            ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, needsNewConnection ? 1 : 0),
            ccurl_set_list(easy, CURLOPT_HTTPHEADER, list(fields)),
            ccurl_set_list(easy, CURLOPT_RESOLVE, list(names)),
            ccurl_set_string(easy, CURLOPT_USERNAME, credentials?.user),
            ccurl_set_string(easy, CURLOPT_PASSWORD, credentials?.password),
            ccurl_set_callbacks(
                easy, receiveBody, receiveHeader, openSocket, connected, Unmanaged.passUnretained(self).toOpaque()),
        ])
    }

    /// The error of a hop that has ended this way; nil where there is none, and for a redirect.
    func error(_ code: CURLcode) -> TransportError? {
        if let failure { return failure }
        // libcurl takes what there is of a head for all of it.
        if code == CURLE_OK, !isHeadComplete { return .connectionLost("the connection ended within the head") }
        if code == CURLE_OK, location == nil, decoder?.isComplete == false { return .truncated(received: received) }
        guard code != CURLE_OK, location == nil || !isHeadComplete, let handle else { return nil }
        // A stream of HTTP/2 whose connection ended before its answer began is a part of nothing.
        if code == CURLE_PARTIAL_FILE, !isHeadComplete { return .connectionLost(handle.errorText) }
        return TransportError(
            code, text: handle.errorText, easy: handle.easy, url: url.text, host: url.host, isConnected: isConnected,
            received: received, headLimit: limits.head)
    }

    func head(of easy: UnsafeMutableRawPointer, after redirects: [HTTPRedirect]) -> HTTPResponseHead {
        let length = head.isEncoded ? -1 : Int(ccurl_content_length(easy))
        return HTTPResponseHead(
            status: Int(ccurl_status(easy)), headers: head.fields, contentLength: length < 0 ? nil : length,
            isDelimited: head.isDelimited, redirects: redirects)
    }

    private func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        let list = lines.reduce(nil) { curl_slist_append($0, $1) }
        lists.append(list)
        return list
    }

    // MARK: Callbacks of libcurl

    fileprivate func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if head.byteCount == 0, reused?.isSending == true {
            isUnsolicited = true
            return false
        }
        recent += bytes.count
        let isEnd = head.append(bytes, isTrailer: isHeadComplete)
        if head.byteCount > limits.head { return stop(.headTooLarge(limit: limits.head)) }
        guard isEnd, let easy else { return true }
        let status = ccurl_status(easy)
        guard head.status == Int(status) else { return stop(.protocolViolation("it begins with no status line")) }
        if status == 101 { return stop(.protocolViolation("it switches to a protocol that nobody has asked for")) }
        if status < 200 { return true }
        isHeadComplete = true
        if head.isHTTP1, let port { kept?.setSequential(port: port) }
        if [301, 302, 303, 307, 308].contains(status) { location = head.values("location").first }
        if location != nil { onRedirect() }
        if let problem = head.framingProblem { return stop(.protocolViolation(problem)) }
        // RFC 9112, 6.3: what these say of a body is for one that does not come.
        if location != nil || isForHead || status == 204 || status == 304 { return true }
        if let coding = head.unknownTransferCoding { return stop(.unsupportedEncoding(coding)) }
        if head.isEncoded {
            let codings = head.values("content-encoding")
            decoder = BodyDecoder(codings)
            if decoder == nil { return stop(.unsupportedEncoding(codings.joined(separator: ", "))) }
        }
        return Int(ccurl_content_length(easy)) <= limits.body || stop(.bodyTooLarge(limit: limits.body))
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if location != nil {
            received += bytes.count
            recent += bytes.count
            return received > Self.discardedBody ? 0 : bytes.count
        }
        do throws(TransportError) {
            let isTaken =
                if let decoder {
                    try decoder.decode(bytes) { (piece) throws(TransportError) in try take(piece) }
                } else {
                    try take(bytes)
                }
            guard isTaken else { return ccurl_pause }
        } catch {
            failure = error
            return 0
        }
        recent += bytes.count
        return bytes.count
    }

    /// Hands bytes of the body on, unless they have to wait.
    private func take(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Bool {
        guard bytes.count <= limits.body - received else { throw .bodyTooLarge(limit: limits.body) }
        guard onBody(bytes) else { return false }
        received += bytes.count
        return true
    }

    fileprivate func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
        if proxy == nil, policy.allowsAnything { return true }
        let address = IPAddress(address)
        if let proxy {
            // libcurl goes to the host itself where it can make nothing of a proxy.
            if let address, proxyAddresses.contains(address) { return true }
            return stop(.failed("libcurl would have gone round the proxy at \(proxy.host)"))
        }
        if let address, policy.allows(address) { return true }
        failure = .refusedAddress(host: url.host, address: address.map { "\($0)" } ?? "no address")
        return false
    }

    fileprivate func didOpen(_ descriptor: Int32) {
        opened.append(descriptor)
    }

    /// - Returns: Whether the request is to be sent.
    fileprivate func didConnect(localPort: Int32) -> Bool {
        guard let easy else { return false }
        let isReused = ccurl_is_reused(easy) != 0
        reused = isReused ? kept?.socket(port: localPort) : nil
        isUnsent = reused?.isStale(easy) ?? false
        if isUnsent { return false }
        port = localPort
        if !isReused, let mine = opened.last(where: { ccurl_local_port($0) == localPort }) {
            kept?.add(mine, port: localPort)
        }
        // An address that was refused before another one was reached is no failure.
        failure = nil
        isConnected = true
        attempts += 1
        onConnect()
        return true
    }

    private func stop(_ error: TransportError) -> Bool {
        failure = error
        return false
    }
}

private func hop(_ context: UnsafeMutableRawPointer) -> CurlHop {
    Unmanaged<CurlHop>.fromOpaque(context).takeUnretainedValue()
}

private let receiveBody: ccurl_receive = { bytes, size, count, context in
    guard let context else { return 0 }
    return hop(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let receiveHeader: ccurl_receive = { bytes, size, count, context in
    guard let context else { return 0 }
    return hop(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

private let openSocket: ccurl_open_socket = { context, _, address in
    guard let context, let address, let place = ccurl_address(address), hop(context).allows(place) else { return -1 }
    let descriptor = socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        hop(context).didOpen(descriptor)
    }
    return descriptor
}

private let connected: ccurl_connected = { context, _, _, _, localPort in
    guard let context, !hop(context).didConnect(localPort: localPort) else { return Int32(CURL_PREREQFUNC_OK) }
    return Int32(CURL_PREREQFUNC_ABORT)
}
