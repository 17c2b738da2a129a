import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Waiting for a store, and what a load leaves there")
struct StoreWatchTests {
    private let time = VirtualTimeScheduler()

    /// Waits until the one thread that there is has done what it has to do by now.
    private func waitForAll(on threads: ThreadPoolScheduler) {
        let isDone = Counter()
        threads.schedule { isDone.add() }
        #expect(comesTrue { isDone.value == 1 })
    }

    @Test("All that a load waits for its store counts together, and the time between does not")
    func together() {
        let (allowance, timeouts) = (StoreAllowance(.seconds(1)), Counter())
        let watch = StoreWatch(allowance, clock: StoreClock(time)) { timeouts.add() }
        watch.begin()
        time.advance(by: .milliseconds(600))
        watch.end()
        #expect(allowance.left == .milliseconds(400) && !allowance.isSpent)
        time.advance(by: .seconds(10))
        watch.end()
        #expect(allowance.left == .milliseconds(400) && timeouts.value == 0)
        watch.begin()
        time.advance(by: .milliseconds(390))
        watch.begin()
        #expect(timeouts.value == 0)
        time.advance(by: .milliseconds(20))
        #expect(timeouts.value == 1 && allowance.isSpent)
        watch.end()
        watch.begin()
        time.advance(by: .seconds(10))
        #expect(timeouts.value == 1)
    }

    @Test("A further wait has what the first has left, also one of another stage")
    func stages() {
        let allowance = StoreAllowance(.seconds(1))
        let time = time
        func wait(_ span: Int) -> Int {
            let timeouts = Counter()
            let watch = StoreWatch(allowance, clock: StoreClock(time)) { timeouts.add() }
            watch.begin()
            time.advance(by: .milliseconds(span))
            watch.stop()
            time.advance(by: .seconds(5))
            return timeouts.value
        }
        #expect([wait(500), wait(400), wait(90), wait(30)] == [0, 0, 0, 1])
    }

