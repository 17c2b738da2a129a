import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

/// The load that began first ends last: its body is old by then, and so is the beginning of it.
@Suite("Bodies that a newer load overtakes")
struct OvertakenBodyTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let directory = TemporaryDirectory()
    private let clock = WallClock()
    private let threads = ThreadPoolScheduler(width: 1)
    private let origins = [3, 4, 1, 2].map { HandDrivenOrigin(chunks: $0) }
    private let loads = Counter()

    private var disk: DiskCache {
        DiskCache(
            directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)), now: { [clock] in clock.now })
    }

    /// The next load's body is the next origin's.
    private var network: AnySource<ImageRequest, DataEvent> {
        AnySource { [loads, origins] request in
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                loads.add()
                return origins[loads.value - 1].events(for: request)
            }.eraseToAnyPublisher()
        }
    }

    private func request(_ policy: CachePolicy = .useCache) -> ImageRequest {
        var request = ImageRequest("http://localhost/a.jpg")
        request.caching.disk = policy
        return request
    }

    private func load(
        _ source: AnySource<ImageRequest, DataEvent>, _ policy: CachePolicy = .useCache
    ) throws -> Recorder {
        let (load, count) = (Recorder(), loads.value)
        source.events(for: request(policy)).subscribe(load)
        try #require(comesTrue { loads.value > count && origins[count].isWanted })
        return load
    }

    private func respond(_ origin: HandDrivenOrigin, status: Int = 200, _ cacheControl: String = "max-age=3600") {
        let length = origin.body.count
        // What has not changed is the first one's.
        let tag = status == 304 ? origins[0].body.count : length
        let fields = [("Cache-Control", cacheControl), ("Content-Length", "\(length)"), ("ETag", "\"\(tag)\"")]
        let head = HTTPResponseHead(
            status: status, headers: fields.map { HTTPField($0.0, $0.1) }, contentLength: length, isDelimited: true)
        origin.send(
            .response(
                DataResponse(
                    provenance: .network, expectedLength: length, status: status, head: head,
                    isStorable: cacheControl != "no-store")))
    }

    /// Sends a whole response, and ends it.
    private func send(_ origin: HandDrivenOrigin, _ cacheControl: String = "max-age=3600") {
        respond(origin, cacheControl)
        #expect(origin.send(0..<origin.chunks.count))
        origin.end()
    }

    private func waitForThreads() throws {
        let isThrough = RecordingSubscriber<Int, Never>()
        Just(1).receive(on: threads).receive(on: threads).subscribe(isThrough)
        try #require(isThrough.waitForCompletion())
    }

    enum Other: CaseIterable {
        case load, process
        /// By a clock that is said to have run ahead then: its times count for nothing.
        case processOfWrongClock
    }

    @Test(
        "A body that was asked for before another does not take its place, whenever it comes", arguments: Other.allCases
    )
    func body(_ other: Other) throws {
        let source = AnySource(network.httpCached(in: disk, on: threads))
        let first = try load(source)
        clock.advance(by: .seconds(10))
        let second = try load(
            other == .load ? source : AnySource(network.httpCached(in: disk, on: threads)), .reload)
        send(origins[1])
        #expect(second.waitForCompletion())
        clock.advance(by: .seconds(other == .processOfWrongClock ? -7 : 1))
        send(origins[0])
        #expect(first.waitForCompletion())
        let third = Recorder()
        source.events(for: request()).subscribe(third)
        #expect(third.waitForCompletion())
        let bytes = third.values.reduce(into: [UInt8]()) { if case .chunk(let bytes) = $1 { $0 += bytes } }
        #expect(bytes == origins[other == .processOfWrongClock ? 0 : 1].body)
        #expect(loads.value == 2)
    }

    enum News: CaseIterable {
        case gone, unstorable
        /// In a tier that asks no server.
        case goneThere
    }

    @Test("What a reload has removed is not put back by a load that began before it", arguments: News.allCases)
    func removed(_ news: News) throws {
        let cache = disk
        let source =
            news == .goneThere
            ? AnySource(network.cached(in: cache, on: threads)) : AnySource(network.httpCached(in: cache, on: threads))
        let first = try load(source)
        respond(origins[0])
        let second = try load(source, .reload)
        if news == .unstorable { send(origins[1], "no-store") } else { origins[1].end(.failure(.status(404))) }
        #expect(second.waitForCompletion())
        #expect(origins[0].send(0..<3))
        origins[0].end()
        #expect(first.waitForCompletion())
        #expect(!cache.hasBody(for: request().dataKey))
    }

    enum Newest: CaseIterable {
        case nothing, whole, gone, confirmed
        case wholeInAnotherProcess
    }

    @Test(
        "The beginning of a body stays only where nothing newer has come before it was cut", arguments: Newest.allCases)
    func beginning(_ newest: Newest) throws {
        let cache = disk
        let source = AnySource(network.resumed(in: cache, on: threads))
        let first = try load(source)
        respond(origins[0])
        #expect(origins[0].send(0..<2))
        clock.advance(by: .seconds(1))
        if newest != .nothing {
            let other = disk
            let second = try load(
                newest == .wholeInAnotherProcess
                    ? AnySource(network.resumed(in: other, on: threads).httpCached(in: other, on: threads)) : source,
                newest == .confirmed ? .revalidate : .reload)
            switch newest {
            case .gone: origins[1].end(.failure(.status(404)))
            case .confirmed:
                respond(origins[1], status: 304)
                origins[1].end()
            default: send(origins[1])
            }
            #expect(second.waitForCompletion())
        }
        #expect(comesTrue { first.values.count == 3 })
        first.cancel()
        try waitForThreads()
        #expect(cache.hasBody(for: request().partialKey) == (newest == .nothing))
    }

    @Test("A beginning that a load has left goes with the end of one that began later")
    func beginningBefore() throws {
        let cache = disk
        let source = AnySource(network.resumed(in: cache, on: threads))
        let first = try load(source)
        respond(origins[0])
        #expect(origins[0].send(0..<2))
        let second = try load(source, .reload)
        #expect(comesTrue { first.values.count == 3 })
        first.cancel()
        try waitForThreads()
        #expect(cache.hasBody(for: request().partialKey))
        send(origins[1])
        #expect(second.waitForCompletion())
        #expect(!cache.hasBody(for: request().partialKey))
    }

    @Test("A body says when its server was asked for it, or last confirmed it")
    func asked() throws {
        let source = AnySource(network.httpCached(in: disk, on: threads))
        let start = clock.now
        let first = try load(source)
        clock.advance(by: .seconds(1))
        send(origins[0], "max-age=0")
        #expect(first.waitForCompletion())
        let second = try load(source)
        clock.advance(by: .seconds(1))
        respond(origins[1], status: 304, "max-age=600")
        origins[1].end()
        #expect(second.waitForCompletion())
        clock.advance(by: .seconds(1))
        let third = Recorder()
        source.events(for: request()).subscribe(third)
        #expect(third.waitForCompletion())
        let provenances = [first, second, third].map { load -> Provenance? in
            if case .response(let response)? = load.values.first { response.provenance } else { nil }
        }
        #expect(provenances == [.network, .disk, .disk])
        #expect(provenances.map { $0?.asked?.sinceEpoch } == [start, start + .seconds(1), start + .seconds(1)])
        #expect(provenances.map { $0?.aged().asked } == provenances.map { $0?.asked })
    }

    @Test(
        "Who is told that a body is as it was gets the one that has replaced it, if that is fresh",
        arguments: [true, false])
    func confirmedAndReplaced(isFresh: Bool) throws {
        let source = AnySource(network.httpCached(in: disk, on: threads))
        let first = try load(source)
        send(origins[0], "max-age=0")
        #expect(first.waitForCompletion())
        let second = try load(source)
        clock.advance(by: .seconds(1))
        let third = try load(source, .reload)
        send(origins[2], isFresh ? "max-age=3600" : "max-age=0")
        #expect(third.waitForCompletion())
        respond(origins[1], status: 304, "max-age=600")
        origins[1].end()
        #expect(comesTrue { origins[3].isWanted || second.completion != nil })
        if second.completion == nil { send(origins[3]) }
        #expect(second.waitForCompletion())
        // Each body has a length of its own.
        let count = second.values.reduce(into: 0) { if case .chunk(let bytes) = $1 { $0 += bytes.count } }
        #expect(count == origins[isFresh ? 2 : 3].body.count)
        #expect(loads.value == (isFresh ? 3 : 4))
    }

    @Test("A confirmation does not bring back a body that has been replaced since, whenever it is written")
    func confirmedLate() throws {
        let store = PausingStore(cache: disk)
        let source = AnySource(network.httpCached(in: store, on: ThreadPoolScheduler(width: 2)))
        let first = try load(source)
        send(origins[0], "max-age=0")
        #expect(first.waitForCompletion())
        let second = try load(source)
        respond(origins[1], status: 304, "max-age=600")
        origins[1].end()
        store.isAtIt.wait()
        clock.advance(by: .seconds(1))
        let third = try load(source, .reload)
        send(origins[2])
        #expect(third.waitForCompletion())
        store.mayGo.signal()
        #expect(second.waitForCompletion())
        let key = request().dataKey
        #expect(
            try disk.metadata(for: key).flatMap { StoredResponse(metadata: $0)?.values("content-length") } != [
                "\(origins[0].body.count)"
            ])
    }
}

/// A directory that stops when it is to note what a server has confirmed.
private final class PausingStore: ForwardingStore {
    let cache: DiskCache
    let isAtIt = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)

    init(cache: DiskCache) {
        self.cache = cache
    }

    func setMetadata(_ metadata: [UInt8], of body: any StoredBody) throws {
        isAtIt.signal()
        mayGo.wait()
        cache.setMetadata(metadata, of: body)
    }
}
