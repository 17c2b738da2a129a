import Streams
import StreamsTesting
import Synchronization
import Testing

/// Values at moments, in milliseconds.
private typealias Timeline = [(at: Int, value: Int)]

@Suite("Operators that know time, on virtual time")
struct TimeOperatorTests {
    private typealias Subject = PassthroughSubject<Int, TestError>

    /// What is delivered when, as "value@milliseconds", and the end as "|@" or "✕@".
    private final class Recorder: Sendable {
        private let lines = Mutex<[String]>([])
        let cancellable = SerialDisposable()
        var all: [String] { lines.withLock { $0 } }

        init<P: Publisher>(_ publisher: P, _ scheduler: VirtualTimeScheduler) {
            let write: @Sendable (String) -> Void = { [self] text in
                lines.withLock { $0.append("\(text)@\(scheduler.now.nanoseconds / 1_000_000)") }
            }
            cancellable.set(
                publisher.sink(
                    receiveCompletion: { if case .finished = $0 { write("|") } else { write("✕") } },
                    receiveValue: { write("\($0)") }))
        }
    }

    /// Plays a timeline into a subject and finishes it at a moment.
    private func play(
        _ timeline: Timeline, end: (at: Int, Subscribers.Completion<TestError>)? = nil,
        _ make: (Subject, VirtualTimeScheduler) -> any Publisher<Int, TestError>
    ) -> [String] {
        let scheduler = VirtualTimeScheduler()
        let subject = Subject()
        let recorder = record(make(subject, scheduler), scheduler)
        for (at, value) in timeline {
            scheduler.schedule(after: VirtualTime(nanoseconds: at * 1_000_000)) { subject.send(value) }
        }
        if let end {
            scheduler.schedule(after: VirtualTime(nanoseconds: end.at * 1_000_000)) { subject.send(completion: end.1) }
        }
        scheduler.advance(by: .seconds(10))
        return recorder.all
    }

    private func record<P: Publisher>(_ publisher: P, _ scheduler: VirtualTimeScheduler) -> Recorder {
        Recorder(publisher, scheduler)
    }

