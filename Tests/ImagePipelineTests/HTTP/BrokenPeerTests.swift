import CZlib
import Files
import Streams
import StreamsTesting
import Synchronization
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

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let body = String(repeating: "x", count: 3_000)

    static let peers = [
        Peer("nothing at all", "", closes: true) { if case .connectionLost = $0 { true } else { false } },
        Peer("closed in the head", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCache-Contro") {
            if case .connectionLost = $0 { true } else { false }
        },
        Peer("a length beyond all numbers", "\(ok)Content-Length: 99999999999999999999999\r\n\r\n\(body)") {
            if case .protocolViolation = $0 { true } else { false }
        },
        Peer("two lengths in one field", "\(ok)Content-Length: 3000, 6000\r\n\r\n\(body)\(body)") {
            if case .protocolViolation = $0 { true } else { false }
        },
        Peer("a length in hexadecimal", "\(ok)Content-Length: 0xbb8\r\n\r\n\(body)") {
            if case .protocolViolation = $0 { true } else { false }
        },
        Peer("a length with a sign", "\(ok)Content-Length: +3000\r\n\r\n\(body)") {
            if case .protocolViolation = $0 { true } else { false }
        },
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
        Peer("a bad chunk", "\(ok)Transfer-Encoding: chunked\r\n\r\nbb8\r\n\(body)\r\nzz\r\n") {
            if case .protocolViolation = $0 { true } else { false }
        },
        Peer("garbage for a status line", "\u{1}\u{2} what is this\r\n\r\n") {
            if case .protocolViolation = $0 { true } else { false }
        },
        Peer("HTTP/0.9", body) { if case .protocolViolation = $0 { true } else { false } },
        Peer("two lengths", "\(ok)Content-Length: 3000\r\nContent-Length: 2000\r\n\r\n\(body)") {
            if case .protocolViolation = $0 { true } else { false }
        },
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
                let bomb = BrokenPeerTests.gzipped([UInt8](repeating: 0, count: 8 << 20))
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

    static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 16 more than the window is gzip.
        deflateInit2_(
            &stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: bytes.count + 1_024) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
            }
            count = Int(stream.total_out)
        }
    }

    private static var hasty: TransportOptions {
        var options = TransportOptions()
        options.limits = TransferLimits(
            connect: .seconds(20), stall: .init(bytes: 500, in: .milliseconds(400)), total: .seconds(3),
            body: 1 << 20, head: 64 << 10)
        return options
    }

    private func load(_ url: String, _ options: TransportOptions, cache: DiskCache? = nil)
        -> RecordingSubscriber<DataEvent, LoadError>
    {
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        let source = HTTPSource(CurlTransport(options))
        if let cache {
            source.cached(in: cache, on: ThreadPoolScheduler(width: 1)).events(for: ImageRequest(url)).subscribe(
                recorder)
        } else {
            source.events(for: ImageRequest(url)).subscribe(recorder)
        }
        #expect(recorder.waitForCompletion())
        return recorder
    }

    @Test("Each ends in its own error, in its time, and nothing is kept", arguments: peers)
    func broken(peer: Peer) throws {
        let server = try #require(RawServer(peer.serve))
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path)
        let recorder = load(server.url(), Self.hasty, cache: cache)
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
        let recorder = load(server.url(), Self.hasty, cache: DiskCache(directory: directory.path))
        guard case .failure(.status(let number))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect("\(number)" == status.prefix(3))
        #expect(directory.names.isEmpty)
    }

    @Test(
        "A body that was compressed though nobody asked is decoded, and its announced length is not taken for the body's"
    )
    func unrequestedGzip() throws {
        let body = [UInt8](repeating: 7, count: 100_000)
        let server = try #require(
            RawServer { connection in
                guard let head = connection.readHead(), head.contains("Accept-Encoding: identity\r\n") else { return }
                let packed = Self.gzipped(body)
                connection.write("\(Self.ok)Content-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
                connection.write(packed)
            })
        let recorder = load(server.url(), Self.hasty)
        var bytes: [UInt8] = []
        for event in recorder.values {
            switch event {
            case .response(let response): #expect(response.expectedLength == nil)
            case .chunk(let chunk): bytes += chunk
            }
        }
        #expect(recorder.isFinished)
        #expect(bytes == body)
    }

    @Test("What a server sends behind a body is no answer to the next request, which goes out on another connection")
    func leftOverBytes() throws {
        let answers = Atomic(0)
        let server = try #require(
            RawServer { connection in
                while connection.readHead() != nil {
                    let isFirst = answers.add(1, ordering: .relaxed).oldValue == 0
                    let body = String(repeating: isFirst ? "a" : "b", count: 70_000)
                    let more = isFirst ? "\(Self.ok)Content-Length: 4\r\n\r\nEVIL" : ""
                    connection.write("\(Self.ok)Content-Length: 70000\r\n\r\n\(body)\(more)")
                }
            })
        let source = HTTPSource(CurlTransport(Self.hasty))
        for letter in ["a", "b", "b"] {
            let recorder = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest(server.url())).subscribe(recorder)
            #expect(recorder.waitForCompletion())
            #expect(recorder.isFinished)
            let bytes = recorder.values.flatMap { event -> [UInt8] in
                if case .chunk(let chunk) = event { Array(chunk) } else { [] }
            }
            #expect(bytes.count == 70_000 && bytes.allSatisfy { $0 == letter.utf8.first })
        }
        #expect(server.connections == 2)
    }

    @Test("A server that closes each connection at its second request is asked again, however often that happens")
    func closedOnReuse() throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(Self.ok)Content-Length: 3000\r\n\r\n\(Self.body)")
                connection.readHead()
            })
        let source = HTTPSource(CurlTransport(Self.hasty))
        for _ in 0..<30 {
            let recorder = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest(server.url())).subscribe(recorder)
            #expect(recorder.waitForCompletion())
            #expect(recorder.isFinished)
        }
        #expect(server.connections == 30)
    }

    @Test(
        "An encoded body that is cut is not for caches, as nobody can tell",
        arguments: [20, 60])
    func cutEncoding(cut: Int) throws {
        let packed = Array(Self.gzipped((0..<5_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }).prefix(cut))
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write(
                    "\(Self.ok)Cache-Control: max-age=1000\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
                )
                connection.write(packed)
            })
        let directory = TemporaryDirectory()
        let recorder = load(server.url(), Self.hasty, cache: DiskCache(directory: directory.path))
        #expect(recorder.completion != nil)
        #expect(directory.names.isEmpty)
    }

    @Test("The rest of a body is not taken from an encoded one")
    func encodedRest() {
        let rest = HTTPResumption(offset: 50, entityTag: "\"1\"")
        func head(_ more: [HTTPField], length: Int?) -> HTTPResponseHead {
            let fields = [
                HTTPField("ETag", "\"1\"", isPrivate: false),
                HTTPField("Content-Range", "bytes 50-99/100", isPrivate: false),
            ]
            return HTTPResponseHead(status: 206, headers: fields + more, contentLength: length, isDelimited: true)
        }
        #expect(rest.isContinued(by: head([], length: 50), to: 100))
        let gzip = HTTPField("Content-Encoding", "gzip", isPrivate: false)
        #expect(!rest.isContinued(by: head([gzip], length: nil), to: 100))
    }

    @Test("A line of a head is a status at its beginning only, a fold by its first space, and ends with a line feed")
    func oddLines() {
        var parser = HeadParser()
        for line in [
            "HTTP/1.1 200 OK\r\n", "Cache-Control: max-age=60\r, no-store\r\n", "HTTP/x: y\r\n", "Folded: a\r\n",
            " Other: b\r\n",
        ] {
            #expect(!Array(line.utf8).withUnsafeBytes { parser.append($0) })
        }
        #expect(Array("\r\n".utf8).withUnsafeBytes { parser.append($0) })
        #expect(parser.values("cache-control") == ["max-age=60 , no-store"])
        #expect(parser.values("http/x") == ["y"])
        #expect(parser.values("folded") == ["a Other: b"])
    }

    @Test("A body whose coding is identity goes on until the connection ends: it may be cut, and is not for caches")
    func identityCoding() throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(Self.ok)Transfer-Encoding: identity\r\n\r\nabc")
            })
        let recorder = load(server.url(), Self.hasty)
        if case .response(let response)? = recorder.values.first { #expect(!response.isStorable) }
        #expect(recorder.isFinished)
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
}
