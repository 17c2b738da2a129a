import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Answers that have no body")
struct BodilessAnswerTests {
    private final class Recorder: HTTPReceiver {
        struct State: Sendable {
            var head: HTTPResponseHead?
            var bytes: [UInt8] = []
            var end: TransportError??
        }

        private let state = Mutex(State())

        var value: State { state.withLock { $0 } }

        func didReceive(_ head: HTTPResponseHead) { state.withLock { $0.head = head } }
        func didReceive(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes } }
        func didEnd(_ error: TransportError?) { state.withLock { $0.end = .some(error) } }
    }

    /// What a peer's only answer comes to whose bodies may have 1,000 bytes.
    private func answer(to method: String, _ text: String) throws -> Recorder.State {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write(text)
                connection.waitForClose()
            })
        var options = TransportOptions.patient
        options.limits.body = 1_000
        let recorder = Recorder()
        let transfer = CurlTransport(options).start(
            HTTPRequest(method: method, url: server.url()), receiver: recorder)
        transfer.request(10)
        #expect(comesTrue { recorder.value.end != nil })
        return recorder.value
    }

    @Test(
        "What one says of a body that it does not have is no fault",
        arguments: [("HEAD", 200), ("HEAD", 404), ("GET", 204), ("GET", 304), ("HEAD", 304)],
        [
            "Content-Length: 1001", "Content-Encoding: br", "Content-Encoding: gzip",
            "Content-Encoding: gzip, br\r\nContent-Length: 5000000000", "Content-Length: 3",
        ])
    func announced(request: (method: String, status: Int), fields: String) throws {
        let answer = try answer(to: request.method, "HTTP/1.1 \(request.status) X\r\n\(fields)\r\n\r\n")
        #expect(answer.end == .some(nil))
        #expect(answer.head?.status == request.status)
        #expect(answer.bytes.isEmpty)
    }

    @Test("Any other one is judged by what it says", arguments: [200, 404])
    func others(status: Int) throws {
        let long = try answer(to: "GET", "HTTP/1.1 \(status) X\r\nContent-Length: 1001\r\n\r\n")
        #expect(long.end == .some(.bodyTooLarge(limit: 1_000)))
        let encoded = try answer(to: "GET", "HTTP/1.1 \(status) X\r\nContent-Encoding: br\r\n\r\n")
        #expect(encoded.end == .some(.unsupportedEncoding("br")))
        let twice = try answer(to: "HEAD", "HTTP/1.1 200 X\r\nContent-Length: 1, 2\r\n\r\n")
        // Which of the two says so, and how, is libcurl's choice.
        guard case .protocolViolation?? = twice.end else {
            Issue.record("\(String(describing: twice.end))")
            return
        }
    }
}
