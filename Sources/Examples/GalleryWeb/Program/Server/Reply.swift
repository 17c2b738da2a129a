import NIOHTTP1
import Streams

/// The answer to a request. Its body is a publisher, whatever it is: a page that is at hand, a tile that is being loaded, or
/// events without an end.
struct Reply: Sendable {
    let status: HTTPResponseStatus
    let type: String
    let body: AnyPublisher<[UInt8], Never>

    init(_ type: String, _ body: AnyPublisher<[UInt8], Never>, status: HTTPResponseStatus = .ok) {
        (self.status, self.type, self.body) = (status, type, body)
    }

    /// Answers with bytes that are at hand.
    init(_ type: String, _ bytes: [UInt8], status: HTTPResponseStatus = .ok) {
        self.init(type, Just(bytes).eraseToAnyPublisher(), status: status)
    }

    /// Answers with the reason for which there is nothing else.
    init(_ status: HTTPResponseStatus) {
        self.init("text/plain", Array("\(status.code) \(status.reasonPhrase)\n".utf8), status: status)
    }

    func head(_ request: HTTPRequestHead) -> HTTPResponseHead {
        var head = HTTPResponseHead(version: request.version, status: status)
        head.headers.add(name: "Content-Type", value: type)
        head.headers.add(name: "Cache-Control", value: "no-store")
        head.headers.add(name: "X-Content-Type-Options", value: "nosniff")
        head.headers.add(
            name: "Content-Security-Policy",
            value: "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:")
        if !request.isKeepAlive { head.headers.add(name: "Connection", value: "close") }
        return head
    }
}
