import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Bodies that are kept until a moment")
struct ExpiringBodyTests {
    private static let end = Duration.seconds(1_060)

    @Test("A body is served until the end that its request has named, and is gone from that moment on")
    func expires() throws {
        let now = Mutex(Duration.seconds(1_000))
        let directory = TemporaryDirectory()
        let disk = DiskCache(directory: directory.path, now: { now.withLock { $0 } })
        let key = CacheKey(["a"])
        let upstream = AnySource<CachePolicy, DataEvent> { _ in
            [DataEvent.response(DataResponse(provenance: .network, expectedLength: 2)), .chunk([1, 2])].publisher
                .setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let source = upstream.cached(
            in: disk, by: { _ in key }, policy: { $0 }, on: ThreadPoolScheduler(width: 1))
        /// Where the body came from; nil where it is not cached.
        func provenance(_ policy: CachePolicy) throws -> Provenance? {
            let load = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: policy).subscribe(load)
            try #require(load.waitForCompletion())
            if case .failure(.notCached)? = load.completion { return nil }
            guard load.isFinished, case .response(let response)? = load.values.first else {
                throw Disproof("\(load.values), \(String(describing: load.completion))")
            }
            return response.provenance
        }
        #expect(try provenance(.expires(at: Self.end)) == .network)
        #expect(try provenance(.expires(at: Self.end)) == .disk)
        now.withLock { $0 = Self.end - .milliseconds(1) }
        #expect(try provenance(.cacheOnly) == .disk)
        // Whoever asks, with whatever policy: the end is the body's.
        now.withLock { $0 = Self.end }
        #expect(try provenance(.cacheOnly) == nil)
        #expect(disk.entry(for: key) == nil)
        // What is over when it comes is not kept.
        #expect(try provenance(.expires(at: Self.end)) == .network)
        #expect(disk.entry(for: key) == nil)
        #expect(try provenance(.expires(at: Self.end + .milliseconds(1))) == .network)
        #expect(try provenance(.useCache) == .disk)
        now.withLock { $0 += .seconds(1) }
        #expect(try provenance(.useCache) == .network)
        #expect(try provenance(.useCache) == .disk)
    }

    @Test("The end of a body goes along with it, also into another store")
    func travels() throws {
        let now = Mutex(Duration.seconds(1_000))
        let (inner, outer) = (TemporaryDirectory(), TemporaryDirectory())
        let caches = [inner, outer].map { DiskCache(directory: $0.path, now: { now.withLock { $0 } }) }
        let threads = ThreadPoolScheduler(width: 1)
        let calls = Mutex(0)
        let upstream = AnySource<CachePolicy, DataEvent> { _ in
            calls.withLock { $0 += 1 }
            return [DataEvent.response(DataResponse(provenance: .network, expectedLength: 2)), .chunk([1, 2])].publisher
                .setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let key = CacheKey(["a"])
        let kept = upstream.cached(in: caches[0], by: { _ in key }, policy: { $0 }, on: threads)
        let twice = kept.cached(in: caches[1], by: { _ in key }, policy: { $0 }, on: threads)
        func lifetime(_ source: some Source<CachePolicy, DataEvent>, _ policy: CachePolicy) throws -> Duration? {
            let load = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: policy).subscribe(load)
            try #require(load.waitForCompletion())
            guard load.isFinished, case .response(let response)? = load.values.first else {
                throw Disproof("\(load.values), \(String(describing: load.completion))")
            }
            return response.provenance.lifetime
        }
        #expect(try lifetime(kept, .expires(at: Self.end)) == nil)
        now.withLock { $0 += .seconds(20) }
        #expect(try lifetime(kept, .useCache) == .seconds(40))
        // Kept in the second store with the first one's end.
        #expect(try lifetime(twice, .useCache) == .seconds(40))
        now.withLock { $0 += .seconds(30) }
        #expect(try lifetime(twice, .useCache) == .seconds(10))
        #expect(caches[1].statistics.hits == 1 && calls.withLock { $0 } == 1)
        now.withLock { $0 = Self.end }
        #expect(try lifetime(twice, .useCache) == nil)
        #expect(calls.withLock { $0 } == 2)
    }
}
