import CCurl
import Synchronization

/// One transfer.
///
/// Unchecked because of its variables, which only the loop's thread touches: libcurl's callbacks run there, and what
/// other threads ask for is posted as a command.
final class CurlTransfer: HTTPTransfer, @unchecked Sendable {
    private let request: HTTPRequest
    /// Kept alive by what it carries.
    private let transport: CurlTransport
    private let isOver = Atomic(false)

    private var receiver: (any HTTPReceiver)?
    private var easy: UnsafeMutableRawPointer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var headers: [HTTPField] = []
    private var isDelimited = false
    private var isHeadDelivered = false
    private var granted = 0
    private var isPaused = false

    init(_ request: HTTPRequest, receiver: any HTTPReceiver, transport: CurlTransport) {
        self.request = request
        self.receiver = receiver
        self.transport = transport
    }

    deinit {
        curl_slist_free_all(headerList)
    }

    func request(_ chunks: Int) {
        transport.loop.post(.request(self, chunks))
    }

    func cancel() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { transport.loop.post(.cancel(self)) }
    }

    /// Makes the handle; nil if it was cancelled meanwhile or cannot be made, which it has told then.
    func prepare() -> UnsafeMutableRawPointer? {
        guard !isOver.load(ordering: .acquiring) else { return nil }
        guard let easy = curl_easy_init() else {
            end(.failed("libcurl is out of memory"))
            return nil
        }
        self.easy = easy
        let configuration = transport.loop.configuration
        for header in request.headers {
            // "name;" is how libcurl is told to send a field with an empty value.
            headerList = curl_slist_append(
                headerList, header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        let settings = [
            ccurl_set_string(easy, CURLOPT_URL, request.url),
            ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            ccurl_set_string(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
            ccurl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent),
            ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 1),
            ccurl_set_long(easy, CURLOPT_MAXREDIRS, configuration.redirects),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT, configuration.connectTimeout),
            ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1),
            ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, configuration.stallTimeout),
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_headers(easy, headerList),
            ccurl_set_receivers(easy, receiveBody, receiveHeader, Unmanaged.passUnretained(self).toOpaque()),
        ]
        if let failure = settings.first(where: { $0 != CURLE_OK }) {
            finish(failure)
            curl_easy_cleanup(takeHandle())
            return nil
        }
        return easy
    }

    func takeHandle() -> UnsafeMutableRawPointer? {
        easy.take()
    }

    func grant(_ chunks: Int) {
        let (sum, overflow) = granted.addingReportingOverflow(max(0, chunks))
        granted = overflow ? .max : sum
        guard isPaused, granted > 0, let easy else { return }
        isPaused = false
        // Delivers what was held back before it returns.
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// - Returns: Whether the bytes were taken; if not, the transfer pauses and they come again.
    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isOver.load(ordering: .acquiring) { return true }
        guard granted > 0 else {
            isPaused = true
            return false
        }
        if granted != .max { granted -= 1 }
        deliverHead()
        receiver?.didReceive([UInt8](bytes))
        return true
    }

    fileprivate func takeHeader(_ line: String) {
        if line.hasPrefix("HTTP/") {
            headers = []
            // From HTTP/2 on, frames tell the end; before, a length or chunks.
            isDelimited = !line.hasPrefix("HTTP/1")
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let name = String(line[..<colon])
            headers.append(.init(name, String(value)))
            if ["content-length", "transfer-encoding"].contains(name.lowercased()) { isDelimited = true }
        }
    }

    func finish(_ code: CURLcode) {
        switch code {
        case CURLE_OK:
            if !isOver.load(ordering: .acquiring) { deliverHead() }
            end(nil)
        case CURLE_PARTIAL_FILE: end(.truncated(received: easy.map { Int(ccurl_bytes_received($0)) } ?? 0))
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: end(.invalidURL(request.url))
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST: end(.couldNotConnect(Self.text(code)))
        case CURLE_OPERATION_TIMEDOUT: end(.timedOut(Self.text(code)))
        case CURLE_TOO_MANY_REDIRECTS: end(.tooManyRedirects)
        default: end(.failed(Self.text(code)))
        }
    }

    /// Tells the receiver that it is over, unless it was cancelled, and lets go of it.
    func end(_ error: TransportError?) {
        let receiver = receiver.take()
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { receiver?.didEnd(error) }
    }

    private func deliverHead() {
        guard !isHeadDelivered, let easy else { return }
        isHeadDelivered = true
        let length = Int(ccurl_content_length(easy))
        receiver?.didReceive(
            HTTPResponseHead(
                status: Int(ccurl_status(easy)), headers: headers, contentLength: length < 0 ? nil : length,
                isDelimited: isDelimited))
    }

    private static func text(_ code: CURLcode) -> String {
        String(cString: curl_easy_strerror(code))
    }
}

private let receiveBody: ccurl_receive = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : ccurl_pause
}

private let receiveHeader: ccurl_receive = { bytes, size, count, context in
    guard let context else { return 0 }
    let line = String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: size * count).filter { $0 != 13 && $0 != 10 },
        as: UTF8.self)
    Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().takeHeader(line)
    return size * count
}
