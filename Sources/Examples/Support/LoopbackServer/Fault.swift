/// A way for a reply to go wrong on purpose.
public enum Fault: Sendable, Hashable {
    /// A place in a reply.
    public enum Place: Sendable, Hashable {
        /// Before the first byte of the reply.
        case head
        /// Behind this many bytes of the body (0: right behind the head).
        case body(Int)
    }

    /// The connection ends here, in good order as TCP sees it.
    case close(Place)
    /// The connection is reset here. What the client had not read by then is lost to it, so it may see less than the
    /// place says.
    case reset(Place)
    /// Nothing more is sent from here on, until ``LoopbackServer/goOn(_:)`` or until the client closes.
    case stall(Place)
    /// In place of the reply's head, a line that no HTTP client can understand; then the connection ends.
    case garbageStatusLine
    /// `Content-Length` says this, whatever the body's length is; the connection ends behind the body.
    case statedLength(Int)
    /// The head is sent at this many bytes a second.
    case slowHead(bytesPerSecond: Int)
    /// The head has a field this many bytes long.
    case oversizeHead(bytes: Int)
    /// A chunked body whose next chunk, behind this many bytes of the body, has no valid size; then the connection ends.
    case brokenChunk(after: Int)
    /// The whole reply is sent twice, as an answer to one request.
    case duplicate
}
