import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Connections that are kept")
struct KeptConnectionTests {
    @Test("What a server sends behind a body is no answer to the next request, which goes out on another connection")
    func leftOverBytes() throws {
        let answers = Atomic(0)
        let server = try #require(
            RawServer { connection in
                while connection.readHead() != nil {
                    let isFirst = answers.add(1, ordering: .relaxed).oldValue == 0
                    let body = String(repeating: isFirst ? "a" : "b", count: 70_000)
                    let more = isFirst ? "\(PeerLoad.ok)Content-Length: 4\r\n\r\nEVIL" : ""
                    connection.write("\(PeerLoad.ok)Content-Length: 70000\r\n\r\n\(body)\(more)")
                }
            })
        let source = HTTPSource(CurlTransport(.hasty))
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

    @Test(
        "With TLS, too, what was not asked for is no answer, wherever it waits; a connection without it is kept",
        .enabled(if: HTTP2Server.isInstalled && TestAuthority.openssl != nil, "python3 or openssl is not installed"),
        arguments: TalkativeServer.Fault.allCases)
    func leftOverRecords(_ fault: TalkativeServer.Fault) throws {
        let authority = try TestAuthority()
        let server = try TalkativeServer(fault, authority.certificate(for: "127.0.0.1"))
        for version in [TransportOptions.Version.http1, .http2] {
            var options = TransportOptions.patient
            (options.authorityFile, options.version) = (authority.file, version)
            let source = HTTPSource(CurlTransport(options))
            var texts: [String] = []
            for _ in 0..<3 {
                texts.append(text(source, ImageRequest(server.url)))
                server.waitUntilSent()
            }
            let isFirst = version == .http1
            switch fault {
            case .none: #expect(texts == [String](repeating: isFirst ? "1" : "2", count: 3))
            case .apart where isFirst, .joined where isFirst:
                #expect(texts == [String(repeating: "a", count: 30_000), "2", "2"])
            default: #expect(texts == ["3", "3", "3"])
            }
        }
    }

    @Test(
        "What comes before the server has the request is no answer to it, whole or begun, and it goes out on another connection",
        arguments: [true, false])
    func answerToNothing(isWhole: Bool) throws {
        let isOver = DispatchSemaphore(value: 0)
        let answers = Atomic(0)
        let rest = "Content-Length: 4\r\n\r\nEVIL"
        let server = try #require(
            RawServer { connection in
                while connection.readHead() != nil {
                    let number = answers.add(1, ordering: .relaxed).newValue
                    connection.write("\(PeerLoad.ok)Content-Length: 1\r\n\r\n\(number)")
                    guard number == 1 else { continue }
                    // The next request is on its way, and larger than what is taken from it.
                    connection.pace(-1)
                    connection.write(PeerLoad.ok + (isWhole ? rest : ""))
                    // A client that is waiting for the rest gets it in the end.
                    if isOver.wait(timeout: .now() + .seconds(10)) == .success { return }
                    connection.readHead()
                    connection.write(isWhole ? "" : rest)
                    return
                }
            })
        let source = HTTPSource(CurlTransport(.patient))
        #expect(text(source, ImageRequest(server.url())) == "1")
        let field = HTTPField("X-Padding", String(repeating: "x", count: 900_000))
        #expect(text(source, ImageRequest(server.url(), headers: [field])) == "2")
        isOver.signal()
        #expect(text(source, ImageRequest(server.url())) == "3")
        #expect(server.connections == 2)
    }

    /// Returns the body that a load delivers.
    private func text(_ source: HTTPSource, _ request: ImageRequest) -> String {
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: request).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        #expect(recorder.isFinished, "\(String(describing: recorder.completion))")
        let bytes = recorder.values.flatMap { event -> [UInt8] in
            if case .chunk(let chunk) = event { Array(chunk) } else { [] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A server that closes each connection at its second request is asked again, however often that happens")
    func closedOnReuse() throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(PeerLoad.ok)Content-Length: 3000\r\n\r\n\(PeerLoad.body)")
                connection.readHead()
            })
        let source = HTTPSource(CurlTransport(.hasty))
        for _ in 0..<30 {
            let recorder = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest(server.url())).subscribe(recorder)
            #expect(recorder.waitForCompletion())
            #expect(recorder.isFinished)
        }
        #expect(server.connections == 30)
    }

    @Test("A head that begins with a fold, behind other loads, ends its load and not the process")
    func foldedBeginning() async {
        await #expect(processExitsWith: .success) {
            let server = RawServer { connection in
                while let head = connection.readHead() {
                    let first = head.contains("/folded") ? " Content-Length: 9" : "A: b"
                    connection.write("\(PeerLoad.ok)\(first)\r\nContent-Length: 2\r\n\r\nok")
                }
            }
            guard let server else { exit(2) }
            let source = HTTPSource(CurlTransport(.hasty))
            for path in ["/a", "/folded", "/a", "/folded", "/a"] {
                let recorder = RecordingSubscriber<DataEvent, LoadError>()
                source.events(for: ImageRequest(server.url(path))).subscribe(recorder)
                if !recorder.waitForCompletion() || path == "/a" && !recorder.isFinished { exit(3) }
            }
        }
    }
}
