import Files
import LoopbackServer
import PhotoGenerator
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Leases: one load for several processes")
struct StoreLeaseTests {
    private let directory = TemporaryDirectory()
    private let time = VirtualTimeScheduler()
    private let body = [UInt8](repeating: 3, count: 10_000)
    private let key = CacheKey(["a"])
    /// The wall clock, in seconds.
    private let wall = Clock()

    private final class Clock: Sendable {
        let seconds = Atomic(1_000_000)
    }

    /// A process's way to a body that comes when the test sends it.
    private struct Process {
        let origin = DrivenPublisher<DataEvent, LoadError>()
        let requests = Counter()
        let store: CountingStore
        let source: AnySource<Int, DataEvent>

        init(_ directory: String, key: CacheKey, wall: Clock, time: VirtualTimeScheduler) {
            // Virtual time runs faster than threads: it is not to be the store's fault.
            let terms = StoreTerms(timeLimit: .seconds(1_000_000), leaseTime: .seconds(10))
            store = CountingStore(
                cache: DiskCache(directory: directory, terms: terms) { .seconds(wall.seconds.load(ordering: .relaxed)) }
            )
            let (origin, requests) = (origin, requests)
            source = AnySource(
                AnySource<Int, DataEvent> { _ in
                    Deferred { () -> DrivenPublisher<DataEvent, LoadError> in
                        requests.add()
                        return origin
                    }.eraseToAnyPublisher()
                }.cached(in: store, by: { _ in key }, on: ThreadPoolScheduler(width: 4), clock: StoreClock(time)))
        }

        func load() -> RecordingSubscriber<DataEvent, LoadError> {
            let subscriber = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: 0).subscribe(subscriber)
            return subscriber
        }

        func waitForRequest() {
            while !origin.isRequested { sched_yield() }
        }

        /// Waits until it has been told that somebody else has the lease.
        func waitUntilHeldUp() {
            while store.denials.value == 0 { sched_yield() }
        }

