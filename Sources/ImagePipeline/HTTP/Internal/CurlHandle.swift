import CCurl

/// A handle of libcurl with the options that all transfers of a transport share. To make one takes as long as a third of a small load, so
/// those of good transfers are used again where that is safe.
///
/// Only the loop's thread has it.
final class CurlHandle {
    /// The version of libcurl that runs: 0x08_0102 is 8.1.2.
    static let version = curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0

    /// Whether a handle may be used for another transfer. From 7.83 on, until May 2023, libcurl keeps a place in the head that it frees at
    /// the next transfer, and uses it where the next head begins with a fold (curl's issue 11101): any server could end this process.
    static let isReusable = !(0x07_5300..<0x08_0200).contains(version)

    /// The version of HTTP to be asked for. Before 8.0 libcurl sends requests of HTTP/2 on a connection whose tunnel through a proxy is
    /// still being made, and they fail.
    static func version(_ wanted: TransportOptions.Version, byProxy: Bool) -> Int {
        let isHTTP2 = wanted == .http2 && (!byProxy || version >= 0x08_0000)
        return Int(isHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    }

    let easy: UnsafeMutableRawPointer
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ options: TransportOptions) throws(TransportError) {
        guard let easy = curl_easy_init() else {
            errorBuffer.deallocate()
            throw .failed("libcurl is out of memory")
        }
        self.easy = easy
        errorBuffer.pointee = 0
        try check([
            ccurl_allow_http_only(easy),
            ccurl_set_string(easy, CURLOPT_USERAGENT, options.userAgent),
            // Images are compressed as they are. What is encoded nevertheless is decoded by us (BodyDecoder).
            ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "identity"),
            ccurl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0),
            ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            ccurl_set_long(easy, CURLOPT_BUFFERSIZE, options.bufferSize),
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorBuffer),
        ])
        if let file = options.authorityFile { try check([ccurl_set_string(easy, CURLOPT_CAINFO, file)]) }
        if let certificate = options.clientCertificate {
            try check([
                ccurl_set_string(easy, CURLOPT_SSLCERT, certificate.certificateFile),
                ccurl_set_string(easy, CURLOPT_SSLKEY, certificate.keyFile),
                ccurl_set_string(easy, CURLOPT_KEYPASSWD, certificate.keyPassword),
            ])
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        errorBuffer.deallocate()
    }

    /// libcurl's words about the transfer that has failed; empty where it has none.
    var errorText: String { String(cString: errorBuffer) }

    /// Throws unless libcurl has taken all options.
    func check(_ codes: [CURLcode]) throws(TransportError) {
        if let code = codes.first(where: { $0 != CURLE_OK }) {
            throw .failed("libcurl is not set up: \(String(cString: curl_easy_strerror(code)))")
        }
    }
}
