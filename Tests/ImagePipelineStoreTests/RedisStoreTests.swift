import Files
import ImagePipeline
import ImagePipelineRedis
import TestSupport
import Testing

@Suite("Redis and what is in it", .enabled(if: RedisServer.executable != nil))
struct RedisStoreTests {
    @Test("Pieces that are changed or gone in the server never reach a load")
    func damaged() throws {
        let server = try RedisServer()
        let store = RedisStore(RedisAddress(port: server.port), terms: StoreUnderTest.patient)
        let loads = LoadsThroughStore(store)
        loads.expectBody(loads.start(1))
        let key = "images:\(CacheKey(["1"]).digest)"
        for command in [
            ["HSET", key, "2", "nonsense"], ["HDEL", key, "1"], ["HSET", key, "h", "nonsense"], ["SET", key, "x"],
        ] {
            let client = try ChildProcess(path: "/usr/bin/redis-cli", ["-p", "\(server.port)"] + command)
            _ = client.readOutput()
            loads.expectBody(loads.start(1))
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