        func send(_ body: [UInt8], isStorable: Bool = true) {
            origin.send(
                .response(DataResponse(provenance: .network, expectedLength: body.count, isStorable: isStorable)))
            origin.send(.chunk(body))
            origin.send(completion: .finished)
        }
    }

    private func process() -> Process {
        Process(directory.path, key: key, wall: wall, time: time)
    }

    private func provenance(_ load: RecordingSubscriber<DataEvent, LoadError>) -> Provenance? {
        guard load.isFinished, case .response(let response)? = load.values.first else { return nil }
        return response.provenance
    }

    /// Waits for the end of the load that has the lease, and until others can have it. No time goes by: who waits for longer than a
    /// lease's time loads for itself.
    private func finish(_ load: RecordingSubscriber<DataEvent, LoadError>, holding process: Process) {
        while load.completion == nil || process.store.releases.value == 0 { sched_yield() }
    }

    /// Lets those that wait ask again until the load has ended.
    private func finish(_ load: RecordingSubscriber<DataEvent, LoadError>) {
        while load.completion == nil {
            time.advance(by: .milliseconds(50))
            sched_yield()
        }
    }

    @Test("A process that was stopped while it had the lease's file locked holds nobody up for longer than the lease")
    func stoppedInLock() throws {
        let start = Duration.seconds(wall.seconds.load(ordering: .relaxed))
        let file = try FileDescriptor(
            opening: "\(directory.path)/\(DirectoryLease.prefix)\(key.digest)", O_RDWR | O_CREAT)
        #expect(try file.tryLock())
        file.setTimes(lastUse: start, change: start)
        let process = process()
        let load = process.load()
        process.waitUntilHeldUp()
        #expect(process.requests.value == 0)
        wall.seconds.add(11, ordering: .relaxed)
        for _ in 0..<100_000 where !process.origin.isRequested {
            time.advance(by: .milliseconds(50))
            sched_yield()
        }
        try #require(process.origin.isRequested)
        process.send(body)
        finish(load)
        #expect(load.isFinished)
    }

    @Test("Of two processes that want one body at once one loads it, and the other gets it from the directory")
    func oneLoad() {
        let (one, other) = (process(), process())
        let first = one.load()
        one.waitForRequest()
        let second = other.load()
        other.waitUntilHeldUp()
        for _ in 0..<20 { time.advance(by: .milliseconds(50)) }
        #expect(second.values.isEmpty)
        one.send(body)
        finish(first, holding: one)
        finish(second)
        #expect(provenance(first) == .network)
        #expect(provenance(second) == .disk)
        #expect(other.requests.value == 0)
    }

    @Test(
        "A load for which nothing arrives is taken over when its lease's time is over, and does not end the next lease")
    func takeover() {
        let (one, other, third) = (process(), process(), process())
        let first = one.load()
        one.waitForRequest()
        let second = other.load()
        other.waitUntilHeldUp()
        wall.seconds.add(9, ordering: .relaxed)
        for _ in 0..<20 { time.advance(by: .milliseconds(50)) }
        #expect(other.requests.value == 0)
        wall.seconds.add(1, ordering: .relaxed)
        while !other.origin.isRequested { time.advance(by: .milliseconds(50)) }
        // The first one leaves; the lease is the second one's.
        first.cancel()
        let late = third.load()
        third.waitUntilHeldUp()
        for _ in 0..<20 { time.advance(by: .milliseconds(50)) }
        #expect(third.requests.value == 0)
        other.send(body)
        finish(second, holding: other)
        finish(late)
        #expect(provenance(second) == .network)
        #expect(provenance(late) == .disk)
    }

    @Test("A lease that is renewed for ever holds nobody up for longer than its time")
    func renewed() {
        let (one, other) = (process(), process())
        let first = one.load()
        one.waitForRequest()
        let second = other.load()
        other.waitUntilHeldUp()
        // The wall clock stands still: the lease is as new as ever.
        var steps = 0
        while !other.origin.isRequested, steps < 100_000 {
            time.advance(by: .milliseconds(50))
            steps += 1
            sched_yield()
        }
        #expect(other.requests.value == 1)
        #expect(steps >= 200)
        other.send(body)
        finish(second)
        #expect(provenance(second) == .network)
        first.cancel()
    }

    @Test("Whoever waits for a lease asks for it ever more rarely, and for the last time when its time is over")
    func rareQuestions() {
        let (one, other) = (process(), process())
        let first = one.load()
        one.waitForRequest()
        let start = time.now
        let second = other.load()
        while !other.origin.isRequested {
            // Later than a question's are only the times in which the store must answer.
            if let due = time.nextDue, due < start.advanced(by: .seconds(100)) { time.advance(to: due) }
            sched_yield()
        }
        #expect(time.now == start.advanced(by: .seconds(10)))
        #expect((20...70).contains(other.store.denials.value))
        second.cancel()
        first.cancel()
    }

    @Test(
        "Whoever cancels, or fails, or gets what may not be stored lets the others load for themselves, all at once",
        arguments: ["cancel", "fail", "unstorable"])
    func noBody(ending: String) {
        let (one, other, third) = (process(), process(), process())
        let first = one.load()
        one.waitForRequest()
        let waiting = [other.load(), third.load()]
        for process in [other, third] { process.waitUntilHeldUp() }
        switch ending {
        case "cancel": first.cancel()
        case "fail": one.origin.send(completion: .failure(.status(500)))
        default: one.send(body, isStorable: false)
        }
        while !(other.origin.isRequested && third.origin.isRequested) { time.advance(by: .milliseconds(50)) }
        for process in [other, third] { process.send(body) }
        for load in waiting {
            finish(load)
            #expect(provenance(load) == .network)
        }
    }

    @Test(
        "A process that stands still while it loads blocks nobody when its lease's time is over; one that is killed, not even so long"
    )
    func lostHolder() throws {
        let server = try #require(RawServer { $0.waitForClose() })
        var holder = try ChildProcess("store-client", [directory.path, server.url(), "1"])
        while server.connections == 0 { sched_yield() }
        let isStill = holder.pause()
        try #require(isStill)
        let key = ImageRequest(server.url()).dataKey
        let cache = DiskCache(directory: directory.path)
        guard case .held = try cache.lease(of: key, for: .seconds(100_000)) else {
            Issue.record("nobody has it")
            return
        }
        let later = DiskCache(directory: directory.path) { DiskCache.timeSinceEpoch + .seconds(10) }
        guard case .granted(let lease, isTakeover: true) = try later.lease(of: key, for: .seconds(10)) else {
            Issue.record("it is not taken over")
            return
        }
        try lease.release()
        holder.kill()

        let other = try ChildProcess("store-client", [directory.path, server.url(), "1"])
        while server.connections == 1 { sched_yield() }
        other.kill()
        guard case .granted(_, isTakeover: true) = try cache.lease(of: key, for: .seconds(100_000)) else {
            Issue.record("it outlives its process")
            return
        }
    }

    @Test("Two processes with 500 subscribers each and one directory make one request")
    func thousandSubscribers() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/photo.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=60"))
        let arguments = [directory.path, gallery.server.url("/photo.jpg"), "500"]
        let one = try ChildProcess("store-client", arguments)
        let other = try ChildProcess("store-client", arguments)
        let outputs = [one.readOutput(), other.readOutput()]
        #expect(outputs == [String](repeating: "loading\nfinals: 500, failure: none\n", count: 2))
        #expect(gallery.server.log.requests.count == 1)
    }
}

/// A directory that counts how often a lease was somebody else's, and how many were given back.
private struct CountingStore: ForwardingStore {
    let cache: DiskCache
    let denials = Counter()
    let releases = Counter()

    func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer {
        let answer = try cache.lease(of: key, for: time)
        switch answer {
        case .none: return .none
        case .held:
            denials.add()
            return .held
        case .granted(let lease, let isTakeover):
            return .granted(CountedLease(lease: lease, releases: releases), isTakeover: isTakeover)
        }
    }
}

private struct CountedLease: StoreLease {
    let lease: any StoreLease
    let releases: Counter

    func renew() throws { try lease.renew() }

    func release() throws {
        try lease.release()
        releases.add()
    }
}
