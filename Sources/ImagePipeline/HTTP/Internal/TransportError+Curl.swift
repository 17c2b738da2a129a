import CCurl
import Files

extension TransportError {
    /// The error of a transfer that libcurl has ended with a code.
    ///
    /// - Parameters:
    ///   - text: libcurl's words about this very case; the general ones if there are none.
    ///   - isConnected: Whether the request was sent.
    ///   - received: The bytes of the body so far.
    init(
        _ code: CURLcode, text: String, easy: UnsafeMutableRawPointer, url: String, host: String, isConnected: Bool,
        received: Int, headLimit: Int
    ) {
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        switch code {
        case CURLE_URL_MALFORMAT: self = .invalidURL(url, reason: reason)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .nameNotFound(host: host, reason: reason)
        case CURLE_COULDNT_CONNECT:
            let code = ccurl_os_errno(easy)
            self = .couldNotConnect(code == 0 ? reason : "\(reason): \(String(cString: strerror(Int32(code))))")
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(isConnected ? .total : .connect)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_INVALIDCERTSTATUS:
            self = .certificate(CertificateProblem(verdict: ccurl_verify_result(easy), reason: reason), reason: reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_ISSUER_ERROR:
            self = .encryption(reason)
        case CURLE_PARTIAL_FILE: self = .truncated(received: received)
        // A damaged chunk is a receive error of libcurl, too.
        case CURLE_RECV_ERROR where reason.lowercased().contains("chunk"): self = .protocolViolation(reason)
        case CURLE_RECV_ERROR where !isConnected: self = .couldNotConnect(reason)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: self = .connectionLost(reason)
        // The server has closed the stream or the connection, without a word about a fault of the client's.
        case CURLE_HTTP2 where text.isEmpty || text.isEndOfStream, CURLE_HTTP2_STREAM where text.isEndOfStream:
            self = .connectionLost(reason)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .protocolViolation(reason)
        // libcurl cannot keep such a field.
        case CURLE_BAD_FUNCTION_ARGUMENT where isConnected: self = .protocolViolation("a line of the head is no field")
        case CURLE_BAD_CONTENT_ENCODING: self = .unsupportedEncoding(reason)
        // libcurl has one buffer of 100 KB for a header line.
        case CURLE_OUT_OF_MEMORY where isConnected && received == 0, CURLcode(rawValue: 100):
            self = .headTooLarge(limit: headLimit)
        default: self = .failed(reason)
        }
    }
}

extension String {
    /// Whether libcurl says that a stream was closed for no fault of the client's (RFC 9113, 7).
    fileprivate var isEndOfStream: Bool {
        ["NO_ERROR", "INTERNAL_ERROR", "REFUSED_STREAM", "CANCEL", "ENHANCE_YOUR_CALM", "GOAWAY"].contains {
            contains($0)
        }
    }
}

extension TransportError.CertificateProblem {
    /// - Parameter verdict: OpenSSL's, an `X509_V_` value; 0 where the chain is good and the name is wrong, and with other TLS libraries.
    fileprivate init(verdict: Int, reason: String) {
        switch verdict {
        case 9: self = .notYetValid
        case 10: self = .expired
        case 2, 18, 19, 20, 21, 27, 28: self = .untrusted
        case 23: self = .revoked
        case 62, 64: self = .wrongName
        default:
            let text = reason.lowercased()
            let hints: [(String, Self)] = [
                ("subject name", .wrongName), ("match", .wrongName), ("not yet", .notYetValid), ("expire", .expired),
                ("revoked", .revoked), ("issuer", .untrusted), ("unknown ca", .untrusted),
            ]
            self = hints.first { text.contains($0.0) }?.1 ?? .other
        }
    }
}
