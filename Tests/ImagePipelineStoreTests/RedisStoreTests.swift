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
        // Damage is no fault that the store would be left alone for.
        var terms = StoreUnderTest.patient
        (terms.failures, terms.pause) = (1, .seconds(3_600))
        let loads = LoadsThroughStore(RedisStore(RedisAddress(port: server.port), terms: terms))
        loads.expectBody(loads.start(1))
        let key = "images:\(CacheKey(["1"]).digest)"
        for command in [
            ["HSET", key, "2", "nonsense"], ["HDEL", key, "1"], ["HSET", key, "h", "nonsense"],
            ["HDEL", key, "h"], ["SET", key, "x"],
        ] {
            try server.run(command)
            loads.expectBody(loads.start(1))
            let before = loads.requests.value
            loads.expectBody(loads.start(1))
            #expect(loads.requests.value == before, "still damaged: \(command)")
        }
    }

    @Test(
        "A server that is full, or takes nothing for another reason, serves what it has",
        arguments: [
            ["CONFIG", "SET", "maxmemory", "1"], ["REPLICAOF", "127.0.0.1", "1"],
        ])
    func full(command: [String]) throws {
        let server = try RedisServer()
        // Left alone once it would be so for the whole test.
        var terms = StoreUnderTest.patient
        (terms.failures, terms.pause) = (1, .seconds(3_600))
        let loads = LoadsThroughStore(RedisStore(RedisAddress(port: server.port), terms: terms))
        loads.loadAll()
        let stored = loads.requests.value
        try server.run(command)
        for number in 50..<60 { loads.expectBody(loads.start(number)) }
        #expect(loads.requests.value == stored + 10)
        loads.loadAll()
        #expect(loads.requests.value == stored + 10)
        for command in [["CONFIG", "SET", "maxmemory", "0"], ["REPLICAOF", "NO", "ONE"]] { try server.run(command) }
        for _ in 0..<2 { for number in 50..<60 { loads.expectBody(loads.start(number)) } }
        #expect(loads.requests.value == stored + 20)
    }

    @Test("What stands under another name is not served, and removed")
    func renamed() throws {
        let server = try RedisServer()
        let store = RedisStore(RedisAddress(port: server.port), terms: StoreUnderTest.patient)
        let keys = [CacheKey(["a"]), CacheKey(["b"])]
        let writer = try #require(try store.bodyWriter(for: keys[0], metadata: [], expectedLength: 3))
        try writer.append([1, 2, 3])
        #expect(try writer.publish())
        try server.run(["RENAME", "images:\(keys[0].digest)", "images:\(keys[1].digest)"])
        #expect(try store.storedBody(for: keys[1]) == nil)
        #expect(try !store.hasBody(for: keys[1]))
    }

    @Test("A piece in another one's place, or of another length, is none of the body")
    func exchanged() throws {
        let server = try RedisServer()
        let store = RedisStore(RedisAddress(port: server.port), terms: StoreUnderTest.patient)
        let key = CacheKey(["a"])
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 16 &+ $0) }
        for (from, to) in [("0", "1"), ("1", "0"), ("3", "0"), ("0", "3")] {
            let writer = try #require(try store.bodyWriter(for: key, metadata: [], expectedLength: bytes.count))
            try writer.append(bytes)
            #expect(try writer.publish())
            let copy = "redis.call('HSET', KEYS[1], ARGV[2], redis.call('HGET', KEYS[1], ARGV[1])) return 1"
            try server.run(["EVAL", copy, "1", "images:\(key.digest)", from, to])
            let body = try #require(try store.storedBody(for: key))
            #expect(throws: DamagedBody.self) { try body.chunk(at: (Int(to) ?? 0) << 16) }
            #expect(try store.storedBody(for: key) == nil)
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
