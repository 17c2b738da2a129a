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
    var terms = StoreTerms(timeLimit: .milliseconds(200), failures: 3, pause: .milliseconds(20))
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
        + (S3Server.isInstalled
            ? [
                FaultyStore(
                    testDescription: "S3",
                    terms: StoreTerms(timeLimit: .seconds(2), failures: 3, pause: .milliseconds(20))
                ) { port in
                    // It knows no keys of before when it is restarted; requests are signed all the same.
                    let server = try S3Server(port: port, checksSignatures: false)
                    return (server, server.port)
                } store: {
                    let credentials = ObjectStoreAddress.Credentials.aws(
                        key: "tests", secret: "secret", region: "us-east-1")
                    return ObjectStore(
                        ObjectStoreAddress("http://127.0.0.1:\($0)/bucket", credentials: credentials), terms: $1)
                }
            ] : [])
}

@Suite("Stores whose server is away, paused, restarted or slow")
struct StoreFaultTests {
    @Test(
        "Killed, restarted, paused and resumed under loads: every load succeeds, and the server is used again",
        arguments: FaultyStore.all)
    func faults(_ kind: FaultyStore) throws {
        var (server, port): ((any StoreServer)?, Int) = try kind.start(nil)
        let loads = LoadsThroughStore(kind.store(port, kind.terms))
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

    @Test(
        "A server that gets slow under loads holds each up for the time limit at most, and is used again when it is fast",
        arguments: FaultyStore.all)
    func slowed(_ kind: FaultyStore) throws {
        let (server, port) = try kind.start(nil)
        let relay = try #require(Relay(to: port))
        let loads = LoadsThroughStore(kind.store(relay.port, kind.terms))
        loads.waitUntilUsed()
        let slowed = loads.start()
        relay.isSlow = true
        slowed.forEach(loads.expectBody)
        let before = loads.requests.value
        loads.loadAll()
        #expect(loads.requests.value > before, "while it is slow the origin is asked")
        relay.isSlow = false
        loads.waitUntilUsed()
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
        let terms = StoreTerms(timeLimit: .milliseconds(200), failures: 3, pause: .milliseconds(20))
        let loads = LoadsThroughStore(ObjectStore(ObjectStoreAddress(server.url("/images")), terms: terms))
        loads.loadAll()
        #expect(loads.requests.value == 50)
        #expect(server.connections > 0)
    }
}
