import Files
import ImagePipeline
import ImagePipelineRedis
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Redis that is away, paused or restarted", .enabled(if: RedisServer.executable != nil))
struct RedisFaultTests {
    private let body = [UInt8](repeating: 5, count: 300_000)

    private func source(_ store: RedisStore, _ requests: RequestCounter) -> AnySource<Int, DataEvent> {
        let body = body
        let origin = AnySource<Int, DataEvent> { _ in
            requests.add()
            let response = DataEvent.response(DataResponse(provenance: .network, expectedLength: body.count))
            return [response, .chunk(body)].publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        return AnySource(origin.cached(in: store, by: { CacheKey(["\($0)"]) }, on: ThreadPoolScheduler(width: 8)))
    }

    private func start(_ number: Int, _ source: AnySource<Int, DataEvent>) -> RecordingSubscriber<DataEvent, LoadError>
    {
        let load = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: number).subscribe(load)
        return load
    }

    private func expectBody(_ load: RecordingSubscriber<DataEvent, LoadError>) {
        #expect(load.waitForCompletion() && load.isFinished)
        var bytes: [UInt8] = []
        for event in load.values {
            switch event {
            case .response: bytes = []
            case .chunk(let chunk): bytes += chunk
            }
        }
        #expect(bytes == body)
    }

    @Test("Killed, restarted, paused and resumed under loads: every load succeeds, and the server is used again")
    func faults() throws {
        var server: RedisServer? = try RedisServer()
        let port = try #require(server?.port)
        let terms = StoreTerms(timeLimit: .milliseconds(200), failures: 3, pause: .milliseconds(20))
        let store = RedisStore(RedisAddress(port: port), terms: terms)
        let requests = RequestCounter()
        let source = source(store, requests)
        func loadAll() {
            let loads = (0..<50).map { start($0, source) }
            for load in loads { expectBody(load) }
        }
        /// Loads until nothing more is asked of the origin: the store is used.
        func waitUntilUsed() {
            var before = -1
            while requests.value != before {
                before = requests.value
                loadAll()
            }
        }
        waitUntilUsed()
        let loads = (0..<50).map { start($0, source) }
        server?.pause()
        loads.forEach(expectBody)
        loadAll()
        server?.resume()
        waitUntilUsed()
        let others = (0..<50).map { start($0, source) }
        server = nil
        others.forEach(expectBody)
        loadAll()
        server = try RedisServer(port: port)
        let before = requests.value
        waitUntilUsed()
        #expect(requests.value > before)
        withExtendedLifetime(server) {}
    }

    @Test("Pieces that are changed or gone in the server never reach a load")
    func damaged() throws {
        let server = try RedisServer()
        let store = RedisStore(RedisAddress(port: server.port), terms: StoreUnderTest.patient)
        let requests = RequestCounter()
        let source = source(store, requests)
        expectBody(start(1, source))
        let key = "images:\(CacheKey(["1"]).digest)"
        for command in [
            ["HSET", key, "2", "nonsense"], ["HDEL", key, "1"], ["HSET", key, "h", "nonsense"], ["SET", key, "x"],
        ] {
            let client = try ChildProcess(path: "/usr/bin/redis-cli", ["-p", "\(server.port)"] + command)
            _ = client.readOutput()
            expectBody(start(1, source))
        }
    }

    @Test("Two processes with 500 subscribers each and one server make one request")
    func thousandSubscribers() throws {
        let server = try RedisServer()
        let requests = RequestCounter()
        let photo = try Pictures.gradient(64, 64).encoded(as: .jpeg(quality: 90))
        let origin = try #require(
            RawServer { connection in
                while connection.readHead() != nil {
                    requests.add()
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nCache-Control: max-age=60\r\nContent-Length: \(photo.count)\r\n\r\n"
                    )
                    connection.write(photo)
                }
            })
        let arguments = ["redis:\(server.port)", origin.url(), "500"]
        let one = try ChildProcess("store-client", arguments)
        let other = try ChildProcess("store-client", arguments)
        let outputs = [one.readOutput(), other.readOutput()]
        #expect(outputs == [String](repeating: "loading\nfinals: 500, failure: none\n", count: 2))
        #expect(requests.value == 1)
    }
}

private final class RequestCounter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}
