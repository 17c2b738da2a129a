import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

/// Of two loads at the same time the one that began first may end last: what it brings is old by then.
@Suite("Loads that a newer one overtakes")
struct OvertakenLoadTests {
    private let directory = TemporaryDirectory()
    private let clock = WallClock()
    private let threads = ThreadPoolScheduler(width: 1)

    private var disk: DiskCache {
        DiskCache(
            directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)), now: { [clock] in clock.now })
    }

    /// The next load is the next origin's.
    private func inTurn(
        _ origins: [DrivenPublisher<ImageEvent, LoadError>]
    ) -> AnySource<ImageRequest, ImageEvent> {
        let loads = Counter()
        return AnySource { _ in
            Deferred { () -> DrivenPublisher<ImageEvent, LoadError> in
                loads.add()
                return origins[loads.value - 1]
            }.eraseToAnyPublisher()
        }
    }

    @Test(
        "Memory keeps that whose server was asked last, whichever loads begin and end when, and share what they bring")
    func memory() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            let cache = MemoryCache<CacheKey, Int>(costLimit: 100)
            let subjects = (0..<5).map { _ in PassthroughSubject<LoadEvent<Int>, LoadError>() }
            let seconds = Counter()
            let source = AnySource<Int, LoadEvent<Int>> { subjects[$0].eraseToAnyPublisher() }
                .stored(
                    in: cache, by: { _ in CacheKey(["a"]) }, cost: { _ in 1 }, now: { .seconds(seconds.value) })
            // The loads that go on, each with what had come by then; how much has come, and the newest of it. A server is asked at the
            // beginning of a load, or a cache has noted the second at which it was: one of the future is of a wrong clock.
            var (count, open, arrived) = (0, [Int: (AnyCancellable, second: Int, arrivals: Int)](), 0)
            var newest: (second: Int, load: Int?)?
            var expected: Int?
            for _ in 0..<14 {
                let ending = open.keys.sorted().randomElement(using: &random)
                if count < 5, Bool.random(using: &random) || ending == nil {
                    let load = source.events(for: count).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
                    open[count] = (load, seconds.value, arrived)
                    count += 1
                } else if let load = ending, let begun = open[load] {
                    var provenance = [Provenance.network, .disk, .disk].randomElement(using: &random) ?? .file
                    var asked = provenance == .network ? (second: begun.second, load: Int?.some(load)) : nil
                    if provenance == .disk, Bool.random(using: &random) {
                        let second = Int.random(in: 0...seconds.value + 1, using: &random)
                        provenance.asked = AskingTime(noted: .seconds(second))
                        asked = (second, nil)
                    }
                    if let asked {
                        let isOvertaken =
                            if let newest, let other = newest.load, let own = asked.load { other > own } else {
                                newest.map { $0.second > asked.second && $0.second <= seconds.value } ?? false
                            }
                        if !isOvertaken {
                            (newest, expected) = (asked, load)
                            arrived += 1
                        }
                    } else if arrived == begun.arrivals {
                        expected = load
                    }
                    subjects[load].send(.final(load, provenance))
                    subjects[load].send(completion: .finished)
                    open[load] = nil
                    // Nobody remembers what had come once no load is left that could be older.
                    if open.isEmpty { newest = nil }
                }
                if Bool.random(using: &random) { seconds.add() }
                #expect(cache.value(forKey: CacheKey(["a"])) == expected, "seed \(seed)")
            }
        }
    }

    @Test(
        "An image that a reload has renewed is not written over by what a load brings that began before it",
        arguments: [false, true], [CachePolicies.useCache, .reload])
    func storedImage(byAnotherProcess: Bool, policy: CachePolicies) throws {
        let (old, new) = (try Pictures.gradient(40, 30), try Pictures.gradient(30, 40))
        let (cache, workers) = (disk, WorkQueue(on: ThreadPoolScheduler(width: 1)))
        let subjects = (0..<3).map { _ in DrivenPublisher<ImageEvent, LoadError>() }
        let images = inTurn(subjects)
        let source = images.cached(in: cache, as: .png(), workers: workers, on: threads)
        let other = byAnotherProcess ? images.cached(in: disk, as: .png(), workers: workers, on: threads) : source
        var request = ImageRequest(.data([1]), as: .fit(PixelSize(width: 40, height: 40)))
        request.caching = policy
        let first = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: request).subscribe(first)
        try #require(comesTrue { subjects[0].isRequested })
        request.caching = .reload
        clock.advance(by: .seconds(1))
        let second = RecordingSubscriber<ImageEvent, LoadError>()
        other.events(for: request).subscribe(second)
        try #require(comesTrue { subjects[1].isRequested })
        for (subject, image) in [(subjects[1], new), (subjects[0], old)] {
            subject.send(.final(image, Provenance(.network, freshFor: .seconds(600))))
            subject.send(completion: .finished)
            #expect(comesTrue { cache.contents().entries == 1 })
        }
        #expect(first.waitForCompletion() && second.waitForCompletion())
        // The next image's writing comes behind that of the old one, whatever has become of it.
        let next = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: ImageRequest(.data([2]), as: .fit(PixelSize(width: 40, height: 40)))).subscribe(next)
        try #require(comesTrue { subjects[2].isRequested })
        subjects[2].send(.final(old, Provenance(.network, freshFor: .seconds(600))))
        subjects[2].send(completion: .finished)
        #expect(comesTrue { cache.contents().entries == 2 })
        request.caching = .useCache
        let third = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: request).subscribe(third)
        #expect(third.waitForCompletion())
        guard case .final(let image, .disk)? = third.values.last else {
            Issue.record("not from disk: \(third.values)")
            return
        }
        #expect(image == new)
    }

    @Test("An image that was kept by a clock that ran ahead is asked about once that is right")
    func clockAhead() throws {
        let image = try Pictures.gradient(40, 30)
        let loads = Counter()
        let source = AnySource<ImageRequest, ImageEvent> { _ in
            Deferred {
                loads.add()
                return Just(ImageEvent.final(image, Provenance(.network, freshFor: .seconds(600))))
            }.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }.cached(in: disk, as: .png(), workers: WorkQueue(on: ThreadPoolScheduler(width: 1)), on: threads)
        let cache = disk
        for (minutes, expected) in [(0, 1), (0, 1), (-5, 2)] {
            clock.advance(by: .seconds(60 * minutes))
            let load = RecordingSubscriber<ImageEvent, LoadError>()
            source.events(for: ImageRequest(.data([1]), as: .fit(PixelSize(width: 40, height: 40)))).subscribe(load)
            #expect(load.waitForCompletion())
            #expect(loads.value == expected)
            #expect(comesTrue { cache.contents().entries == 1 })
        }
    }

    @Test("An image whose clock jumped ahead while it came is fresh for its time, and not for as long as the jump")
    func clockJumps() throws {
        let image = try Pictures.gradient(40, 30)
        // It has run for longer than any wall clock jumps here.
        let time = VirtualTimeScheduler()
        let steady = StoreClock(time)
        time.advance(by: .seconds(10 * 86_400))
        let subjects = (0..<2).map { _ in DrivenPublisher<ImageEvent, LoadError>() }
        let source = inTurn(subjects).cached(
            in: disk, as: .png(), workers: WorkQueue(on: ThreadPoolScheduler(width: 1)), on: threads, clock: steady)
        let request = ImageRequest(.data([1]), as: .fit(PixelSize(width: 40, height: 40)))
        for subject in subjects {
            let load = RecordingSubscriber<ImageEvent, LoadError>()
            source.events(for: request).subscribe(load)
            try #require(comesTrue { subject.isRequested })
            clock.advance(by: .seconds(86_400))
            subject.send(.final(image, Provenance(.network, freshFor: .seconds(600))))
            subject.send(completion: .finished)
            #expect(load.waitForCompletion())
            let cache = disk
            #expect(comesTrue { cache.contents().entries == 1 })
            clock.advance(by: .seconds(-86_400 + 660))
        }
    }

    @Test("A load that is told that a picture is gone waits no longer for its removal than for its store")
    func hungWrite() throws {
        let time = VirtualTimeScheduler()
        let store = HangingStore(cache: DiskCache(directory: directory.path, terms: StoreTerms(timeLimit: .seconds(2))))
        let image = try Pictures.gradient(40, 30)
        let origins = (0..<2).map { _ in DrivenPublisher<ImageEvent, LoadError>() }
        let source = inTurn(origins).cached(
            in: store, as: .png(), workers: WorkQueue(on: ThreadPoolScheduler(width: 1)),
            on: ThreadPoolScheduler(width: 2), clock: StoreClock(time))
        var request = ImageRequest(.data([1]), as: .fit(PixelSize(width: 40, height: 40)))
        let first = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: request).subscribe(first)
        try #require(comesTrue { origins[0].isRequested })
        origins[0].send(.final(image, .network))
        origins[0].send(completion: .finished)
        #expect(first.waitForCompletion())
        store.isHanging.wait()
        request.caching = .reload
        let second = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: request).subscribe(second)
        try #require(comesTrue { origins[1].isRequested })
        origins[1].send(completion: .failure(.status(404)))
        for _ in 0..<200 where second.completion == nil {
            time.advance(by: .milliseconds(50))
            sched_yield()
        }
        guard case .failure(.status(404))? = second.completion else {
            Issue.record("not told: \(second.values)")
            return
        }
        store.mayGo.signal()
    }

    @Test("What the server has no more leaves memory too, unless something newer has come", arguments: [false, true])
    func gone(isOvertaken: Bool) {
        let cache = MemoryCache<CacheKey, Int>(costLimit: 100)
        let subjects = (0..<2).map { _ in PassthroughSubject<LoadEvent<Int>, LoadError>() }
        let key = CacheKey(["a"])
        cache.insert(7, forKey: key, cost: 1)
        let source = AnySource<Int, LoadEvent<Int>> { subjects[$0].eraseToAnyPublisher() }
            .stored(in: cache, by: { _ in key }, cost: { _ in 1 })
        let loads = (0..<2).map {
            source.events(for: $0).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        if isOvertaken { subjects[1].send(.final(1, .network)) }
        subjects[0].send(completion: .failure(.status(404)))
        #expect(cache.value(forKey: key) == (isOvertaken ? 1 : nil))
        withExtendedLifetime(loads) {}
    }
}

/// A directory in which the first body never becomes visible until it may.
private final class HangingStore: ForwardingStore {
    let cache: DiskCache
    let isHanging = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)

    init(cache: DiskCache) {
        self.cache = cache
    }

    func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) throws -> (any BodyWriter)? {
        cache.bodyWriter(for: key, metadata: metadata, expectedLength: expectedLength)
            .map { HangingWriter(writer: $0, store: self) }
    }
}

private final class HangingWriter: BodyWriter {
    private let writer: any BodyWriter
    private let store: HangingStore

    init(writer: any BodyWriter, store: HangingStore) {
        (self.writer, self.store) = (writer, store)
    }

    func append(_ bytes: [UInt8]) throws { try writer.append(bytes) }

    func publish() throws -> Bool {
        store.isHanging.signal()
        store.mayGo.wait()
        return try writer.publish()
    }
}
