import Dispatch
import ImagePipeline
import ImagePipelineRedis
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Answers that no Redis server gives")
struct RedisAnswerTests {
    private let key = CacheKey(["a"])

    /// A server that answers each command so, and closes the connection when that says so.
    private func server(_ answer: @escaping @Sendable (RawServer.Connection) -> Bool) throws -> RawServer {
        try #require(RawServer { connection in while connection.readNext() != nil, answer(connection) {} })
    }

    @Test(
        "One that has no end is read up to a limit, whatever it begins with",
        arguments: ["$9999999999", "*100000000", "+"])
    func endless(beginning: String) throws {
        let sent = Atomic(0)
        let most = 256
        let server = try server { connection in
            connection.write(beginning == "+" ? beginning : "\(beginning)\r\n")
            let piece = [UInt8](repeating: beginning == "+" ? 0x20 : 0x2b, count: 1 << 20)
            while sent.load(ordering: .relaxed) < most, connection.write(piece) { sent.add(1, ordering: .relaxed) }
            return false
        }
        let store = RedisStore(RedisAddress(port: Int(server.port)), terms: StoreUnderTest.patient)
        #expect(throws: (any Error).self) { try store.storedBody(for: key) }
        // What the sockets hold goes beyond what is read.
        #expect(sent.load(ordering: .relaxed) < 64)
    }

    @Test("One that comes byte by byte has the time limit of one, not of as many as it has bytes")
    func trickle() throws {
        let server = try server { connection in
            for byte in ":1\r\n".utf8 {
                guard connection.write([byte]), connection.pace(150) else { return false }
            }
            return true
        }
        let terms = StoreTerms(timeLimit: .milliseconds(300), failures: 3, pause: .milliseconds(1))
        let store = RedisStore(RedisAddress(port: Int(server.port)), terms: terms)
        #expect(throws: (any Error).self) { try store.hasBody(for: key) }
    }

    @Test("One that nobody has asked for is not taken for the next command's", arguments: [false, true])
    func unasked(isLate: Bool) throws {
        let commands = Atomic(0)
        let isSent = DispatchSemaphore(value: 0)
        let server = try server { connection in
            let isFirst = commands.add(1, ordering: .relaxed).oldValue == 0
            guard isFirst else { return connection.write(":1\r\n") }
            if isLate {
                connection.write(":1\r\n")
                connection.write(":0\r\n")
            } else {
                connection.write(":1\r\n:0\r\n")
            }
            isSent.signal()
            return true
        }
        let store = RedisStore(RedisAddress(port: Int(server.port)), terms: StoreUnderTest.patient)
        #expect(try store.hasBody(for: key))
        isSent.wait()
        #expect(try store.hasBody(for: key))
        #expect(try store.hasBody(for: key))
        #expect(server.connections == 2)
    }
}
