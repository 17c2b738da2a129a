import Files
import ImagePipeline
import ImagePipelineObjectStore
import ImagePipelineRedis
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// A store that the suite is run on, and what belongs to it.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hasLeases = true
    let make: @Sendable () throws -> (store: any BodyStore, keeping: any Sendable)

    static let all: [StoreUnderTest] =
        [
            StoreUnderTest(testDescription: "directory") {
                let directory = TemporaryDirectory()
                return (DiskCache(directory: directory.path, terms: patient), directory)
            }
        ]
        + (RedisServer.executable == nil
            ? []
            : [
                StoreUnderTest(testDescription: "redis") {
                    let server = try RedisServer()
                    return (RedisStore(RedisAddress(port: server.port), terms: patient), server)
                }
            ])
        + (DAVServer.executable == nil
            ? []
            : [
                StoreUnderTest(testDescription: "HTTP server with DAV", hasLeases: false) {
                    let server = try DAVServer()
                    return (ObjectStore(ObjectStoreAddress(server.url), terms: patient), server)
                }
            ])
        + (S3Server.shared.map { server in
            [
                StoreUnderTest(testDescription: "S3", hasLeases: false) {
                    let url = "\(server.url)/\(UInt64.random(in: 0 ... .max))"
                    return (ObjectStore(server.address(url), terms: patient), server)
                }
            ]
        } ?? [])

    /// The time that a test waits for its turn beside all the others says nothing of a store.
    static let patient = StoreTerms(timeLimit: .seconds(600), failures: 3, pause: .milliseconds(1))
}

