import CCurl
import CLibCrypto

/// One connection to a server, kept open between its requests.
///
/// Unchecked: whoever takes it from the list of idle ones is the only one that uses it, until it is put back; the list's lock orders one
/// use before the next.
final class ObjectConnection: @unchecked Sendable {
    /// Has the connection.
    private let multi: UnsafeMutableRawPointer
    /// One for each request: libcurl up to 8.0 may use freed memory where a handle serves another one (see `CurlHandle`).
    private var easy: UnsafeMutableRawPointer

    init() throws {
        guard ccurl_initialize() == CURLE_OK, let multi = curl_multi_init() else { throw Self.outOfMemory }
        guard let easy = curl_easy_init() else {
            curl_multi_cleanup(multi)
            throw Self.outOfMemory
        }
        (self.multi, self.easy) = (multi, easy)
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
    }

    private static var outOfMemory: ObjectStoreError { ObjectStoreError("libcurl is out of memory") }

    func run(_ request: ObjectRequest, _ address: ObjectStoreAddress, milliseconds: Int) throws -> ObjectAnswer {
        guard let fresh = curl_easy_init() else { throw Self.outOfMemory }
        curl_easy_cleanup(easy)
        easy = fresh
        let receiver = Receiver(limit: request.largestAnswer)
        let fields = HeaderList(try request.fields(isSigned: address.isSigned))
        try check([
            ccurl_allow_http_only(easy),
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_string(easy, CURLOPT_URL, request.url),
            ccurl_set_string(easy, CURLOPT_USERAGENT, "ImageStreams"),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
            ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, milliseconds),
            // A server that does not say "go on" is not waited for.
            ccurl_set_long(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 50),
            ccurl_set_list(easy, CURLOPT_HTTPHEADER, fields.list),
            ccurl_set_callbacks(
                easy, Receiver.receive, Receiver.ignore, nil, nil, Unmanaged.passUnretained(receiver).toOpaque()),
        ])
        if let file = address.authorityFile { try check([ccurl_set_string(easy, CURLOPT_CAINFO, file)]) }
        try check(options(for: address.credentials))
        let sender = request.object.map { Sender($0) }
        try check(options(for: request.method, sender))
        let code = try perform()
        return try withExtendedLifetime((receiver, sender, fields)) {
            // Bytes beyond those asked for are left where they are.
            if !receiver.isCut { try check([code]) }
            return ObjectAnswer(status: ccurl_status(easy), bytes: receiver.bytes)
        }
    }

    /// Has libcurl do the request, on this thread.
    private func perform() throws -> CURLcode {
        try check(curl_multi_add_handle(multi, easy))
        defer { curl_multi_remove_handle(multi, easy) }
        var (running, left): (Int32, Int32) = (1, 0)
        while running > 0 {
            try check(curl_multi_perform(multi, &running))
            if running > 0 { try check(curl_multi_poll(multi, nil, 0, 1_000, nil)) }
        }
        return curl_multi_info_read(multi, &left)?.pointee.data.result ?? CURLE_OK
    }

    private func options(for credentials: ObjectStoreAddress.Credentials) -> [CURLcode] {
        switch credentials {
        case .none: []
        case .basic(let credentials):
            [
                ccurl_set_string(easy, CURLOPT_USERNAME, credentials.user),
                ccurl_set_string(easy, CURLOPT_PASSWORD, credentials.password),
            ]
        case .aws(let key, let secret, let region):
            [
                ccurl_set_string(easy, CURLOPT_USERNAME, key), ccurl_set_string(easy, CURLOPT_PASSWORD, secret),
                ccurl_set_string(easy, CURLOPT_AWS_SIGV4, "aws:amz:\(region):s3"),
            ]
        }
    }

    private func options(for method: ObjectRequest.Method, _ sender: Sender?) -> [CURLcode] {
        switch method {
        case .get(let range):
            [ccurl_set_string(easy, CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound - 1)")]
        case .head: [ccurl_set_long(easy, CURLOPT_NOBODY, 1)]
        case .delete: [ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, "DELETE")]
        case .put(let object):
            [
                ccurl_set_upload(
                    easy, Sender.send, Sender.seek, Int64(object.count),
                    sender.map { Unmanaged.passUnretained($0).toOpaque() })
            ]
        }
    }

    private func check(_ code: CURLMcode) throws {
        if code != CURLM_OK { throw ObjectStoreError(String(cString: curl_multi_strerror(code))) }
    }

    private func check(_ codes: [CURLcode]) throws {
        if let code = codes.first(where: { $0 != CURLE_OK }) {
            throw ObjectStoreError(String(cString: curl_easy_strerror(code)))
        }
    }
}

