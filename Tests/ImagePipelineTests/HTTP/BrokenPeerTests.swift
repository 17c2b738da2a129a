import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Broken peers")
struct BrokenPeerTests {
    struct Peer: CustomTestStringConvertible, Sendable {
        let name: String
        let serve: @Sendable (RawServer.Connection) -> Void
        let isExpected: @Sendable (TransportError) -> Bool

        init(
            _ name: String, _ answer: String, closes: Bool = true,
            _ isExpected: @escaping @Sendable (TransportError) -> Bool
        ) {
            self.init(name, closes: closes, serve: { $0.write(answer) }, isExpected)
        }

        init(
            _ name: String, closes: Bool = true, serve: @escaping @Sendable (RawServer.Connection) -> Void,
            _ isExpected: @escaping @Sendable (TransportError) -> Bool
        ) {
            self.name = name
            self.serve = { connection in
                connection.readHead()
                serve(connection)
                if !closes { connection.waitForClose() }
            }
            self.isExpected = isExpected
        }

        var testDescription: String { name }
    }

    private static let ok = PeerLoad.ok
    private static let body = PeerLoad.body
    private static let violation: @Sendable (TransportError) -> Bool = {
        if case .protocolViolation = $0 { true } else { false }
    }

    static let peers = [
        Peer("nothing at all", "", closes: true) { if case .connectionLost = $0 { true } else { false } },
        Peer("closed in the head", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCache-Contro") {
            if case .connectionLost = $0 { true } else { false }
        },
        Peer("a length beyond all numbers", "\(ok)Content-Length: 99999999999999999999999\r\n\r\n\(body)", violation),
        Peer("two lengths in one field", "\(ok)Content-Length: 3000, 6000\r\n\r\n\(body)\(body)", violation),
        Peer("a length in hexadecimal", "\(ok)Content-Length: 0xbb8\r\n\r\n\(body)", violation),
        Peer("a length with a sign", "\(ok)Content-Length: +3000\r\n\r\n\(body)", violation),
        Peer(
            "reset in the head",
            serve: {
                $0.write("HTTP/1.1 200 O"); $0.reset()
            }
        ) {
            if case .connectionLost = $0 { true } else { false }
        },
        Peer(
            "reset in the body",
            serve: {
                $0.write("\(ok)Content-Length: 9000\r\n\r\n\(body)"); $0.reset()
            }
        ) {
            switch $0 {
            case .connectionLost, .truncated: true
            default: false
            }
        },
        Peer("truncated length", "\(ok)Content-Length: 9000\r\n\r\n\(body)") { $0 == .truncated(received: 3_000) },
        Peer("truncated chunks", "\(ok)Transfer-Encoding: chunked\r\n\r\nbb8\r\n\(body)\r\n") {
            $0 == .truncated(received: 3_000)
        },
        Peer("a bad chunk", "\(ok)Transfer-Encoding: chunked\r\n\r\nbb8\r\n\(body)\r\nzz\r\n", violation),
        Peer("garbage for a status line", "\u{1}\u{2} what is this\r\n\r\n", violation),
        Peer(
            "what is nearly a status line", "http/1.1 404 Not Found\r\nContent-Length: 3000\r\n\r\n\(body)", violation
        ),
        Peer("a return in a field's name", "\(ok)Content-Length\r: 3000\r\n\r\n\(body)", violation),
        Peer("a line that begins with a return", "\(ok)\rX: y\r\nContent-Length: 3000\r\n\r\n\(body)", violation),
        Peer("HTTP/0.9", body, violation),
        Peer("two lengths", "\(ok)Content-Length: 3000\r\nContent-Length: 2000\r\n\r\n\(body)", violation),
        Peer(
            "endless header fields",
            serve: { connection in
                connection.write(ok)
                while connection.write("X-Padding: \(body)\r\n") {}
            }
        ) { $0 == .headTooLarge(limit: 64 << 10) },
        Peer(
            "an endless header line",
            serve: { connection in
                connection.write("\(ok)X-Padding: ")
                while connection.write(body) {}
            }
        ) { $0 == .headTooLarge(limit: 64 << 10) },
        Peer(
            "endless interim responses",
            serve: { while $0.write("HTTP/1.1 103 Early Hints\r\nLink: \(body)\r\n\r\n") {} }
        ) {
            $0 == .headTooLarge(limit: 64 << 10)
        },
        Peer("too long a body", "\(ok)Content-Length: 2000000\r\n\r\n\(body)", closes: false) {
            $0 == .bodyTooLarge(limit: 1 << 20)
        },
        Peer(
            "an endless body",
            serve: { connection in
                connection.write("\(ok)\r\n")
                while connection.write(body) {}
            }
        ) { $0 == .bodyTooLarge(limit: 1 << 20) },
        Peer(
            "a decompression bomb",
            serve: { connection in
                let bomb = PeerLoad.gzipped([UInt8](repeating: 0, count: 8 << 20))
                connection.write("\(ok)Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
                connection.write(bomb)
            }
        ) { $0 == .bodyTooLarge(limit: 1 << 20) },
        Peer("an unknown coding", "\(ok)Content-Encoding: rot13\r\nContent-Length: 3000\r\n\r\n\(body)") {
            if case .unsupportedEncoding = $0 { true } else { false }
        },
        Peer("damaged gzip", "\(ok)Content-Encoding: gzip\r\nContent-Length: 3000\r\n\r\n\(body)") {
            if case .unsupportedEncoding = $0 { true } else { false }
        },
        Peer(
            "a slow head",
            serve: { connection in
                for character in "\(ok)X-Slow: \(body)" {
                    guard connection.write("\(character)") else { return }
                    connection.pace(20)
                }
            }
        ) { $0 == .timedOut(.stall) },
        Peer("silence in mid-body", "\(ok)Content-Length: 9000\r\n\r\n\(body)", closes: false) {
            $0 == .timedOut(.stall)
        },
        Peer("no answer", "", closes: false) { $0 == .timedOut(.stall) },
        Peer(
            "a trickle",
            serve: { connection in
                connection.write("\(ok)Content-Length: 9000\r\n\r\n")
                while connection.write("x") { connection.pace(20) }
            }
        ) { $0 == .timedOut(.stall) },
        Peer(
            "a body that takes too long",
            serve: { connection in
                connection.write("\(ok)Content-Length: 1000000\r\n\r\n")
                while connection.write(String(repeating: "x", count: 1_000)) { connection.pace(20) }
            }
        ) { $0 == .timedOut(.total) },
    ]

    @Test("Each ends in its own error, in its time, and nothing is kept", arguments: peers)
    func broken(peer: Peer) throws {
        let server = try #require(RawServer(peer.serve))
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path)
        let recorder = PeerLoad.run(server.url(), .hasty, cache: cache)
        guard case .failure(.transport(let error))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(peer.isExpected(error), "\(error)")
        #expect(cache.entry(for: ImageRequest(server.url()).dataKey) == nil)
        #expect(recorder.violations.isEmpty)
    }

