import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("receive(on:) and subscribe(on:)")
struct HoppingTests {
    @Test("receive(on:) a concurrent queue loses nothing and keeps the order (FIELD: lost in 80 of 300 runs)")
    func concurrentQueue() {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        for _ in 0..<raceCount {
            let subscriber = RecordingSubscriber<Int, Never>()
            (0..<100).publisher.receive(on: queue).subscribe(subscriber)
            #expect(subscriber.waitForCompletion())
            #expect(subscriber.values == Array(0..<100))
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("receive(on:) keeps within demand, on every scheduler")
    func demand() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1), demandForValue: { _ in .max(1) })
        (0..<1_000).publisher.receive(on: ThreadPoolScheduler(width: 3)).subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        #expect(subscriber.values == Array(0..<1_000))
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A completion that is already scheduled is not delivered after a cancel")
    func cancelBeatsCompletion() {
        let queue = DispatchQueue(label: "serial")
        let subscriber = RecordingSubscriber<Int, Never>()
        queue.suspend()
        (0..<3).publisher.receive(on: queue).subscribe(subscriber)
        subscriber.cancel()
        queue.resume()
        queue.sync {}
        #expect(subscriber.values.isEmpty)
        #expect(subscriber.completion == nil)
    }

    @Test("A cancel inside a value keeps back the rest of the burst and the completion")
    func cancelInBurst() {
        let queue = DispatchQueue(label: "serial")
        let subscriber = RecordingSubscriber<Int, Never>(onValue: { subscriber, _ in subscriber.cancelInSignal() })
        (0..<3).publisher.receive(on: queue).subscribe(subscriber)
        queue.sync {}
        queue.sync {}
        #expect(subscriber.values == [0])
        #expect(subscriber.completion == nil)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("subscribe(on:) cancelled before its turn never subscribes, and delivers nothing")
    func cancelBeforeSubscription() {
        let queue = DispatchQueue(label: "serial")
        let subscriptions = Counter()
        let values = Counter()
        queue.suspend()
        let cancellable = Deferred { () -> Just<Int> in
            subscriptions.increment()
            return Just(1)
        }.subscribe(on: queue).sink { _ in values.increment() }
        cancellable.cancel()
        queue.resume()
        queue.sync {}
        #expect(subscriptions.count == 0)
        #expect(values.count == 0)
    }

    @Test("A request that re-enters subscribe(on: immediate) does not deadlock")
    func reentrantRequest() {
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(1), onValue: { subscriber, _ in subscriber.request(.max(1)) })
        (0..<1_000).publisher.subscribe(on: ImmediateScheduler.shared).subscribe(subscriber)
        #expect(subscriber.values == Array(0..<1_000))
        #expect(subscriber.isFinished)
    }