@Suite("What every store of bodies does")
struct StoreConformanceTests {
    private let key = CacheKey(["a"])
    private let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private func read(_ stored: any StoredBody) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let chunk = try stored.chunk(at: bytes.count), !chunk.isEmpty { bytes += chunk }
        return bytes
    }

    @discardableResult
    private func write(_ body: [UInt8], metadata: [UInt8] = [], for key: CacheKey, to store: any BodyStore) throws
        -> Bool
    {
        guard let writer = try store.bodyWriter(for: key, metadata: metadata, expectedLength: body.count) else {
            return false
        }
        var rest = body[...]
        while !rest.isEmpty {
            try writer.append(Array(rest.prefix(30_001)))
            rest = rest.dropFirst(30_001)
        }
        return try writer.publish()
    }

    @Test("What was written comes back with its metadata; a body of no bytes is one", arguments: StoreUnderTest.all)
    func roundTrip(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        #expect(try store.storedBody(for: key) == nil)
        #expect(try !store.hasBody(for: key))
        for bytes in [body, [], Array(body.prefix(65_536)), [1]] {
            #expect(try write(bytes, metadata: [1, 0, 255], for: key, to: store))
            let stored = try #require(try store.storedBody(for: key))
            #expect(stored.metadata == [1, 0, 255])
            #expect(stored.bodyLength == bytes.count)
            #expect(try read(stored) == bytes)
            #expect(try store.hasBody(for: key))
        }
        withExtendedLifetime(keeping) {}
    }

    @Test(
        "A body of some megabytes comes back as it was, and can be given other metadata", arguments: StoreUnderTest.all)
    func longBody(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        let long = (0..<16).flatMap { number in body.map { $0 &+ UInt8(number) } }
        #expect(try write(long, metadata: [1], for: key, to: store))
        let stored = try #require(try store.storedBody(for: key))
        #expect(try read(stored) == long)
        try store.setMetadata([2], of: stored)
        let renewed = try #require(try store.storedBody(for: key))
        #expect(renewed.metadata == [2])
        #expect(try read(renewed) == long)
        withExtendedLifetime(keeping) {}
    }

    @Test("A writer that is let go of keeps nothing, and leaves what is there", arguments: StoreUnderTest.all)
    func abandoned(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        try store.bodyWriter(for: key, metadata: [], expectedLength: nil)?.append(body)
        #expect(try store.storedBody(for: key) == nil)
        try write([1], for: key, to: store)
        try store.bodyWriter(for: key, metadata: [], expectedLength: nil)?.append(body)
        #expect(try read(#require(try store.storedBody(for: key))) == [1])
        withExtendedLifetime(keeping) {}
    }

    @Test("Metadata are replaced and bodies removed, but not those of a newer body", arguments: StoreUnderTest.all)
    func changes(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        try write(body, metadata: [1], for: key, to: store)
        let first = try #require(try store.storedBody(for: key))
        try store.setMetadata([2, 2], of: first)
        #expect(try store.storedBody(for: key)?.metadata == [2, 2])
        #expect(try read(#require(try store.storedBody(for: key))) == body)
        let removal = try #require(try store.storedBody(for: key)).removal
        try write([9], for: key, to: store)
        try removal()
        #expect(try read(#require(try store.storedBody(for: key))) == [9])
        try #require(try store.storedBody(for: key)).removal()
        #expect(try store.storedBody(for: key) == nil)
        // Whoever finds out that a body is of no use may have got new metadata for it first.
        try write(body, metadata: [1], for: key, to: store)
        let useless = try #require(try store.storedBody(for: key))
        try store.setMetadata([2, 2], of: useless)
        try useless.removal()
        #expect(try store.storedBody(for: key) == nil)
        try write([9], for: key, to: store)
        try store.removeBody(for: key)
        #expect(try !store.hasBody(for: key))
        withExtendedLifetime(keeping) {}
    }

    @Test(
        "A body that is replaced while it is read is read to its end, or fails; never is it of two bodies",
        arguments: StoreUnderTest.all)
    func replaced(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        try write(body, for: key, to: store)
        let stored = try #require(try store.storedBody(for: key))
        let start = try stored.chunk(at: 0)
        try write([UInt8](repeating: 1, count: 200_000), for: key, to: store)
        do {
            var bytes = start
            while case let chunk = try stored.chunk(at: bytes.count), !chunk.isEmpty { bytes += chunk }
            #expect(bytes == body)
        } catch {}
        withExtendedLifetime(keeping) {}
    }

    @Test("A body that is too large is refused, announced or not", arguments: StoreUnderTest.all)
    func tooLarge(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        let tooMuch = 1 << 40
        #expect(try store.bodyWriter(for: key, metadata: [], expectedLength: tooMuch) == nil)
        #expect(
            try store.bodyWriter(for: key, metadata: [UInt8](repeating: 0, count: (1 << 24) + 1), expectedLength: 1)
                == nil)
        withExtendedLifetime(keeping) {}
    }

    @Test(
        "A lease is one holder's, and is free again when it is released or its time is over",
        arguments: StoreUnderTest.all)
    func leases(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        guard kind.hasLeases else {
            guard case .none = try store.lease(of: key, for: .seconds(600)) else {
                Issue.record("it has leases")
                return
            }
            return
        }
        guard case .granted(let first, _) = try store.lease(of: key, for: .seconds(600)) else {
            Issue.record("nobody has it")
            return
        }
        guard case .held = try store.lease(of: key, for: .seconds(600)) else {
            Issue.record("two have it")
            return
        }
        guard case .granted(let other, _) = try store.lease(of: CacheKey(["other"]), for: .milliseconds(1)) else {
            Issue.record("it is another body's")
            return
        }
        try first.renew()
        try first.release()
        guard case .granted(let second, _) = try store.lease(of: key, for: .seconds(600)) else {
            Issue.record("it was released")
            return
        }
        // Too late: it is somebody else's.
        try first.release()
        guard case .held = try store.lease(of: key, for: .seconds(600)) else {
            Issue.record("it was the second's")
            return
        }
        try second.release()
        while true {
            if case .granted = try store.lease(of: CacheKey(["other"]), for: .milliseconds(1)) { break }
            sched_yield()
        }
        try other.release()
        withExtendedLifetime(keeping) {}
    }

    @Test("Loads through it are served from it the second time", arguments: StoreUnderTest.all)
    func loads(_ kind: StoreUnderTest) throws {
        let (store, keeping) = try kind.make()
        let requests = Atomic(0)
        let events: [DataEvent] = [
            .response(DataResponse(provenance: .network, expectedLength: body.count)), .chunk(body),
        ]
        let origin = AnySource<Int, DataEvent> { _ in
            requests.add(1, ordering: .relaxed)
            return events.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let source = origin.cached(in: store, by: { CacheKey(["\($0)"]) }, on: ThreadPoolScheduler(width: 4))
        for round in 0..<3 {
            for number in 0..<20 {
                let load = RecordingSubscriber<DataEvent, LoadError>()
                source.events(for: number).subscribe(load)
                #expect(load.waitForCompletion() && load.isFinished, "round \(round)")
                let bytes = load.values.flatMap { if case .chunk(let bytes) = $0 { bytes } else { [UInt8]() } }
                #expect(bytes == body)
            }
        }
        #expect(requests.load(ordering: .relaxed) == 20)
        withExtendedLifetime(keeping) {}
    }
}
