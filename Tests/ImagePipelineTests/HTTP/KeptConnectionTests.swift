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
}
