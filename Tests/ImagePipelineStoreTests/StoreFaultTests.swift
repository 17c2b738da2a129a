import ImagePipeline
import ImagePipelineObjectStore
import ImagePipelineRedis
import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// A store behind a server that a test can stop.
struct FaultyStore: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Starts the server, on a port of its own choice or on the one given.
    let start: @Sendable (Int?) throws -> (server: any StoreServer, port: Int)
    let store: @Sendable (Int, StoreTerms) -> any BodyStore

    static let all: [FaultyStore] =
        (RedisServer.executable == nil
            ? []
            : [
                FaultyStore(testDescription: "redis") { port in
                    let server = try RedisServer(port: port)
                    return (server, server.port)
                } store: {
                    RedisStore(RedisAddress(port: $0), terms: $1)
                }
            ])
        + (DAVServer.executable == nil
            ? []
            : [
                FaultyStore(testDescription: "HTTP server with DAV") { port in
                    let server = try DAVServer(port: port)
                    return (server, server.port)
                } store: {
                    ObjectStore(ObjectStoreAddress("http://127.0.0.1:\($0)/images"), terms: $1)
                }
            ])
}

@Suite("Stores whose server is away, paused, restarted or slow")
struct StoreFaultTests {
    private let terms = StoreTerms(timeLimit: .milliseconds(200), failures: 3, pause: .milliseconds(20))

    @Test(
        "Killed, restarted, paused and resumed under loads: every load succeeds, and the server is used again",
        arguments: FaultyStore.all)
    func faults(_ kind: FaultyStore) throws {
        var (server, port): ((any StoreServer)?, Int) = try kind.start(nil)
        let loads = LoadsThroughStore(kind.store(port, terms))
        loads.waitUntilUsed()
        let paused = loads.start()
        server?.pause()
        paused.forEach(loads.expectBody)
        loads.loadAll()
        server?.resume()
        loads.waitUntilUsed()
        let killed = loads.start()
        server = nil
        killed.forEach(loads.expectBody)
        loads.loadAll()
        server = try kind.start(port).server
        let before = loads.requests.value
        loads.waitUntilUsed()
        #expect(loads.requests.value > before)
        withExtendedLifetime(server) {}
    }

    @Test("A server that sends a body byte by byte holds a load up for the time limit, and no longer")
    func slow() throws {
        let nonsense = [UInt8](repeating: 0, count: 1_000)
        let server = try #require(
            RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 206 Partial Content\r\nContent-Length: 1000\r\n\r\n")
                for byte in nonsense {
                    guard connection.write([byte]) else { return }
                    connection.pace(50)
                }
            })
        let loads = LoadsThroughStore(ObjectStore(ObjectStoreAddress(server.url("/images")), terms: terms))
        loads.loadAll()
        #expect(loads.requests.value == 50)
        #expect(server.connections > 0)
    }
}