    @Test(
        "Answers to what nobody has asked, a part of a body or that it is as it was, are errors, and nothing is kept",
        arguments: ["206 Partial Content", "304 Not Modified", "416 Range Not Satisfiable", "204 No Content"])
    func unaskedAnswers(status: String) throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                let body = ["304", "204"].contains(status.prefix(3)) ? "" : "Content-Length: 3\r\n"
                connection.write("HTTP/1.1 \(status)\r\nContent-Range: bytes 0-2/3\r\nETag: \"1\"\r\n\(body)\r\n")
                if !body.isEmpty { connection.write("abc") }
            })
        let directory = TemporaryDirectory()
        let recorder = PeerLoad.run(server.url(), .hasty, cache: DiskCache(directory: directory.path))
        guard case .failure(.status(let number))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect("\(number)" == status.prefix(3))
        #expect(directory.names.isEmpty)
    }

    @Test("What a proxy has changed on the way is loaded and kept as what the server has")
    func changedByProxy() throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("HTTP/1.1 203 Non-Authoritative Information\r\nCache-Control: max-age=60\r\n")
                connection.write("Content-Length: 3\r\n\r\nabc")
            })
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path)
        #expect(PeerLoad.run(server.url(), .hasty, cache: cache).isFinished)
        #expect(cache.entry(for: ImageRequest(server.url()).dataKey) != nil)
    }

    @Test("A limit of the request goes before that of the transport")
    func requestLimits() throws {
        let server = try #require(RawServer { $0.waitForClose() })
        var request = ImageRequest(server.url())
        request.limits = TransferLimits(stall: .init(bytes: 1, in: .milliseconds(50)))
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        HTTPSource(CurlTransport(.patient)).events(for: request).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        guard case .failure(.transport(.timedOut(.stall)))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
    }

    @Test("While nobody asks for bytes no stall is measured")
    func pausedIsNoStall() throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(Self.ok)Content-Length: 3000\r\n\r\n\(Self.body)")
                connection.waitForClose()
            })
        var request = ImageRequest(server.url())
        request.limits = TransferLimits(stall: .init(bytes: 100_000, in: .milliseconds(30)), total: .milliseconds(400))
        let recorder = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .none)
        HTTPSource(CurlTransport(.patient)).events(for: request).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        guard case .failure(.transport(.timedOut(.total)))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
    }

    @Test("A head may be as long as the limit says, and not a byte longer", arguments: [0, 1])
    func longestHead(excess: Int) throws {
        let start = "\(Self.ok)Content-Length: 3\r\nX-Padding: "
        let padding = String(repeating: "x", count: 1_000 - start.utf8.count - 4 + excess)
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(start)\(padding)\r\n\r\nabc")
            })
        var options = TransportOptions.patient
        options.limits.head = 1_000
        let recorder = PeerLoad.run(server.url(), options)
        #expect(recorder.isFinished == (excess == 0))
        if excess == 0 { return }
        guard case .failure(.transport(let error))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(error == .headTooLarge(limit: 1_000))
    }
}