extension ObjectStoreAddress {
    fileprivate var isSigned: Bool { if case .aws = credentials { true } else { false } }
}

extension ObjectRequest {
    /// The object that is sent, if any.
    fileprivate var object: ObjectPayload? { if case .put(let object) = method { object } else { nil } }

    /// The number of bytes of an answer that are taken at most.
    fileprivate var largestAnswer: Int {
        // As much as comes before the range, too, from a server that knows none.
        if case .get(let range) = method { range.upperBound } else { 1 << 16 }
    }

    fileprivate func fields(isSigned: Bool) throws -> [String] {
        var fields: [String] = []
        if object != nil { fields.append("Content-Type: application/octet-stream") }
        if isSigned {
            let text = try digest().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            fields.append("x-amz-content-sha256: \(text)")
        }
        return fields
    }

    /// The SHA-256 of the object, or of nothing.
    private func digest() throws -> [UInt8] {
        var (context, offset) = (SHA256_CTX(), 0)
        SHA256_Init(&context)
        while let bytes = try object?.read(Sender.largestPart, at: offset), !bytes.isEmpty {
            SHA256_Update(&context, bytes, bytes.count)
            offset += bytes.count
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256_Final(&digest, &context)
        return digest
    }
}

/// Gives libcurl an object's bytes, a part at a time.
private final class Sender {
    static let largestPart = 64 << 10

    private let object: ObjectPayload
    private var offset = 0

    init(_ object: ObjectPayload) { self.object = object }

    static let send: ccurl_send = { bytes, size, count, context in
        guard let bytes, let context else { return ccurl_abort }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return Unmanaged<Sender>.fromOpaque(context).takeUnretainedValue().fill(buffer) ?? ccurl_abort
    }

    /// A request that has to be sent again, as its connection had been closed, begins anew.
    static let seek: ccurl_seek = { context, offset, origin in
        guard let context, origin == SEEK_SET, offset >= 0 else { return CURL_SEEKFUNC_FAIL }
        Unmanaged<Sender>.fromOpaque(context).takeUnretainedValue().offset = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    /// - Returns: The number of bytes; nil if they cannot be read.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let bytes = try? object.read(min(buffer.count, Self.largestPart), at: offset) else { return nil }
        buffer.copyBytes(from: bytes)
        offset += bytes.count
        return bytes.count
    }
}

/// Takes an answer's bytes, up to a limit.
private final class Receiver {
    private(set) var bytes: [UInt8] = []
    /// True if there was more.
    private(set) var isCut = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    static let receive: ccurl_receive = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        return Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().take(bytes, size * count)
    }

    /// Header lines are of no use.
    static let ignore: ccurl_receive = { _, size, count, _ in size * count }

    private func take(_ new: UnsafeMutablePointer<CChar>, _ count: Int) -> Int {
        let room = limit - bytes.count
        bytes += UnsafeRawBufferPointer(start: new, count: min(count, room))
        isCut = count > room
        // Any other number than that of the bytes ends the transfer.
        return isCut ? 0 : count
    }
}

/// Header lines as libcurl has them.
private final class HeaderList {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        for line in lines { list = curl_slist_append(list, line) }
    }

    deinit {
        curl_slist_free_all(list)
    }
}
