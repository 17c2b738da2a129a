import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("Values in memory")
final class MemoryCachedSourceTests: Sendable {
    private struct Question: Sendable {
        var name = "a"
        var policy = CachePolicy.useCache
    }

    /// Time for both clocks.
    private final class Clock: Sendable {
        private let start = ContinuousClock.now
        private let elapsed = Mutex(Duration.zero)

        func advance(by time: Duration) { elapsed.withLock { $0 += time } }

        var wall: Duration { .seconds(1_000) + elapsed.withLock { $0 } }
        var steady: ContinuousClock.Instant { start.advanced(by: elapsed.withLock { $0 }) }
    }

    private let clock = Clock()
    private let calls = Mutex(0)
    private let cache: MemoryCache<CacheKey, Int>
    private let key: @Sendable (Question) -> CacheKey = { CacheKey([$0.name]) }

    init() {
        cache = MemoryCache(costLimit: 100, now: { [clock] in clock.steady })
    }

    /// An origin that answers with the number of the call, behind a degraded value.
    private func origin(_ provenance: Provenance = .network) -> AnySource<Question, LoadEvent<Int>> {
        AnySource { [self] _ in
            Deferred { [self] in
                let number = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return [LoadEvent.degraded(-number, quality: 0.5), .final(number, provenance)].publisher
                    .setFailureType(to: LoadError.self)
            }.eraseToAnyPublisher()
        }
    }

    private func tier(_ provenance: Provenance = .network) -> some Source<Question, LoadEvent<Int>> {
        origin(provenance).cached(
            in: cache, by: key, cost: { _ in 1 }, policy: { $0.policy }, now: { [clock] in clock.wall })
    }

    private func values(_ question: Question, from source: some Source<Question, LoadEvent<Int>>) -> [Int]? {
        let recording = RecordingSubscriber<LoadEvent<Int>, LoadError>()
        source.events(for: question).subscribe(recording)
        guard case .finished? = recording.completion else { return nil }
        return recording.values.compactMap(\.value)
    }

    @Test("A final value is kept and served from then on")
    func hit() {
        let tier = tier()
        #expect(values(Question(), from: tier) == [-1, 1])
        #expect(values(Question(), from: tier) == [1])
        #expect(values(Question(name: "b"), from: tier) == [-2, 2])
    }

    @Test(
        "One publisher of a hit serves several at once, each when it requests, whatever the others do, and holds none of them"
    )
    func severalSubscribers() {
        let tier = tier()
        _ = values(Question(), from: tier)
        let publisher = tier.events(for: Question())
        weak var kept: RecordingSubscriber<LoadEvent<Int>, LoadError>?
        do {
            let subscribers = (0..<4).map { _ in
                RecordingSubscriber<LoadEvent<Int>, LoadError>(initialDemand: .none)
            }
            kept = subscribers.first
            for subscriber in subscribers { publisher.subscribe(subscriber) }
            subscribers[0].cancel()
            for subscriber in subscribers.dropFirst().reversed() { subscriber.request(.max(1)) }
            #expect(subscribers.map { $0.values.compactMap(\.value) } == [[], [1], [1], [1]])
            #expect(subscribers.map { $0.completion != nil } == [false, true, true, true])
        }
        #expect(kept == nil)
        #expect(values(Question(), from: AnySource { _ in publisher }) == [1])
    }