    @Test("debounce at the finish drops what is waiting, or delivers it when it is told to; a failure drops it")
    func debounceEnd() {
        let timeline: Timeline = [(1, 1), (10, 2)]
        #expect(
            play(timeline, end: (12, .finished)) { $0.debounce(for: .milliseconds(5), scheduler: $1) } == [
                "1@6", "|@12",
            ])
        #expect(
            play(timeline, end: (12, .finished)) {
                $0.debounce(for: .milliseconds(5), scheduler: $1, atFinish: .deliver)
            } == ["1@6", "2@12", "|@12"])
        #expect(
            play(timeline, end: (12, .failure(.expected))) {
                $0.debounce(for: .milliseconds(5), scheduler: $1, atFinish: .deliver)
            } == ["1@6", "✕@12"])
    }

    @Test("delay keeps to the demand of a cold source")
    func delayDemand() {
        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
        (1...5).publisher.delay(for: .milliseconds(3), scheduler: scheduler).subscribe(subscriber)
        scheduler.run()
        #expect(subscriber.values == [1, 2])
        subscriber.request(.unlimited)
        scheduler.run()
        #expect(subscriber.values == [1, 2, 3, 4, 5])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("timeout ends a stream that has been quiet for too long, and no other")
    func timeout() {
        let timeline: Timeline = [(3, 1), (7, 2), (20, 3)]
        #expect(play(timeline) { $0.timeout(.milliseconds(5), scheduler: $1) } == ["1@3", "2@7", "|@12"])
        #expect(
            play(timeline) { $0.timeout(.milliseconds(5), scheduler: $1, customError: { .expected }) }
                == ["1@3", "2@7", "✕@12"])
        #expect(
            play(timeline, end: (21, .finished)) { $0.timeout(.milliseconds(15), scheduler: $1) }
                == ["1@3", "2@7", "3@20", "|@21"])
        #expect(play([]) { $0.timeout(.milliseconds(5), scheduler: $1) } == ["|@5"])
    }

    @Test("measureInterval tells the time before each value")
    func measureInterval() {
        #expect(
            play([(3, 1), (7, 2), (20, 3)]) { subject, scheduler in
                subject.measureInterval(using: scheduler).map { $0.magnitude / 1_000_000 }
            } == ["3@3", "4@7", "13@20"])
    }

    @Test("collect by time, and by time or count")
    func collectByTime() {
        let timeline: Timeline = [(1, 1), (2, 2), (6, 3), (12, 4), (13, 5), (14, 6)]
        func sums(_ publisher: some Publisher<[Int], TestError>) -> any Publisher<Int, TestError> {
            publisher.map { Int($0.map(String.init).joined()) ?? 0 }
        }
        #expect(
            play(timeline, end: (16, .finished)) { sums($0.collect(.byTime($1, .milliseconds(5)))) }
                == ["12@5", "3@10", "456@15", "|@16"])
        #expect(
            play(timeline, end: (14, .finished)) { sums($0.collect(.byTimeOrCount($1, .milliseconds(5), 2))) }
                == ["12@2", "3@10", "45@13", "6@14", "|@14"])
        #expect(
            play(timeline, end: (14, .failure(.expected))) { sums($0.collect(.byTime($1, .milliseconds(5)))) }
                == ["12@5", "3@10", "✕@14"])
    }

    @Test("A request brings no array of collect before its time")
    func collectOnRequest() {
        let (scheduler, subject) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
        let subscriber = RecordingSubscriber<[Int], Never>(initialDemand: .max(1))
        subject.collect(.byTime(scheduler, .milliseconds(5))).subscribe(subscriber)
        scheduler.advance(by: .milliseconds(6))
        subject.send(1)
        subscriber.request(.max(1))
        scheduler.advance(by: .milliseconds(3))
        #expect(subscriber.values == [])
        subject.send(2)
        scheduler.advance(by: .milliseconds(1))
        #expect(subscriber.values == [[1, 2]])
        subscriber.cancel()
    }

    @Test("All of a long source is collected, however much of it is asked for at a time", arguments: [1, 10, 1_000])
    func collectLong(count: Int) {
        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<[Int], Never>(demand: .oneByOne)
        (0..<3_000).publisher.collect(.byTimeOrCount(scheduler, .seconds(1), count)).subscribe(subscriber)
        scheduler.advance(by: .milliseconds(1))
        #expect(subscriber.values.map(\.count) == Array(repeating: count, count: 3_000 / count))
        #expect(subscriber.values.flatMap(\.self) == Array(0..<3_000) && subscriber.isFinished)
    }

    @Test("What a late request brings comes on the scheduler, and not inside the request")
    func lateRequest() {
        let makers: [@Sendable (Subject, VirtualTimeScheduler) -> any Publisher<Int, TestError>] = [
            { $0.debounce(for: .milliseconds(5), scheduler: $1) },
            { $0.throttle(for: .milliseconds(5), scheduler: $1, latest: true) },
            { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).delay(for: .zero, scheduler: $1) },
            { $0.collect(.byTime($1, .milliseconds(5))).map(\.count) },
            { $0.sample(every: .milliseconds(5), scheduler: $1) },
        ]
        for make in makers {
            let scheduler = VirtualTimeScheduler()
            let subject = Subject()
            let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .none)
            subscribe(make(subject, scheduler), subscriber)
            subject.send(1)
            scheduler.advance(by: .milliseconds(10))
            subject.send(completion: .finished)
            scheduler.advance(by: .milliseconds(10))
            subscriber.request(.max(5))
            #expect(subscriber.values == [] && subscriber.completion == nil)
            scheduler.advance(by: .zero)
            #expect(subscriber.values == [1] && subscriber.isFinished)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("timeout doesn't count the time that the subscriber takes for a value")
    func timeoutWhileWorking() {
        let scheduler = VirtualTimeScheduler()
        let subject = Subject()
        let subscriber = RecordingSubscriber<Int, TestError>(onValue: { _, value in
            // The clock goes on while it works, and the timer rings.
            if value == 1 { scheduler.advance(by: .milliseconds(20)) }
        })
        subject.timeout(.milliseconds(5), scheduler: scheduler).subscribe(subscriber)
        subject.send(1)
        #expect(subscriber.completion == nil)
        scheduler.advance(by: .milliseconds(4))
        subject.send(2)
        scheduler.advance(by: .milliseconds(4))
        #expect(subscriber.values == [1, 2] && subscriber.completion == nil)
        scheduler.advance(by: .milliseconds(1))
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A cancel at any moment stops timers and deliveries")
    func cancelled() {
        let makers: [@Sendable (Subject, VirtualTimeScheduler) -> any Publisher<Int, TestError>] = [
            { $0.debounce(for: .milliseconds(5), scheduler: $1) },
            { $0.throttle(for: .milliseconds(5), scheduler: $1, latest: true) },
            { $0.delay(for: .milliseconds(5), scheduler: $1) },
            { $0.timeout(.milliseconds(5), scheduler: $1) },
            { $0.collect(.byTime($1, .milliseconds(5))).map(\.count) },
        ]
        for make in makers {
            for moment in [0, 1, 3, 5, 6] {
                let scheduler = VirtualTimeScheduler()
                let subject = Subject()
                let recorder = record(make(subject, scheduler), scheduler)
                subject.send(1)
                subject.send(2)
                scheduler.advance(by: .milliseconds(moment))
                recorder.cancellable.cancel()
                let before = recorder.all
                subject.send(3)
                scheduler.run(limit: 100)
                #expect(recorder.all == before)
                #expect(!subject.hasSubscribers)
                #expect(scheduler.scheduledCount == 0)
            }
        }
    }

    @Test("A cancel lets go of a value that waits for its time")
    func waitingReleased() {
        final class Token: Sendable {}
        let makers:
            [@Sendable (PassthroughSubject<Token, Never>, VirtualTimeScheduler) -> any Publisher<Token, Never>] = [
                { $0.debounce(for: .seconds(60), scheduler: $1) },
                { $0.throttle(for: .seconds(60), scheduler: $1, latest: true) },
            ]
        for make in makers {
            let scheduler = VirtualTimeScheduler()
            let subject = PassthroughSubject<Token, Never>()
            weak var held: Token?
            let recorder = record(make(subject, scheduler), scheduler)
            do {
                let token = Token()
                held = token
                subject.send(token)
            }
            #expect(held != nil)
            recorder.cancellable.cancel()
            #expect(held == nil)
        }
    }

    @Test("Timers tick without drift, and stop when they are cancelled")
    func timers() {
        let scheduler = VirtualTimeScheduler()
        let ticks = record(Publishers.interval(.milliseconds(3), on: scheduler), scheduler)
        let once = record(Publishers.timer(after: .milliseconds(4), on: scheduler).map { _ in 9 }, scheduler)
        scheduler.advance(by: .milliseconds(10))
        #expect(ticks.all == ["0@3", "1@6", "2@9"])
        #expect(once.all == ["9@4", "|@4"])
        ticks.cancellable.cancel()
        #expect(scheduler.scheduledCount == 0)
    }
}
