import Files
import LoopbackServer
import Testing

@Suite("The loopback server goes wrong as told")
struct FaultTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
    }

    private func answer(_ reply: Reply) throws -> (text: String, log: LoggedRequest) {
        server.route("/a", reply)
        let client = try RawClient(port: server.port)
        try client.get("/a", "Connection: close")
        let text = client.receiveAll()
        try server.log.wait(for: .openConnections(atMost: 0))
        return (text, try #require(server.log.requests.last))
    }

    private let reply = Reply.resource(Array("0123456789".utf8), headers: [Header("Date", "today")])

    @Test("A connection ends short of Content-Length")
    func short() throws {
        let (text, log) = try answer(reply.failing(.close(.body(4))))
        #expect(text.contains("Content-Length: 10\r\n") && text.hasSuffix("\r\n\r\n0123"))
        #expect(log.bodyBytesSent == 4 && log.ending == .fault)
    }

    @Test("A connection ends before the head, or right behind it")
    func noBody() throws {
        #expect(try answer(reply.failing(.close(.head))).text == "")
        #expect(try answer(reply.failing(.close(.body(0)))).text.hasSuffix("\r\n\r\n"))
        #expect(try answer(reply.failing(.close(.body(-5)))).text.hasSuffix("\r\n\r\n"))
    }

    @Test("A reset is a reset")
    func reset() throws {
        server.route("/a", reply.failing(.reset(.head)))
        let client = try RawClient(port: server.port)
        try client.get("/a")
        #expect(client.endOfStream() == ECONNRESET)
        try server.log.wait(for: .ended("/a", .fault))
    }

    @Test("A reply that stands still goes on when told to")
    func goOn() throws {
        server.route("/a", reply.failing(.stall(.body(4))))
        let client = try RawClient(port: server.port)
        try client.get("/a")
        try server.log.wait(for: .stalled("/a"))
        _ = client.receiveHead()
        #expect(client.receive(4) == Array("0123".utf8))
        #expect(server.log.requests.last?.ending == nil)
        server.goOn("/a")
        #expect(client.receive(6) == Array("456789".utf8))
        try server.log.wait(for: .ended("/a", .complete))
    }

    @Test("The server sees at once that a client has closed while the reply stands still, or is slow")
    func clientCloses() throws {
        let long = Reply.resource([UInt8](repeating: 0, count: 1_000_000))
        server.route("/stall", reply.failing(.stall(.head)))
        server.route("/slow", long.limited(bytesPerSecond: 1000))
        for path in ["/stall", "/slow"] {
            do {
                let client = try RawClient(port: server.port)
                try client.get(path)
                try server.log.wait(for: .requests(path))
            }
            try server.log.wait(for: .ended(path, .clientClosed))
        }
        try server.log.wait(for: .openConnections(atMost: 0))
        #expect(try #require(server.log.requests(for: "/slow").first).bodyBytesSent < 1_000_000)
    }

    @Test("A client that does not read holds the server back")
    func backPressure() throws {
        let server = try LoopbackServer(sendBuffer: 8192)
        let body = [UInt8](repeating: 1, count: 4_000_000)
        server.route("/a", .resource(body))
        let client = try RawClient(port: server.port, receiveBuffer: 8192)
        try client.get("/a")
        try server.log.wait(for: .bodyBytes("/a", atLeast: 1))
        #expect(try #require(server.log.requests.first).ending == nil)
        _ = client.receiveHead()
        #expect(client.receive(body.count) == body)
        try server.log.wait(for: .ended("/a", .complete))
    }

    @Test("A status line can be garbage, and Content-Length can lie")
    func lies() throws {
        #expect(try answer(reply.failing(.garbageStatusLine)).text.hasPrefix("\u{1}"))
        for length in [4, 400] {
            let (text, log) = try answer(reply.failing(.statedLength(length)))
            #expect(text.contains("Content-Length: \(length)\r\n") && text.hasSuffix("\r\n\r\n0123456789"))
            #expect(log.ending == .fault)
        }
    }

    @Test("A head can be slow, and it can be long")
    func heads() throws {
        let slow = try answer(reply.failing(.slowHead(bytesPerSecond: 2000)))
        #expect(slow.text.hasSuffix("\r\n\r\n0123456789") && slow.log.ending == .complete)
        #expect(try answer(reply.failing(.oversizeHead(bytes: 300_000))).text.utf8.count > 300_000)
    }

    @Test("A chunk can be broken")
    func chunk() throws {
        let (text, log) = try answer(reply.framed(.chunked(3)).failing(.brokenChunk(after: 4)))
        #expect(text.hasSuffix("\r\n\r\n3\r\n012\r\n1\r\n3\r\nno size\r\n456789"))
        #expect(log.ending == .fault)
        #expect(try answer(reply.failing(.brokenChunk(after: 99))).text.contains("Transfer-Encoding: chunked\r\n"))
    }

    @Test("A reply can come twice")
    func twice() throws {
        let (text, _) = try answer(reply.failing(.duplicate))
        let halves = text.split(separator: "0123456789")
        #expect(halves.count == 2 && halves.first == halves.last)
    }

    @Test("A condition that does not come to hold gives an error that shows the log")
    func unmet() async throws {
        server.route("/a", reply)
        let client = try RawClient(port: server.port)
        try client.get("/a")
        try await server.log.wait(for: .ended("/a", .complete))
        let error = await #expect(throws: LogConditionUnmet.self) {
            try await server.log.wait(for: .requests("/b"), seconds: 0.01)
        }
        #expect(error?.description.contains("#0 on connection 0: GET /a -> 200, 10 bytes, complete") == true)
    }
}
