import LoopbackServer
import Testing

@Suite("The loopback server answers")
struct LoopbackServerTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route(
            "/a",
            .resource(
                Array("0123456789".utf8), contentType: "text/plain", entityTag: "\"v1\"",
                lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", cacheControl: "max-age=60"))
    }

    /// The whole answer to one request on a connection of its own.
    private func answer(_ target: String, _ headers: String...) throws -> String {
        let client = try RawClient(port: server.port)
        try client.send(
            "GET \(target) HTTP/1.1\r\nConnection: close\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
        return client.receiveAll()
    }

    @Test("A resource comes with its headers and its length")
    func resource() throws {
        let text = try answer("/a")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"v1\"\r\n"))
        for line in ["Content-Length: 10", "Cache-Control: max-age=60", "Connection: close", "Date: "] {
            #expect(text.contains("\r\n\(line)"))
        }
        #expect(text.hasSuffix("\r\n\r\n0123456789"))
    }

    @Test("An unknown path is 404, another method than GET and HEAD is 405, and HEAD has no body")
    func others() throws {
        #expect(try answer("/nothing").hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        let client = try RawClient(port: server.port)
        try client.send("POST /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello")
        try client.send("HEAD /a HTTP/1.1\r\nConnection: close\r\n\r\n")
        let text = client.receiveAll()
        #expect(text.hasPrefix("HTTP/1.1 405 "))
        #expect(text.contains("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Content-Length: 10\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test("A query is looked up with its path first, then without")
    func query() throws {
        server.route("/a?b=1", .resource(Array("with".utf8)))
        #expect(try answer("/a?b=1").hasSuffix("with"))
        #expect(try answer("/a?b=2").hasSuffix("0123456789"))
    }

    @Test("Several requests go over one connection, sent ahead or not")
    func keepAlive() throws {
        let client = try RawClient(port: server.port)
        try client.send("GET /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n")
        for _ in 0..<2 {
            #expect(client.receiveHead().hasPrefix("HTTP/1.1 200"))
            #expect(client.receive(10).count == 10)
        }
        try client.get("/a")
        #expect(client.receiveHead().hasPrefix("HTTP/1.1 200"))
        #expect(Set(server.log.requests(for: "/a").map(\.connection)) == [0])
        #expect(server.log.connections == 1)
    }

    @Test(
        "A validator that holds gives 304 without a body",
        arguments: [
            ("If-None-Match: \"v1\"", 304), ("If-None-Match: \"v0\", W/\"v1\"", 304), ("If-None-Match: *", 304),
            ("If-None-Match: \"v2\"", 200), ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 304),
            ("If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT", 200),
        ])
    func conditional(header: String, status: Int) throws {
        let text = try answer("/a", header)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.hasSuffix("\r\n\r\n") == (status == 304))
        #expect(text.contains("\r\nETag: \"v1\"\r\n"))
        #expect(text.contains("Content-Length") == (status == 200))
    }

    @Test(
        "A range gives 206 with its place, or 416 with the length",
        arguments: [
            ("Range: bytes=4-", "206 Partial Content", "bytes 4-9/10", "456789"),
            ("Range: bytes=4-5", "206 Partial Content", "bytes 4-5/10", "45"),
            ("Range: bytes=-3", "206 Partial Content", "bytes 7-9/10", "789"),
            ("Range: bytes=2-99\r\nIf-Range: \"v1\"", "206 Partial Content", "bytes 2-9/10", "23456789"),
            ("Range: bytes=10-", "416 Range Not Satisfiable", "bytes */10", ""),
            ("Range: bytes=4-\r\nIf-Range: W/\"v1\"", "200 OK", nil, "0123456789"),
            ("Range: bytes=5-4", "200 OK", nil, "0123456789"),
            ("Range: bytes=99999999999999999999-", "200 OK", nil, "0123456789"),
        ] as [(String, String, String?, String)])
    func range(header: String, status: String, place: String?, body: String) throws {
        let text = try answer("/a", header)
        #expect(text.hasPrefix("HTTP/1.1 \(status)\r\n"))
        if let place { #expect(text.contains("Content-Range: \(place)\r\n")) }
        #expect(text.hasSuffix("\r\n\r\n\(body)"))
    }

    @Test("Replies come one after the other, and the last one stays")
    func replies() throws {
        server.route("/busy", .status(503), .status(500), .redirect(to: "/a"))
        #expect(try answer("/busy").hasPrefix("HTTP/1.1 503 "))
        #expect(try answer("/busy").hasPrefix("HTTP/1.1 500 "))
        for _ in 0..<2 { #expect(try answer("/busy").contains("302 Found\r\nLocation: /a\r\n")) }
    }

    @Test("A handler sees the request")
    func handler() throws {
        server.route("/echo") { .resource(Array(($0.header("x-word") ?? "none").utf8)) }
        #expect(try answer("/echo?q", "X-Word:  two words ").hasSuffix("\r\n\r\ntwo words"))
    }

    @Test("A body comes in chunks, or up to the end of the connection")
    func framings() throws {
        let reply = Reply.resource(Array("0123456789".utf8))
        server.route("/chunked", reply.framed(.chunked(8)))
        #expect(try answer("/chunked").hasSuffix("\r\n\r\n8\r\n01234567\r\n2\r\n89\r\n0\r\n\r\n"))
        server.route("/end", reply.framed(.untilClose))
        let text = try answer("/end")
        #expect(text.hasSuffix("\r\n\r\n0123456789"))
        #expect(!text.contains("Content-Length"))
    }

    @Test(
        "Whatever a client sends is refused or answered",
        arguments: [
            ("\r\n\r\n", "400"), ("GET\r\n\r\n", "400"), ("GET  HTTP/1.1\r\n\r\n", "400"),
            ("GET /a HTTP/2\r\n\r\n", "400"),
            ("GET x HTTP/1.1\r\n\r\n", "400"), ("GET /a HTTP/1.1\r\n: x\r\n\r\n", "400"),
            ("GET /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400"),
            ("GET /a HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"),
            ("GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "501"), ("\u{0}\u{1}\u{2}\r\n\r\n", "400"),
            ("GET /a HTTP/1.0\r\n\r\n", "200"),
        ])
    func garbage(request: String, status: String) throws {
        let client = try RawClient(port: server.port)
        try client.send(request)
        #expect(client.receiveHead().hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("A head that does not end is refused")
    func endlessHead() throws {
        let client = try RawClient(port: server.port)
        try client.send(String(repeating: "x", count: 70_000))
        #expect(client.receiveHead().hasPrefix("HTTP/1.1 431 "))
    }

    @Test("Random bytes never stop it", arguments: [UInt64.random(in: .min ... .max)])
    func noise(seed: UInt64) throws {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let words = ["GET", " ", "/a", "\r\n", "HTTP/1.1", ":", "Range", "bytes=", "-", "0", "\r\n\r\n", "é", "\u{0}"]
        for _ in 0..<100 {
            let client = try RawClient(port: server.port)
            try client.send((0..<(next() % 40)).map { _ in words[Int(next() % UInt64(words.count))] }.joined())
        }
        #expect(try answer("/a").hasSuffix("0123456789"))
    }

    @Test("A rate holds: the first piece is short, and all of it comes in the end")
    func rate() throws {
        let body = [UInt8](repeating: 7, count: 20_000)
        server.route("/slow", .resource(body).limited(bytesPerSecond: 200_000))
        let client = try RawClient(port: server.port)
        try client.get("/slow")
        _ = client.receiveHead()
        #expect(client.receive(body.count) == body)
        try server.log.wait(for: .ended("/slow", .complete))
    }

    @Test("A stopped server closes its connections and its port, and stopping again is nothing")
    func stop() throws {
        server.route("/a", .resource([1]).failing(.stall(.body(0))))
        let client = try RawClient(port: server.port)
        try client.get("/a")
        try server.log.wait(for: .stalled("/a"))
        server.stop()
        server.stop()
        _ = client.receiveHead()
        #expect(client.endOfStream() == 0)
        #expect(server.log.requests.map(\.ending) == [.stopped])
        #expect(server.log.openConnections == 0)
        #expect(throws: (any Error).self) { _ = try RawClient(port: server.port) }
        #expect(throws: LogConditionUnmet.self) { try server.log.wait(for: .requests("/never")) }
    }
}
