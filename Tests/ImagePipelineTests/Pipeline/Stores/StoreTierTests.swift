import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Loads and stores that are slow or away")
struct StoreTierTests {
    private let time = VirtualTimeScheduler()
    private let store = ScriptedStore()
    private let threads = ThreadPoolScheduler(width: 8)
    private let body = (0..<5_000).map { UInt8(truncatingIfNeeded: $0) }

    private func source(_ requests: Counter = Counter(), openBodies: Int = 16) -> some Source<Int, DataEvent> {
        let body = body
        return AnySource<Int, DataEvent> { _ in
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                requests.add()
                let response = DataEvent.response(DataResponse(provenance: .network, expectedLength: body.count))
                let chunks = stride(from: 0, to: body.count, by: 1_000).map {
                    DataEvent.chunk(Array(body[$0..<$0 + 1_000]))
                }
                return ([response] + chunks).publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
        .cached(
            in: store, by: { CacheKey(["\($0)"]) }, openBodies: openBodies, on: threads, clock: StoreClock(time))
    }

    private func load(
        _ request: Int, from source: some Source<Int, DataEvent>, demand: Subscribers.Demand = .unlimited
    ) -> RecordingSubscriber<DataEvent, LoadError> {
        let subscriber = RecordingSubscriber<DataEvent, LoadError>(initialDemand: demand)
        source.events(for: request).subscribe(subscriber)
        return subscriber
    }

    /// The body behind the last response, and where that came from; nil for a load that has not finished.
    private func result(_ load: RecordingSubscriber<DataEvent, LoadError>) -> (bytes: [UInt8], Provenance?)? {
        guard load.waitForCompletion(), load.isFinished, load.violations.isEmpty else { return nil }
        var (bytes, provenance) = ([UInt8](), Provenance?.none)
        for event in load.values {
            switch event {
            case .response(let response): (bytes, provenance) = ([], response.provenance)
            case .chunk(let chunk): bytes += chunk
            }
        }
        return (bytes, provenance)
    }

    private func expect(
        _ load: RecordingSubscriber<DataEvent, LoadError>, from provenance: Provenance,
        at location: SourceLocation = #_sourceLocation
    ) {
        let result = result(load)
        #expect(result?.bytes == body, sourceLocation: location)
        #expect(result?.1 == provenance, sourceLocation: location)
    }

    @Test("A store that hangs holds a load up for its time limit, then is left alone, and is asked again later")
    func hangingLookup() {
        let source = source()
        expect(load(1, from: source), from: .network)
        expect(load(1, from: source), from: .disk)
        store.set(.hanging)
        for number in 0..<3 {
            let load = load(1, from: source)
            store.waitForHung(number + 1)
            time.advance(by: .milliseconds(999))
            #expect(load.values.isEmpty)
            time.advance(by: .milliseconds(1))
            expect(load, from: .network)
        }
        // Nobody asks it now, not even to write.
        let calls = store.calls
        for _ in 0..<10 { expect(load(1, from: source), from: .network) }
        #expect(store.calls == calls)
        // The first to come after the pause does, alone.
        time.advance(by: .seconds(60))
        let probe = load(1, from: source)
        store.waitForHung(4)
        expect(load(1, from: source), from: .network)
        #expect(store.calls == calls + 1)
        time.advance(by: .seconds(1))
        expect(probe, from: .network)
        store.letGo()
        time.advance(by: .seconds(60))
        expect(load(1, from: source), from: .disk)
    }

    @Test("A load that waits behind one that the store holds up is not held up once more")
    func queued() {
        let source = source(openBodies: 1)
        expect(load(1, from: source), from: .network)
        store.set(.hanging)
        let loads = (0..<2).map { _ in load(1, from: source) }
        store.waitForHung(1)
        time.advance(by: .seconds(1))
        for load in loads { expect(load, from: .network) }
        store.letGo()
    }

    @Test("A store that fails makes no load fail, and is left alone after some failures")
    func failing() {
        let source = source()
        store.set(.failing)
        for number in 0..<20 { expect(load(number, from: source), from: .network) }
        #expect(store.calls == 3)
        store.set(.well)
        time.advance(by: .seconds(60))
        expect(load(1, from: source), from: .network)
        expect(load(1, from: source), from: .disk)
    }

    @Test(
        "A body that cannot be read on begins anew from below, whether the store fails or hangs",
        arguments: [false, true])
    func midBody(hangs: Bool) {
        let source = source()
        expect(load(1, from: source), from: .network)
        store.set(hangs ? .hanging : .failing, goodPieces: 2)
        let load = load(1, from: source)
        if hangs {
            store.waitForHung(1)
            time.advance(by: .seconds(1))
        }
        expect(load, from: .network)
        let responses = load.values.count { if case .response = $0 { true } else { false } }
        #expect(responses == 2)
        store.letGo()
    }

    @Test("Time in which the subscriber requests nothing is no waiting for the store")
    func idleSubscriber() {
        let source = source()
        expect(load(1, from: source), from: .network)
        let load = load(1, from: source, demand: .max(2))
        while load.values.count < 2 { sched_yield() }
        time.advance(by: .seconds(3_600))
        load.request(.unlimited)
        expect(load, from: .disk)
    }

    @Test("A store that hangs while a body is written delays the load by its time limit at most, and keeps nothing")
    func hangingWriter() {
        let requests = Counter()
        let gate = DrivenPublisher<DataEvent, LoadError>()
        let upstream = AnySource<Int, DataEvent> { _ in
            requests.add()
            return gate.eraseToAnyPublisher()
        }
        let source = upstream.cached(in: store, by: { CacheKey(["\($0)"]) }, on: threads, clock: StoreClock(time))
        let load = load(1, from: source)
        while !gate.isRequested { sched_yield() }
        store.set(.hanging)
        gate.send(.response(DataResponse(provenance: .network, expectedLength: body.count)))
        gate.send(.chunk(body))
        gate.send(completion: .finished)
        store.waitForHung(1)
        // Bytes that have arrived are not held back.
        #expect(comesTrue { load.values.count == 2 })
        time.advance(by: .milliseconds(999))
        #expect(load.completion == nil)
        time.advance(by: .milliseconds(1))
        expect(load, from: .network)
        store.letGo()
        #expect(store.state.withLock { $0.bodies.isEmpty })
    }

    @Test(
        "A load waits for a store that falls far behind, for its time limit at most, and keeps little of it in memory")
    func backlog() {
        let tap = Noted<Emitter<DataEvent, LoadError>>()
        let upstream = AnySource<Int, DataEvent> { _ in
            AnyPublisher.create { emitter in
                tap.note(emitter)
                return Disposable {}
            }
        }
        let source = upstream.cached(in: store, by: { CacheKey(["\($0)"]) }, on: threads, clock: StoreClock(time))
        let load = load(1, from: source)
        while tap.value == nil { sched_yield() }
        guard let emitter = tap.value else { return }
        store.set(.hanging)
        emitter.onNext(.response(DataResponse(provenance: .network)))
        var sent = 0
        func sendAll() {
            while emitter.requested > .none, sent < 200 {
                emitter.onNext(.chunk([UInt8](repeating: 1, count: 100_000)))
                sent += 1
            }
        }
        sendAll()
        store.waitForHung(1)
        #expect(sent < 40)
        #expect(load.values.count == sent + 1)
        time.advance(by: .seconds(1))
        sendAll()
        #expect(sent == 200)
        emitter.onComplete()
        #expect(load.waitForCompletion() && load.isFinished)
        #expect(load.values.count == 201)
        store.letGo()
    }

    @Test("What is asked once has one answer, though its end comes when the time is over")
    func lateEnd() {
        let subject = PassthroughSubject<Int, StoreFault>()
        let answer = RecordingSubscriber<Int, StoreFault>()
        subject.answering(within: StoreAllowance(.seconds(1)), StoreClock(time), or: .timedOut).subscribe(answer)
        time.advance(by: .milliseconds(999))
        subject.send(7)
        time.advance(by: .seconds(1))
        subject.send(completion: .finished)
        #expect(answer.values == [7] && answer.isFinished)
    }

    @Test("Who leaves while it waits has spent the time that it has waited")
    func leaving() {
        let allowance = StoreAllowance(.seconds(1))
        let answer = RecordingSubscriber<Int, StoreFault>()
        PassthroughSubject<Int, StoreFault>().waiting(atMost: allowance, StoreClock(time), or: .timedOut)
            .subscribe(answer)
        time.advance(by: .milliseconds(400))
        answer.cancel()
        #expect(allowance.left == .milliseconds(600))
        time.advance(by: .seconds(1))
        #expect(allowance.left == .milliseconds(600) && answer.completion == nil)
    }

    @Test("A store that answers just when the time is over makes a load go on once")
    func atTheLimit() {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<5_000 {
            let tier = StoreTier(store, openBodies: 1, threads: threads, clock: .system)
            let allowance = StoreAllowance(.microseconds(Int.random(in: 1...200, using: &generator)))
            let load = StoreLoad(tier: tier, key: CacheKey(["a"]), priority: .normal, allowance: allowance)
            let answers = RecordingSubscriber<Bool, Never>()
            load.work { true }.replaceError(with: false).subscribe(answers)
            #expect(answers.waitForCompletion() && answers.values.count == 1, "seed \(seed)")
        }
    }

    @Test("After failures in a row a store is left alone, then tried by one at a time")
    func breaker() {
        var breaker = StoreBreaker(terms: StoreTerms(failures: 2, pause: .seconds(10)))
        let begin = [breaker.didFail(at: .seconds(1)), breaker.mayAsk(at: .seconds(1)), breaker.didAnswer()]
        #expect(begin == [false, true, false])
        let opening = [
            breaker.didFail(at: .seconds(2)), breaker.didFail(at: .seconds(3)), breaker.didFail(at: .seconds(4)),
        ]
        #expect(opening == [false, true, false])
        let asks = [13, 14, 14, 23, 24].map { breaker.mayAsk(at: .seconds($0)) }
        #expect(asks == [false, true, false, false, true])
        let end = [breaker.didAnswer(), breaker.mayAsk(at: .seconds(24)), breaker.mayAsk(at: .seconds(24))]
        #expect(end == [true, true, true])
    }
}
