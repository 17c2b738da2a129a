import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Bodies that are read while they are written")
struct GrowingBodyTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let directory = TemporaryDirectory()
    private let threads = ThreadPoolScheduler(width: 4)
    private let request = ImageRequest("http://localhost/a.jpg")
    private let origin = HandDrivenOrigin(chunks: 64)

    /// Nothing is kept in memory for who may come.
    private func source(
        _ origin: HandDrivenOrigin, in cache: DiskCache
    ) -> some Source<ImageRequest, DataEvent> {
        origin.cached(in: cache, on: threads).coalesced(keeping: 1)
    }

    /// Waiting for a medium on a machine that does much else is no fault.
    private func cache(_ path: String? = nil, totalSize: Int = 256 << 20) -> DiskCache {
        DiskCache(
            directory: path ?? directory.path, limits: .init(totalSize: totalSize),
            terms: StoreTerms(timeLimit: .seconds(600), leaseTime: nil))
    }

    private func join(
        _ source: some Source<ImageRequest, DataEvent>, demand: Subscribers.Demand = .unlimited
    ) -> Recorder {
        let recorder = Recorder(initialDemand: demand)
        source.events(for: request).subscribe(recorder)
        return recorder
    }

    private func body(_ recorder: Recorder) -> [UInt8] {
        recorder.values.reduce(into: []) { bytes, event in
            switch event {
            case .response: bytes = []
            case .chunk(let chunk): bytes += chunk
            }
        }
    }

    /// The whole body, once.
    private func expectWhole(_ recorder: Recorder, at location: SourceLocation = #_sourceLocation) {
        #expect(recorder.waitForCompletion() && recorder.isFinished, sourceLocation: location)
        #expect(body(recorder) == origin.body, sourceLocation: location)
        #expect(recorder.violations.isEmpty, sourceLocation: location)
    }

    @Test("Who comes late reads what has arrived from the file, then follows")
    func joining() {
        let source = source(origin, in: cache())
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        let late = join(source)
        let slow = join(source, demand: .max(1))
        #expect(comesTrue { late.values.count > 1 }, "before the body is there")
        #expect(origin.send(40..<64))
        origin.end()
        for recorder in [first, late] { expectWhole(recorder) }
        #expect(slow.values.count == 1)
        slow.request(.unlimited)
        expectWhole(slow)
        #expect(origin.loads == 1)
    }

    @Test("A reader that is slow holds nobody up, and gets everything at its own pace")
    func slow() {
        let source = source(origin, in: cache())
        let (slow, fast) = (join(source, demand: .max(2)), join(source))
        origin.respond()
        #expect(origin.send(0..<64))
        origin.end()
        expectWhole(fast)
        var count = 2
        while slow.completion == nil, slow.values.count == count {
            slow.request(.max(1))
            count += 1
            #expect(comesTrue { slow.values.count == count || slow.completion != nil })
        }
        expectWhole(slow)
        #expect(origin.loads == 1)
    }

    @Test("When the first leaves the load goes on for who reads behind; with the last it ends")
    func leaving() {
        let source = source(origin, in: cache())
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        let (late, last) = (join(source, demand: .max(3)), join(source))
        first.cancel()
        late.cancel()
        #expect(origin.cancels == 0)
        #expect(origin.send(40..<50))
        last.cancel()
        #expect(comesTrue { origin.cancels == 1 } && origin.loads == 1)
    }

    @Test("A failure comes behind the bytes that came before it")
    func failing() {
        let source = source(origin, in: cache())
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        let late = join(source, demand: .max(1))
        origin.end(.failure(.status(500)))
        #expect(first.waitForCompletion())
        #expect(comesTrue { late.values.count == 1 })
        late.request(.unlimited)
        #expect(late.waitForCompletion() && !late.isFinished && origin.loads == 1)
        #expect(body(late) == Array(origin.body.prefix(40 << 16)))
    }

    @Test("An entry that is discarded, removed or evicted while it is read is read to its end")
    func removal() throws {
        let cache = cache()
        let source = source(origin, in: cache)
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        let late = join(source, demand: .max(3))
        #expect(comesTrue { late.values.count == 3 })
        for name in directory.names { unlink("\(directory.path)/\(name)") }
        guard case .response(let response)? = first.values.first else {
            Issue.record("no response")
            return
        }
        let discarded = RecordingSubscriber<Bool, Never>()
        response.discard?().subscribe(discarded)
        #expect(discarded.waitForCompletion())
        #expect(origin.send(40..<64))
        origin.end()
        expectWhole(first)
        cache.removeAll()
        late.request(.unlimited)
        expectWhole(late)
        #expect(origin.loads == 1)
    }

    @Test("Where the medium is full in the middle of a body, the rest is shared in memory")
    func fullMedium() throws {
        guard let volume = SmallVolume(size: 1 << 20) else { return }
        let source = origin.cached(in: cache("\(volume.path)/cache"), on: threads).coalesced()
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<8))
        let early = join(source)
        #expect(origin.send(8..<60))
        let late = join(source)
        #expect(origin.send(60..<64))
        origin.end()
        for recorder in [first, early, late] { expectWhole(recorder) }
        #expect(origin.loads == 1)
    }

    @Test("A file that has changed sends its readers to a load of their own, and gives them no wrong byte")
    func damage() throws {
        let source = source(origin, in: cache())
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        let unfinished = try #require(directory.names.first { $0.hasPrefix(TemporaryFile.prefix) })
        let file = try FileDescriptor(opening: "\(directory.path)/\(unfinished)", O_RDWR)
        try file.write([UInt8](repeating: 9, count: 100), at: 300_000)
        let late = join(source)
        #expect(comesTrue { origin.loads == 2 })
        // The first one's upstream is no longer at hand: the newest load is the late one's.
        origin.respond()
        #expect(origin.send(0..<64))
        origin.end()
        expectWhole(late)
        first.cancel()
        #expect(first.violations.isEmpty && body(first) == Array(origin.body.prefix(40 << 16)))
    }

    @Test("A read that hangs is waited for as long as the store may take; then the reader's load begins anew")
    func hanging() {
        let time = VirtualTimeScheduler()
        let store = ScriptedStore()
        let source = origin.cached(in: store, on: threads, clock: StoreClock(time)).coalesced(keeping: 1)
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        store.set(.hanging)
        let late = join(source)
        store.waitForHung(1)
        #expect(late.values.count == 1)
        time.advance(by: .milliseconds(999))
        #expect(origin.loads == 1)
        store.set(.well)
        time.advance(by: .milliseconds(1))
        #expect(comesTrue { origin.loads == 2 })
        store.letGo()
        origin.respond()
        #expect(origin.send(0..<64))
        origin.end()
        expectWhole(late)
        first.cancel()
    }

    @Test("A decorator in between that makes other bytes gives them to who comes late, too")
    func transformed() {
        let cached = origin.cached(in: cache(), on: threads)
        let flipped = AnySource<ImageRequest, DataEvent> { request in
            cached.events(for: request).map { event in
                if case .chunk(let bytes) = event { .chunk(bytes.map { ~$0 }) } else { event }
            }.eraseToAnyPublisher()
        }
        let source = flipped.coalesced(keeping: 1)
        let first = join(source)
        origin.respond()
        #expect(origin.send(0..<40))
        let late = join(source)
        #expect(comesTrue { origin.loads == 2 })
        origin.respond()
        #expect(origin.send(0..<64))
        origin.end()
        #expect(late.waitForCompletion() && body(late) == origin.body.map { ~$0 })
        first.cancel()
    }

    @Test("An entry that is on disk already is opened once for all who read it, whenever they come")
    func hit() {
        let cache = cache()
        #expect(cache.store(origin.body, for: request.dataKey))
        let source = source(origin, in: cache)
        let first = join(source, demand: .max(40))
        #expect(comesTrue { first.values.count == 40 })
        let late = join(source)
        #expect(comesTrue { late.values.count > 1 })
        first.request(.unlimited)
        for recorder in [first, late] { expectWhole(recorder) }
        #expect(cache.statistics.hits == 1 && origin.loads == 0)
    }

    @Test("Readers that come, go and dawdle on several threads get all of one load, whatever becomes of its entry")
    func races() throws {
        for round in 0..<8 {
            let seed = UInt64.random(in: .min ... .max)
            var random = SeededGenerator(seed: seed)
            let origin = HandDrivenOrigin(chunks: Int.random(in: 1...60, using: &random), of: 40_000)
            let cache = cache("\(directory.path)/\(round)", totalSize: round % 4 == 3 ? 4_000_000 : 256 << 20)
            let source = origin.cached(in: cache, on: threads).coalesced(keeping: round % 2 == 0 ? 1 : 16 << 20)
            let (first, done) = (join(source), DispatchGroup())
            let readers = (0..<9).map { index in
                index % 3 == 0 ? Recorder() : Recorder(initialDemand: .max(1), demandForValue: { _ in .max(1) })
            }
            origin.respond()
            let lanes = ThreadPoolScheduler(width: 3)
            let pauses = (0..<3).map { _ in Int.random(in: 0..<3_000, using: &random) }
            let removes = Bool.random(using: &random)
            for lane in 0..<3 {
                done.enter()
                lanes.schedule {
                    for index in stride(from: lane, to: readers.count, by: 3) {
                        for _ in 0..<pauses[lane] { sched_yield() }
                        source.events(for: self.request).subscribe(readers[index])
                        if index == 4 { readers[index].cancel() }
                    }
                    if removes { cache.removeAll() }
                    done.leave()
                }
            }
            #expect(origin.send(0..<origin.chunks.count), "seed \(seed)")
            done.wait()
            origin.end()
            for (index, reader) in ([first] + readers).enumerated() where index != 5 {
                #expect(reader.waitForCompletion() && reader.isFinished, "seed \(seed), reader \(index)")
                #expect(body(reader) == origin.body && reader.violations.isEmpty, "seed \(seed), reader \(index)")
            }
            #expect(origin.loads == 1, "seed \(seed)")
        }
    }
}
