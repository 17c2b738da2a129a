import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Heads that mean something else than they seem to, and what stands behind a body")
struct TrailerTests {
    @Test("A switch to another protocol is no answer")
    func switching() throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabc")
            })
        let recorder = PeerLoad.run(server.url(), .patient)
        guard case .failure(.transport(.protocolViolation))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(recorder.values.isEmpty)
    }

    @Test(
        "What nobody may keep is not kept however that is written",
        arguments: [
            "Cache-Control: no-store,\u{301}x", "Cache-Control : no-store", "Cache-Control\t: max-age=9, No-Store",
            "Cache-Control: x=\"a,no-store",
        ])
    func hiddenNoStore(line: String) throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(PeerLoad.ok)\(line)\r\nContent-Length: 3\r\n\r\nabc")
            })
        let directory = TemporaryDirectory()
        let recorder = PeerLoad.run(server.url(), .patient, cache: DiskCache(directory: directory.path))
        #expect(recorder.isFinished)
        #expect(directory.names.isEmpty)
    }

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