    @Test("subscribe(on:) subscribes on its scheduler, and values follow there")
    func subscribesThere() {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "serial")
        queue.setSpecific(key: key, value: true)
        let seen = Mutex<[Bool]>([])
        let subscriber = RecordingSubscriber<Int, Never>()
        Deferred {
            seen.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
            return Just(1)
        }
        .map { value in
            seen.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
            return value
        }
        .subscribe(on: queue).subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        #expect(seen.withLock { $0 } == [true, true])
    }

    @Test("subscribe(on:) asks and cancels in turns of its scheduler, for a sink as for any subscriber")
    func asksAndCancelsThere() {
        let time = VirtualTimeScheduler()
        let seen = Mutex<[String]>([])
        let subject = PassthroughSubject<Int, Never>()
        let stream = subject.handleEvents(
            receiveCancel: { seen.withLock { $0.append("left") } },
            receiveRequest: { demand in seen.withLock { $0.append("\(demand)") } }
        ).subscribe(on: time)
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
        stream.subscribe(subscriber)
        let sink = stream.sink { _ in }
        #expect(seen.withLock { $0 }.isEmpty)
        time.run()
        #expect(seen.withLock { $0 } == ["max(1)", "unlimited"])
        subscriber.request(.max(2))
        subscriber.cancel()
        sink.cancel()
        #expect(seen.withLock { $0 }.count == 2)
        time.run()
        #expect(seen.withLock { $0 } == ["max(1)", "unlimited", "left", "left"])
    }

    @Test("A queue runs what is due later with whatever options, and leaves their group when it has")
    func queueOptions() {
        let queue = DispatchQueue(label: "options")
        let (group, ran) = (DispatchGroup(), DispatchSemaphore(value: 0))
        let options: [DispatchQueue.SchedulerOptions?] = [nil, .init(qos: .utility), .init(group: group)]
        for options in options {
            queue.schedule(options: options) { ran.signal() }
            queue.schedule(after: queue.now, tolerance: .zero, options: options) { ran.signal() }
        }
        for _ in 0..<6 { ran.wait() }
        group.wait()
    }

    @Test("Spans of the immediate scheduler are numbers like others")
    func immediateSpans() {
        var span: ImmediateScheduler.SchedulerTimeType.Stride = 7
        span -= 2
        #expect(span == 5)
        span += 1
        span *= 2
        #expect(span == 12 && span > 11 && span - 2 == 10 && span + 1 == 13 && span * 2 == 24)
        #expect(ImmediateScheduler.SchedulerTimeType.Stride(exactly: 3 as UInt8) == 3)
    }

    @Test("A thread pool runs everything, at most its width at once, and on no thread of Dispatch's")
    func threadPool() {
        let running = Atomic(0)
        let most = Atomic(0)
        let group = DispatchGroup()
        let pool = ThreadPoolScheduler(width: 3)
        for _ in 0..<raceCount {
            group.enter()
            pool.schedule {
                let now = running.add(1, ordering: .relaxed).newValue
                most.max(now, ordering: .relaxed)
                running.subtract(1, ordering: .relaxed)
                group.leave()
            }
        }
        #expect(group.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(most.load(ordering: .relaxed) <= 3)
    }

    @MainActor
    @Test("A sink on the main actor is called there, in order, and not after a cancel")
    func mainActor() async {
        final class Cell {
            var values: [Int] = []
        }
        let cell = Cell()
        var sink: AnyCancellable?
        await withCheckedContinuation { continuation in
            sink = (0..<10).publisher.subscribe(on: DispatchQueue.global()).sink(
                on: MainActor.shared,
                receiveCompletion: { _ in continuation.resume() },
                receiveValue: { cell.values.append($0) })
        }
        sink?.cancel()
        #expect(cell.values == Array(0..<10))
        let late = (0..<10).publisher.receive(on: DispatchQueue.global()).sink(on: MainActor.shared) {
            cell.values.append($0)
        }
        late.cancel()
        await Task.yield()
        #expect(cell.values.count == 10)
    }

    @Test("A burst for the main actor leaves turns for others after some thousand values")
    @MainActor
    func mainActorTurns() async {
        let count = Counter()
        let subject = PassthroughSubject<Int, Never>()
        let (ended, signal) = AsyncStream.makeStream(of: Void.self)
        let sink = subject.sink(
            on: MainActor.shared, receiveCompletion: { _ in signal.finish() }, receiveValue: { _ in count.increment() })
        // The main thread waits for it: everything is there when it has its first turn.
        SubjectRace.run {
            for value in 0..<10_000 { subject.send(value) }
            subject.send(completion: .finished)
        }
        let atTurn = Recorded<Int?>(nil)
        DispatchQueue.main.async { atTurn.set(count.count) }
        for await _ in ended {}
        #expect(count.count == 10_000)
        #expect(atTurn.value == 4_096)
        sink.cancel()
    }

    @Test("A request of nothing takes no turn of the scheduler, and the upstream does not hear of it")
    func nothing() {
        let scheduler = VirtualTimeScheduler()
        let upstream = TestPublisher<Int>(.cold)
        let subscriber = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
        upstream.subscribe(on: scheduler).subscribe(subscriber)
        scheduler.run()
        subscriber.request(.none)
        #expect(scheduler.scheduledCount == 0)
        subscriber.request(.max(2))
        scheduler.run()
        #expect(upstream.windows.first?.requests.map(\.demand) == [.max(2)])
    }
}
