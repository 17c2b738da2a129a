import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("What stands behind a body")
struct TrailerTests {
    private static let trailer = "0\r\nCache-Control: max-age=600\r\nHTTP/x: y\r\n\r\n"

    /// The head of what a peer answers to the first request with one text, and to those that follow with another.
    private func head(_ answer: String, then next: String = "") throws -> HTTPResponseHead? {
        let answers = Atomic(0)
        let server = try #require(
            RawServer { connection in
                while connection.readHead() != nil {
                    connection.write(answers.add(1, ordering: .relaxed).oldValue == 0 ? answer : next)
                }
            })
        let recorder = PeerLoad.run(server.url(), .patient)
        if case .response(let response)? = recorder.values.first { return response.head }
        Issue.record("\(String(describing: recorder.completion))")
        return nil
    }

    @Test("It is not of the head, of a response or a redirect (RFC 9110, 6.5.1)", arguments: ["", "3\r\nabc\r\n"])
    func trailers(chunk: String) throws {
        let chunked = "Transfer-Encoding: chunked\r\nX-Own: 1\r\n\r\n\(chunk)\(Self.trailer)"
        #expect(try head("\(PeerLoad.ok)\(chunked)")?.headers.map(\.name) == ["Transfer-Encoding", "X-Own"])
        let redirected = try head(
            "HTTP/1.1 302 Found\r\nLocation: /b.jpg\r\n\(chunked)", then: "\(PeerLoad.ok)Content-Length: 1\r\n\r\na")
        #expect(
            redirected?.redirects.first?.headers.map(\.name) == ["Location", "Transfer-Encoding", "X-Own"])
    }
}
