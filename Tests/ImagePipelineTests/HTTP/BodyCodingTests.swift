import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Heads, and bodies that are encoded")
struct BodyCodingTests {
    @Test(
        "A length that is announced twice over is one, however it is spaced; another one is a fault",
        arguments: [("5", true), ("5, 5", true), ("5 ,\t5", true), ("5, 6", false), ("5,", false), ("5 5", false)])
    func lengths(_ value: String, isSound: Bool) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n", "Content-Length: \(value)\r\n"] {
            let isEnd = Array(line.utf8).withUnsafeBytes { parser.append($0) }
            #expect(!isEnd)
        }
        #expect((parser.framingProblem == nil) == isSound)
    }

    @Test("Of a length that is no number an error has the first 40 characters")
    func longLength() {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n", "Content-Length: \(String(repeating: "x", count: 100))\r\n"] {
            _ = Array(line.utf8).withUnsafeBytes { parser.append($0) }
        }
        #expect(
            parser.framingProblem == "the announced length is no number: \"\(String(repeating: "x", count: 40))\"")
    }

    @Test(
        "A body that was compressed though nobody asked is decoded, and its announced length is not taken for the body's"
    )
    func unrequestedGzip() throws {
        let body = [UInt8](repeating: 7, count: 100_000)
        let server = try #require(
            RawServer { connection in
                guard let head = connection.readHead(), head.contains("Accept-Encoding: identity\r\n") else { return }
                let packed = PeerLoad.gzipped(body)
                connection.write("\(PeerLoad.ok)Content-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
                connection.write(packed)
            })
        let recorder = PeerLoad.run(server.url(), .hasty)
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

    @Test(
        "A body whose transfer is encoded in a way that stays in it is refused",
        arguments: [
            ("gzip, chunked", "gzip, chunked"), ("deflate", "deflate"), ("xchunked", "xchunked"),
            ("chunked, identity, CHUNKED", "chunked, identity, chunked"), ("identity, chunked", "identity, chunked"),
        ])
    func transferCoding(field: String, named: String) throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write(
                    "\(PeerLoad.ok)Cache-Control: max-age=1000\r\nTransfer-Encoding: \(field)\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                )
            })
        let directory = TemporaryDirectory()
        let recorder = PeerLoad.run(server.url(), .patient, cache: DiskCache(directory: directory.path))
        // Some versions of libcurl refuse some themselves.
        guard case .failure(.transport(let error))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        if case .unsupportedEncoding(let coding) = error { #expect(coding.contains(named) || coding.contains("ncod")) }
        #expect(recorder.values.isEmpty && directory.names.isEmpty)
    }

    @Test(
        "Chunks alone delimit a body, and only where they are called that",
        arguments: [
            ("chunked", true), (" Chunked ,", true), ("identity", false), ("identity, chunked", true),
            ("xchunked", false), ("chunked, chunked", true),
        ])
    func delimited(field: String, isDelimited: Bool) {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding\t : \(field)\r\n"] {
            _ = Array(line.utf8).withUnsafeBytes { parser.append($0) }
        }
        #expect(parser.isDelimited == isDelimited)
        #expect((parser.unknownTransferCoding == nil) == ["chunked", " Chunked ,", "identity"].contains(field))
    }

    @Test(
        "An encoded body that is cut is not for caches, as nobody can tell",
        arguments: [20, 60])
    func cutEncoding(cut: Int) throws {
        let packed = Array(PeerLoad.gzipped((0..<5_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }).prefix(cut))
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write(
                    "\(PeerLoad.ok)Cache-Control: max-age=1000\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
                )
                connection.write(packed)
            })
        let directory = TemporaryDirectory()
        let recorder = PeerLoad.run(server.url(), .hasty, cache: DiskCache(directory: directory.path))
        #expect(recorder.completion != nil)
        #expect(directory.names.isEmpty)
    }

    @Test(
        "However it comes, a compressed body is the same: in pieces, in members, without a header, with something behind it",
        arguments: [1, 7, 10_000])
    func decoded(step: Int) throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 100) }
        let packed = PeerLoad.gzipped(body)
        let bodies: [(coding: String, bytes: [UInt8], plain: [UInt8])] = [
            ("gzip", packed, body), ("X-GZIP", packed + packed, body + body), ("gzip", packed + [0, 0, 0], body),
            // A gzip without its header of 10 bytes and its trailer of 8.
            ("deflate", Array(packed.dropFirst(10).dropLast(8)), body),
        ]
        for (coding, bytes, plain) in bodies {
            let decoder = try #require(BodyDecoder([coding]))
            var decoded: [UInt8] = []
            var asked = 0
            for start in stride(from: 0, to: bytes.count, by: step) {
                let part = Array(bytes[start..<min(start + step, bytes.count)])
                func take() throws -> Bool {
                    try part.withUnsafeBytes { part in
                        try decoder.decode(part) { piece in
                            asked += 1
                            if asked % 3 == 0 { return false }
                            decoded += piece
                            return true
                        }
                    }
                }
                while try !take() {}
            }
            #expect(decoded == plain)
            #expect(decoder.isComplete)
        }
        let cut = try #require(BodyDecoder(["gzip"]))
        let isTaken = try Array(packed.dropLast(20)).withUnsafeBytes { bytes in try cut.decode(bytes) { _ in true } }
        #expect(isTaken && !cut.isComplete)
        // What stands behind a deflated body is none of it, even where it begins as a member of gzip does.
        let deflated = try #require(BodyDecoder(["deflate"]))
        for part in [Array(packed.dropFirst(10).dropLast(8)), [0x1F, 0]] {
            #expect(try part.withUnsafeBytes { bytes in try deflated.decode(bytes) { _ in true } })
        }
        #expect(deflated.isComplete)
        // Bytes that are with the decoder still when all of the input is taken.
        for count in stride(from: 65_536, to: 70_000, by: 61) {
            let (zeros, decoder) = ([UInt8](repeating: 0, count: count), try #require(BodyDecoder(["deflate"])))
            let raw = Array(PeerLoad.gzipped(zeros).dropFirst(10).dropLast(8))
            var length = 0
            _ = try raw.withUnsafeBytes { bytes in
                try decoder.decode(bytes) { piece in
                    length += piece.count
                    return true
                }
            }
            #expect(length == count && decoder.isComplete, "\(count)")
        }
        #expect(BodyDecoder(["gzip, gzip"]) == nil)
        #expect(BodyDecoder(["br"]) == nil)
    }

    @Test("A body that takes a thousand times its transfer is made plain no faster than it is wanted")
    func pacedBomb() throws {
        let packed = PeerLoad.gzipped([UInt8](repeating: 0, count: 8 << 20))
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(PeerLoad.ok)Content-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
                connection.write(packed)
                connection.waitForClose()
            })
        let recorder = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(3))
        HTTPSource(CurlTransport(.patient)).events(for: ImageRequest(server.url())).subscribe(recorder)
        while recorder.values.count < 3 { sched_yield() }
        for count in 4... {
            if recorder.completion != nil { break }
            recorder.request(.max(1))
            while recorder.values.count < count, recorder.completion == nil { sched_yield() }
        }
        let sizes = recorder.values.map { if case .chunk(let bytes) = $0 { bytes.count } else { 0 } }
        #expect(sizes.reduce(0, +) == 8 << 20)
        #expect(sizes.max() ?? 0 <= 1 << 20)
        #expect(recorder.isFinished)
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
                connection.write("\(PeerLoad.ok)Transfer-Encoding: identity\r\n\r\nabc")
            })
        let recorder = PeerLoad.run(server.url(), .hasty)
        if case .response(let response)? = recorder.values.first { #expect(!response.isStorable) }
        #expect(recorder.isFinished)
    }

    @Test("A head whose lines end with a line feed alone is read and refused like any other")
    func lineFeeds() throws {
        for (coding, isExpected) in [("identity", true), ("br", false)] {
            let server = try #require(
                RawServer { connection in
                    connection.readHead()
                    connection.write("HTTP/1.1 200 OK\nContent-Encoding: \(coding)\nContent-Length: 3\n\nab")
                    if isExpected { connection.write("c") }
                    connection.waitForClose()
                })
            let recorder = PeerLoad.run(server.url(), .hasty)
            #expect(recorder.isFinished == isExpected)
            guard !isExpected, case .failure(.transport(let error))? = recorder.completion else { continue }
            #expect(error == .unsupportedEncoding("br"))
        }
    }

    @Test(
        "A list of codings of which none changes anything is none, and its body has the length that is announced",
        arguments: ["identity", "identity, identity", ",", "Identity,"])
    func identities(value: String) throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: \(value)\r\nContent-Length: 3\r\n\r\nabc")
            })
        let recorder = PeerLoad.run(server.url(), .patient)
        #expect(recorder.isFinished, "\(String(describing: recorder.completion))")
        guard case .response(let response)? = recorder.values.first else {
            Issue.record("no response")
            return
        }
        #expect(response.head?.contentLength == 3)
    }
}
