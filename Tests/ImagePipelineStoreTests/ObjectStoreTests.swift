import Files
import ImagePipeline
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipelineObjectStore

@Suite("Object stores")
struct ObjectStoreTests {
    private let key = CacheKey(["a"])
    private let body = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private func write(_ body: [UInt8], to store: ObjectStore) throws {
        let writer = try #require(try store.bodyWriter(for: key, metadata: [7], expectedLength: body.count))
        try writer.append(body)
        #expect(try writer.publish())
    }

    private func read(_ store: ObjectStore) throws -> [UInt8]? {
        guard let stored = try store.storedBody(for: key) else { return nil }
        var bytes: [UInt8] = []
        while case let chunk = try stored.chunk(at: bytes.count), !chunk.isEmpty { bytes += chunk }
        return bytes
    }

    @Test(
        "Objects that are damaged anywhere, cut or replaced are never served", .enabled(if: DAVServer.executable != nil)
    )
    func damaged() throws {
        let server = try DAVServer()
        let store = ObjectStore(ObjectStoreAddress(server.url), terms: StoreUnderTest.patient)
        let path = "\(server.directory.path)/objects/images/\(key.digest)"
        try write(body, to: store)
        let object = try FileDescriptor.reading(path).read(1 << 20, at: 0)
        var random = SeededGenerator()
        for round in 0..<60 {
            var bytes = object
            let place =
                round % 2 == 0 ? Int.random(in: 0..<60, using: &random) : Int.random(in: object.indices, using: &random)
            if round % 3 == 0 { bytes.removeSubrange(place...) } else { bytes[place] ^= 1 << (round % 8) }
            unlink(path)
            try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(bytes, at: 0)
            // A time of writing that is another one is caught, too.
            let read = try? read(store)
            #expect(read ?? nil == nil, "seed \(random.seed), round \(round), place \(place)")
        }
    }

    @Test("A head that begins with a fold, behind other answers, ends its request and not the process")
    func foldedBeginning() async {
        await #expect(processExitsWith: .success) {
            let server = RawServer { connection in
                var isFolded = false
                while connection.readHead() != nil {
                    connection.write(
                        "HTTP/1.1 404 Not Found\r\n\(isFolded ? " " : "")A: b\r\nContent-Length: 2\r\n\r\nno")
                    isFolded = true
                }
            }
            guard let server else { exit(2) }
            let store = ObjectStore(ObjectStoreAddress(server.url("/images")), terms: StoreUnderTest.patient)
            for _ in 0..<6 { _ = try? store.storedBody(for: CacheKey(["a"])) }
        }
    }

    @Test(
        "A body with a damaged piece is removed, and what stands under another name is not served",
        .enabled(if: DAVServer.executable != nil))
    func removed() throws {
        let server = try DAVServer()
        let store = ObjectStore(ObjectStoreAddress(server.url), terms: StoreUnderTest.patient)
        let folder = "\(server.directory.path)/objects/images"
        try write(body, to: store)
        let object = try FileDescriptor.reading("\(folder)/\(key.digest)").read(1 << 20, at: 0)
        try FileDescriptor(opening: "\(folder)/\(key.digest)", O_WRONLY).write([object[600_000] ^ 1], at: 600_000)
        #expect(throws: DamagedBody.self) { try read(store) }
        #expect(try read(store) == nil)
        try write(body, to: store)
        let other = CacheKey(["b"])
        #expect(rename("\(folder)/\(key.digest)", "\(folder)/\(other.digest)") == 0)
        #expect(try store.storedBody(for: other) == nil)
        #expect(try !store.hasBody(for: other))
    }

    @Test("A server that takes no objects, or none of this size, is well all the same", arguments: [405, 413, 507])
    func refusing(status: Int) throws {
        let server = try #require(
            RawServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")
                connection.waitForClose()
            })
        let store = ObjectStore(ObjectStoreAddress(server.url("/")), terms: StoreUnderTest.patient)
        let writer = try #require(try store.bodyWriter(for: key, metadata: [], expectedLength: 3))
        try writer.append([1, 2, 3])
        #expect(try !writer.publish())
    }

    @Test("A body is removed when it is found too old", .enabled(if: DAVServer.executable != nil))
    func age() throws {
        let server = try DAVServer()
        let now = Mutex(Duration.seconds(1_700_000_000))
        func store() -> ObjectStore {
            ObjectStore(
                ObjectStoreAddress(server.url), age: .seconds(100), largestBody: 1 << 20,
                terms: StoreUnderTest.patient, now: { now.withLock { $0 } })
        }
        try write(body, to: store())
        now.withLock { $0 += .seconds(99) }
        #expect(try read(store()) == body)
        now.withLock { $0 += .seconds(1) }
        #expect(try read(store()) == nil)
        #expect(try !store().hasBody(for: key))
        #expect(try store().bodyWriter(for: key, metadata: [], expectedLength: (1 << 20) + 1) == nil)
        let writer = try store().bodyWriter(for: key, metadata: [], expectedLength: nil)
        try writer?.append([UInt8](repeating: 0, count: (1 << 20) + 1))
        #expect(try writer?.publish() == false)
    }

    @Test("A server that knows no ranges sends a body all the same")
    func withoutRanges() throws {
        let object = Mutex<[UInt8]>([])
        let server = try #require(
            RawServer { connection in
                guard connection.readHead() != nil else { return }
                let bytes = object.withLock { $0 }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
                connection.write(bytes)
            })
        let header = ObjectHeader(
            nonce: [1, 2, 3, 4, 5, 6, 7, 8], written: DiskCache.timeSinceEpoch, bodyLength: body.count, metadata: [],
            name: key.digest)
        var bytes = header.bytes
        for (index, start) in stride(from: 0, to: body.count, by: ObjectHeader.pieceSize).enumerated() {
            bytes += header.piece(Array(body[start...].prefix(ObjectHeader.pieceSize)), index)
        }
        object.withLock { $0 = bytes }
        let store = ObjectStore(ObjectStoreAddress(server.url("/")), terms: StoreUnderTest.patient)
        #expect(try read(store) == body)
    }

    @Test("Requests are signed: with another secret the server refuses", .enabled(if: S3Server.shared != nil))
    func signatures() throws {
        let server = try #require(S3Server.shared)
        let url = "\(server.url)/signed"
        let store = ObjectStore(server.address(url), terms: StoreUnderTest.patient)
        let stranger = ObjectStore(server.address(url, secret: "none"), terms: StoreUnderTest.patient)
        try write(body, to: store)
        #expect(try read(store) == body)
        #expect(throws: ObjectStoreError.self) { try read(stranger) }
        #expect(throws: ObjectStoreError.self) { try stranger.removeBody(for: key) }
        #expect(throws: ObjectStoreError.self) { try write(body, to: stranger) }
        #expect(try read(store) == body)
        try store.removeBody(for: key)
        #expect(try read(store) == nil)
    }
}
