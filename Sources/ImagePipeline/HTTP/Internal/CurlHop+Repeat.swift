import CCurl

extension CurlHop {
    /// Whether a hop that has ended this way may be repeated on another connection: what came is no answer to its request, or one of HTTP/2 has
    /// ended, and of this answer nothing has come.
    ///
    /// A server that closes its connection names the last stream that it has seen to (RFC 9113, 6.8); what is asked for here may be asked
    /// for twice in any case (RFC 9110, 9.2.1). libcurl itself repeats streams that were refused, and those behind the last one if the connection
    /// stays open; of the others it says that their connection has ended.
    func mayBeRepeated(after code: CURLcode) -> Bool {
        if isUnsolicited { return true }
        guard isConnected, total == 0, let handle else { return false }
        switch code {
        case CURLE_HTTP2: return true
        case CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE:
            let text = handle.errorText
            return text.hasPrefix("HTTP/2 stream") && (text.contains("underlying") || text.contains("REFUSED_STREAM"))
        default: return false
        }
    }
}