    @Test("A value whose freshness is over is a degraded one until the final one is there")
    func stale() {
        let tier = tier(Provenance(.network, freshFor: .seconds(60)))
        #expect(values(Question(), from: tier) == [-1, 1])
        clock.advance(by: .seconds(59))
        #expect(values(Question(), from: tier) == [1])
        clock.advance(by: .seconds(1))
        // The degraded one of the load is no better.
        #expect(values(Question(), from: tier) == [1, 2])
        #expect(values(Question(), from: tier) == [2])
        #expect(values(Question(policy: .cacheOnly), from: tier) == [2])
        clock.advance(by: .seconds(60))
        #expect(values(Question(policy: .cacheOnly), from: tier) == nil)
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("A load may go past the cache, renew what is there, ask whether it is right, or want nothing else")
    func policies() {
        let tier = tier()
        #expect(values(Question(policy: .cacheOnly), from: tier) == nil)
        #expect(values(Question(policy: .noStore), from: tier) == [-1, 1])
        #expect(values(Question(), from: tier) == [-2, 2])
        #expect(values(Question(policy: .noStore), from: tier) == [-3, 3])
        #expect(values(Question(), from: tier) == [2])
        #expect(values(Question(policy: .reload), from: tier) == [-4, 4])
        #expect(values(Question(), from: tier) == [4])
        #expect(values(Question(policy: .revalidate), from: tier) == [4, 5])
        #expect(values(Question(policy: .cacheOnly), from: tier) == [5])
    }

    @Test("What is kept until a moment is not served from then on, whoever asks; what comes later isn't kept at all")
    func expiry() {
        let tier = tier()
        let end = clock.wall + .seconds(10)
        #expect(values(Question(policy: .expires(at: end)), from: tier) == [-1, 1])
        #expect(values(Question(policy: .expires(at: end)), from: tier) == [1])
        clock.advance(by: .seconds(9))
        #expect(values(Question(), from: tier) == [1])
        clock.advance(by: .seconds(1))
        #expect(values(Question(policy: .expires(at: end)), from: tier) == [-2, 2])
        #expect(cache.count == 0)
        #expect(values(Question(), from: tier) == [-3, 3])
    }

    @Test(
        "Stored behind coalescing, a load's value is kept once, also if nobody has asked for it yet or somebody leaves")
    func storedOnce() {
        let feed = PassthroughSubject<LoadEvent<Int>, LoadError>()
        let insertions = Mutex(0)
        let source = AnySource<Question, LoadEvent<Int>> { _ in feed.eraseToAnyPublisher() }
            .stored(
                in: cache, by: key,
                cost: { _ in
                    insertions.withLock { $0 += 1 }
                    return 1
                }
            )
            .coalesced(by: key).served(from: cache, by: key)
        let waiting = RecordingSubscriber<LoadEvent<Int>, LoadError>(initialDemand: .none)
        source.events(for: Question()).subscribe(waiting)
        let leaving = source.events(for: Question()).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        feed.send(.degraded(0, quality: 0.5))
        leaving.cancel()
        feed.send(.final(7, .network))
        feed.send(completion: .finished)
        #expect(waiting.values.isEmpty)
        #expect(cache.value(forKey: key(Question())) == 7)
        #expect(insertions.withLock { $0 } == 1)
        waiting.request(.unlimited)
        #expect(waiting.values.compactMap(\.finalValue) == [7])
    }

    @Test(
        "An image whose time is over is shown meanwhile to those who want previews, and to nobody else",
        arguments: [true, false])
    func previews(_ wantsThem: Bool) throws {
        let format = PixelFormat.rgba8
        let image = try #require(
            Image(
                size: PixelSize(width: 1, height: 1), format: format,
                bytes: [UInt8](repeating: 0, count: format.bytesPerPixel)))
        let memory = MemoryCache<CacheKey, Image>(costLimit: 100)
        var request = ImageRequest("http://localhost/a", previews: wantsThem)
        request.caching = .revalidate
        memory.insert(image, forKey: request.imageKey, cost: 4)
        let recording = RecordingSubscriber<ImageEvent, LoadError>()
        AnySource<ImageRequest, ImageEvent> { _ in
            Just(ImageEvent.final(image, .network)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        .served(from: memory).events(for: request).subscribe(recording)
        #expect(recording.values.count == (wantsThem ? 2 : 1))
        #expect(recording.values.last?.finalValue != nil)
    }

    @Test("A request's own Cache-Control and its policy say the same thing to the cache in memory")
    func oneConcept() {
        func policy(_ headers: [HTTPField], _ caching: CachePolicies = .useCache) -> CachePolicy {
            var request = ImageRequest("http://localhost/a", headers: headers)
            request.caching = caching
            #expect(request.imageKey == ImageRequest("http://localhost/a").imageKey)
            return request.memoryPolicy
        }
        #expect(policy([]) == .useCache)
        #expect(policy([HTTPField("Cache-Control", "no-store")]) == .noStore)
        #expect(policy([HTTPField("cache-control", "max-age=0")]) == .revalidate)
        #expect(policy([HTTPField("Cache-Control", "no-cache")]) == .revalidate)
        #expect(policy([HTTPField("Pragma", "no-cache")]) == .revalidate)
        #expect(policy([HTTPField("Cache-Control", "only-if-cached, max-stale=5")]) == .useCache)
        let other = ImageRequest("http://localhost/a", headers: [HTTPField("Accept", "image/png")])
        #expect(other.memoryPolicy == .useCache)
        // Beside Cache-Control the older header counts for nothing.
        #expect(policy([HTTPField("Pragma", "no-cache"), HTTPField("Cache-Control", "max-stale=5")]) == .useCache)
        #expect(policy([HTTPField("Cache-Control", "no-cache")], .reload) == .reload)
        #expect(policy([], .cacheOnly) == .useCache)
        #expect(policy([], CachePolicies(memory: .cacheOnly)) == .cacheOnly)
    }

    @Test(
        "A value that upstream is asked about is asked for when the load begins, whatever is requested",
        arguments: [CachePolicy.useCache, .revalidate])
    func staleWithoutDemand(policy: CachePolicy) {
        let tier = tier(Provenance(.network, freshFor: .seconds(60)))
        #expect(values(Question(), from: tier) == [-1, 1])
        clock.advance(by: .seconds(60))
        let idle = RecordingSubscriber<LoadEvent<Int>, LoadError>(initialDemand: .none)
        tier.events(for: Question(policy: policy)).subscribe(idle)
        #expect(calls.withLock { $0 } == 2)
        #expect(values(Question(policy: .cacheOnly), from: tier) == [2])
        // The one from memory would be older than what is there.
        idle.request(.max(1))
        #expect(idle.values.compactMap(\.value) == [2] && idle.isFinished)
    }

    @Test("A value with an end is not served from then on, whatever its policy")
    func lifetime() {
        let tier = tier(Provenance(.disk, lifetime: .seconds(10)))
        #expect(values(Question(), from: tier) == [-1, 1])
        clock.advance(by: .seconds(9))
        #expect(values(Question(), from: tier) == [1])
        #expect(values(Question(policy: .expires(at: clock.wall + .seconds(60))), from: tier) == [1])
        clock.advance(by: .seconds(1))
        #expect(values(Question(policy: .cacheOnly), from: tier) == nil)
        #expect(values(Question(policy: .expires(at: clock.wall + .seconds(60))), from: tier) == [-2, 2])
        clock.advance(by: .seconds(10))
        // The sooner end counts.
        #expect(values(Question(policy: .cacheOnly), from: tier) == nil)
    }

    @Test("A hit says how long it may be served yet, so that another cache serves it no longer")
    func twoTiers() {
        let second = MemoryCache<CacheKey, Int>(costLimit: 100, now: { [clock] in clock.steady })
        func tiers(_ provenance: Provenance) -> some Source<Question, LoadEvent<Int>> {
            tier(provenance).cached(
                in: second, by: key, cost: { _ in 1 }, policy: { $0.policy }, now: { [clock] in clock.wall })
        }
        for (name, provenance) in [
            ("a", Provenance(.network, freshFor: .seconds(60))), ("b", Provenance(.network, lifetime: .seconds(60))),
        ] {
            let first = calls.withLock { $0 }
            let source = tiers(provenance)
            _ = values(Question(name: name), from: source)
            second.removeAll()
            clock.advance(by: .seconds(40))
            // From the first one into the second.
            #expect(values(Question(name: name), from: source) == [first + 1])
            clock.advance(by: .seconds(21))
            #expect(values(Question(name: name, policy: .cacheOnly), from: source) == nil)
        }
        #expect(calls.withLock { $0 } == 2)
    }
}