    @Test("Each lease is given back once, however its load ends")
    func releases() throws {
        let directory = TemporaryDirectory()
        let terms = StoreTerms(timeLimit: .seconds(3_600), leaseTime: .seconds(10))
        let store = LeasingStore(cache: DiskCache(directory: directory.path, terms: terms))
        let threads = ThreadPoolScheduler(width: 1)
        let origin = PassthroughSubject<DataEvent, LoadError>()
        let requests = Counter()
        let source = AnySource<Int, DataEvent> { _ in
            Deferred {
                requests.add()
                return origin
            }.eraseToAnyPublisher()
        }
        .cached(in: store, by: { CacheKey(["\($0)"]) }, on: threads, clock: StoreClock(time))
        let ends: [(RecordingSubscriber<DataEvent, LoadError>) -> Void] = [
            { _ in origin.send(completion: .finished) }, { _ in origin.send(completion: .failure(.status(503))) },
            { $0.cancel() },
        ]
        for (number, end) in ends.enumerated() {
            let load = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: number).subscribe(load)
            #expect(comesTrue { requests.value == number + 1 })
            origin.send(.response(DataResponse(provenance: .network, isStorable: false)))
            origin.send(.chunk([1]))
            end(load)
            #expect(comesTrue { store.releases.value > number })
        }
        waitForAll(on: threads)
        #expect(store.releases.value == ends.count)
    }

    @Test("A lease is renewed by what arrives when a quarter of its time is over, and not for every chunk")
    func renewals() {
        let directory = TemporaryDirectory()
        let terms = StoreTerms(timeLimit: .seconds(3_600), leaseTime: .seconds(8))
        let store = LeasingStore(cache: DiskCache(directory: directory.path, terms: terms))
        let threads = ThreadPoolScheduler(width: 1)
        let origin = DrivenPublisher<DataEvent, LoadError>()
        let load = RecordingSubscriber<DataEvent, LoadError>()
        AnySource<Int, DataEvent> { _ in origin.eraseToAnyPublisher() }
            .cached(in: store, by: { CacheKey(["\($0)"]) }, on: threads, clock: StoreClock(time))
            .events(for: 1).subscribe(load)
        #expect(comesTrue { origin.isRequested })
        origin.send(.response(DataResponse(provenance: .network)))
        var (sent, renewals) = (1, [Int]())
        for wait in [0, 0, 1_999, 1, 0, 1_999, 0, 1, 0, 5_000, 0] {
            time.advance(by: .milliseconds(wait))
            origin.send(.chunk([1]))
            sent += 1
            #expect(comesTrue { load.values.count == sent })
            waitForAll(on: threads)
            renewals.append(store.renewals.value)
        }
        #expect(renewals == [0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3])
        origin.send(completion: .finished)
        #expect(load.waitForCompletion() && load.isFinished)
    }

    @Test("Who leaves while another one has the lease asks for it no more")
    func leaving() throws {
        let directory = TemporaryDirectory()
        let terms = StoreTerms(timeLimit: .seconds(3_600), leaseTime: .seconds(10))
        let store = LeasingStore(cache: DiskCache(directory: directory.path, terms: terms))
        let (key, threads) = (CacheKey(["a"]), ThreadPoolScheduler(width: 1))
        let lease = try store.lease(of: key, for: .seconds(10))
        let load = RecordingSubscriber<DataEvent, LoadError>()
        AnySource<Int, DataEvent> { _ in Empty().eraseToAnyPublisher() }
            .cached(in: store, by: { _ in key }, on: threads, clock: StoreClock(time))
            .events(for: 1).subscribe(load)
        #expect(comesTrue { store.denials.value == 1 })
        waitForAll(on: threads)
        load.cancel()
        time.advance(by: .seconds(1))
        waitForAll(on: threads)
        #expect(store.denials.value == 1)
        withExtendedLifetime(lease) {}
    }

    @Test("Of a load that is cancelled no file is left, also where somebody keeps its response")
    func keptResponse() {
        let directory = TemporaryDirectory()
        let cache = DiskCache(
            directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600), leaseTime: nil))
        let (origin, load) = (DrivenPublisher<DataEvent, LoadError>(), RecordingSubscriber<DataEvent, LoadError>())
        let threads = ThreadPoolScheduler(width: 1)
        AnySource<Int, DataEvent> { _ in origin.eraseToAnyPublisher() }
            .cached(in: cache, by: { CacheKey(["\($0)"]) }, on: threads).events(for: 1).subscribe(load)
        #expect(comesTrue { origin.isRequested })
        origin.send(.response(DataResponse(provenance: .network)))
        origin.send(.chunk([UInt8](repeating: 7, count: 300_000)))
        func hasFile() -> Bool { directory.names.contains { $0.hasPrefix(TemporaryFile.prefix) } }
        #expect(comesTrue(hasFile))
        load.cancel()
        waitForAll(on: threads)
        #expect(!hasFile() && load.values.count == 2)
    }

    @Test("Of a body that another one takes the place of nothing is kept, also where that may not be kept")
    func overtaken() throws {
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)))
        let (key, body) = (CacheKey(["a"]), [UInt8](repeating: 7, count: 300_000))
        for (number, isStorable) in [false, true].enumerated() {
            let events: [DataEvent] = [
                .response(DataResponse(provenance: .network, expectedLength: body.count)),
                .response(DataResponse(provenance: .network, expectedLength: body.count, isStorable: isStorable)),
                .chunk(body),
            ]
            let source = AnySource<Int, DataEvent> { _ in
                events.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }
            .cached(in: cache, by: { _ in key }, on: ThreadPoolScheduler(width: 2))
            let load = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: number).subscribe(load)
            #expect(load.waitForCompletion() && load.isFinished)
            #expect(cache.hasBody(for: key) == isStorable)
        }
    }
}

/// A directory that counts the leases that are somebody else's, that are renewed, and that are given back.
private struct LeasingStore: ForwardingStore {
    let cache: DiskCache
    let denials = Counter()
    let renewals = Counter()
    let releases = Counter()

    func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer {
        guard case .granted(let lease, let isTakeover) = try cache.lease(of: key, for: time) else {
            denials.add()
            return .held
        }
        return .granted(Lease(lease: lease, renewals: renewals, releases: releases), isTakeover: isTakeover)
    }

    private struct Lease: StoreLease {
        let lease: any StoreLease
        let renewals: Counter
        let releases: Counter

        func renew() throws {
            renewals.add()
            try lease.renew()
        }

        func release() throws {
            releases.add()
            try lease.release()
        }
    }
}
