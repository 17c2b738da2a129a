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

    @Test("Memory keeps what is newest, whichever loads begin and end when, and wherever their values come from")
    func memory() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            let cache = MemoryCache<CacheKey, Int>(costLimit: 100)
            let subjects = (0..<5).map { _ in PassthroughSubject<LoadEvent<Int>, LoadError>() }
            let source = AnySource<Int, LoadEvent<Int>> { subjects[$0].eraseToAnyPublisher() }
                .stored(in: cache, by: { _ in CacheKey(["a"]) }, cost: { _ in 1 })
            // The loads, those that go on, and those that have brought something new, in the order in which it came.
            var (count, open, arrived) = (0, [Int: (AnyCancellable, arrivedBefore: Int)](), [Int]())
            var expected: Int?
            for _ in 0..<14 {
                let ending = open.keys.sorted().randomElement(using: &random)
                if count < 5, Bool.random(using: &random) || ending == nil {
                    let load = source.events(for: count).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
                    open[count] = (load, arrived.count)
                    count += 1
                } else if let load = ending, let begun = open[load] {
                    let isNew = Bool.random(using: &random)
                    let counts = isNew ? arrived.allSatisfy { $0 < load } : arrived.count == begun.arrivedBefore
                    if counts { expected = load }
                    if isNew, counts { arrived.append(load) }
                    subjects[load].send(.final(load, isNew ? .network : .disk))
                    subjects[load].send(completion: .finished)
                    open[load] = nil
                }
                #expect(cache.value(forKey: CacheKey(["a"])) == expected, "seed \(seed)")
            }
        }
    }

    @Test(
        "An image that a reload has renewed is not written over by what a load brings that began before it",
        arguments: [false, true])
    func storedImage(byAnotherProcess: Bool) throws {
        let (old, new) = (try Pictures.gradient(40, 30), try Pictures.gradient(30, 40))
        let (cache, workers) = (disk, WorkQueue(on: ThreadPoolScheduler(width: 1)))
        let subjects = (0..<3).map { _ in PassthroughSubject<ImageEvent, LoadError>() }
        let loads = Counter()
        let images = AnySource<ImageRequest, ImageEvent> { _ in
            Deferred { () -> PassthroughSubject<ImageEvent, LoadError> in
                loads.add()
                return subjects[loads.value - 1]
            }.eraseToAnyPublisher()
        }
        let source = images.cached(in: cache, as: .png(), workers: workers, on: threads)
        let other = byAnotherProcess ? images.cached(in: disk, as: .png(), workers: workers, on: threads) : source
        var request = ImageRequest(.data([1]), as: .fit(PixelSize(width: 40, height: 40)))
        let first = RecordingSubscriber<ImageEvent, LoadError>()
        source.events(for: request).subscribe(first)
        try #require(comesTrue { loads.value == 1 })
        request.caching = .reload
        clock.advance(by: .seconds(1))
        let second = RecordingSubscriber<ImageEvent, LoadError>()
        other.events(for: request).subscribe(second)
        try #require(comesTrue { loads.value == 2 })
        for (subject, image) in [(subjects[1], new), (subjects[0], old)] {
            subject.send(.final(image, Provenance(.network, freshFor: .seconds(600))))
            subject.send(completion: .finished)
            #expect(comesTrue { cache.contents().entries == 1 })
        }
        #expect(first.waitForCompletion() && second.waitForCompletion())
        let isThrough = RecordingSubscriber<Int, Never>()
        Just(1).receive(on: workers.turn(.fixed(LoadPriority.low.level))).receive(on: threads).receive(on: threads)
            .subscribe(isThrough)
        try #require(isThrough.waitForCompletion())
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

    @Test(
        "A body that had begun to come before a newer one was asked for does not take its place",
        arguments: [false, true])
    func body(ofWrongClock: Bool) throws {
        let cache = disk
        let origins = [HandDrivenOrigin(chunks: 2), HandDrivenOrigin(chunks: 3), HandDrivenOrigin(chunks: 1)]
        let loads = Counter()
        let source = AnySource<ImageRequest, DataEvent> { request in
            loads.add()
            return origins[loads.value - 1].events(for: request)
        }.httpCached(in: cache, on: threads)
        var request = ImageRequest("http://localhost/a.jpg")
        func load() throws -> RecordingSubscriber<DataEvent, LoadError> {
            let (load, count) = (RecordingSubscriber<DataEvent, LoadError>(), loads.value)
            source.events(for: request).subscribe(load)
            try #require(comesTrue { loads.value > count })
            return load
        }
        let first = try load()
        respond(origins[0], maxAge: 3_600)
        clock.advance(by: .seconds(10))
        request.caching.disk = .reload
        let second = try load()
        respond(origins[1], maxAge: 3_600)
        #expect(origins[1].send(0..<3))
        origins[1].end()
        #expect(second.waitForCompletion())
        // Then the newer one is said to be of the future, and counts for nothing.
        clock.advance(by: ofWrongClock ? .seconds(-7) : .seconds(1))
        #expect(origins[0].send(0..<2))
        origins[0].end()
        #expect(first.waitForCompletion())
        request.caching.disk = .useCache
        let third = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: request).subscribe(third)
        #expect(third.waitForCompletion())
        let bytes = third.values.reduce(into: [UInt8]()) { if case .chunk(let bytes) = $1 { $0 += bytes } }
        #expect(bytes == origins[ofWrongClock ? 0 : 1].body)
        #expect(loads.value == 2)
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

    private func respond(_ origin: HandDrivenOrigin, maxAge: Int) {
        let length = origin.body.count
        let head = HTTPResponseHead(
            status: 200,
            headers: [HTTPField("Cache-Control", "max-age=\(maxAge)"), HTTPField("Content-Length", "\(length)")],
            contentLength: length, isDelimited: true)
        origin.send(
            .response(
                DataResponse(
                    provenance: .network, expectedLength: length, status: 200, head: head, isStorable: true)))
    }
}
