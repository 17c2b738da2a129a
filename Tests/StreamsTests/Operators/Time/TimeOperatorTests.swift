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

    private func randomTimelines(_ count: Int, _ body: (UInt64, Timeline) -> Void) {
        let first = PropertySettings.seed ?? UInt64.random(in: 0..<1 << 40)
        for seed in first..<first + UInt64(PropertySettings.seed == nil ? count : 1) {
            var random = SeededGenerator(seed: seed)
            var at = 0
            body(
                seed,
                (1...Int.random(in: 1...12, using: &random)).map { value in
                    at += Int.random(in: 1...9, using: &random)
                    return (at, value)
                })
        }
    }

    @Test("debounce equals its model")
    func debounce() {
        randomTimelines(300) { seed, timeline in
            let expected = timeline.indices.compactMap { index in
                let due = timeline[index].at + 5
                // What comes at the very moment was scheduled before the timer, and replaces the value.
                let isQuiet = index + 1 == timeline.count || timeline[index + 1].at > due
                return isQuiet ? "\(timeline[index].value)@\(due)" : nil
            }
            let delivered = play(timeline) { $0.debounce(for: .milliseconds(5), scheduler: $1) }
            #expect(delivered == expected, "STREAMS_SEED=\(seed)")
        }
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

    @Test("throttle equals its model, for the newest and for the first value")
    func throttle() {
        for latest in [true, false] {
            randomTimelines(300) { seed, timeline in
                var expected: [String] = []
                var earliest = 0
                var index = 0
                while index < timeline.count {
                    let due = max(timeline[index].at, earliest)
                    // What comes up to the moment that is due, that moment included: it was scheduled before the timer.
                    let upTo = timeline[index...].prefix { $0.at <= due }
                    let chosen = latest ? upTo.last : upTo.first
                    expected.append("\(chosen.map { $0.value } ?? 0)@\(due)")
                    index += upTo.count
                    earliest = due + 7
                }
                let delivered = play(timeline) { $0.throttle(for: .milliseconds(7), scheduler: $1, latest: latest) }
                #expect(delivered == expected, "STREAMS_SEED=\(seed), latest \(latest): \(timeline)")
            }
        }
    }

    @Test("delay shifts everything by the same time, the end too")
    func delay() {
        randomTimelines(200) { seed, timeline in
            let last = (timeline.last?.at ?? 0) + 1
            let expected = timeline.map { "\($0.value)@\($0.at + 4)" }
            #expect(
                play(timeline, end: (last, .finished)) { $0.delay(for: .milliseconds(4), scheduler: $1) }
                    == expected + ["|@\(last + 4)"], "STREAMS_SEED=\(seed)")
            #expect(
                play(timeline, end: (last, .failure(.expected))) { $0.delay(for: .milliseconds(4), scheduler: $1) }
                    == expected + ["✕@\(last + 4)"], "STREAMS_SEED=\(seed)")
        }
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

@Suite("Attempts")
struct AttemptTests {
    /// Fails as often as it is told, then delivers and finishes.
    private func failing(_ times: Int, _ subscriptions: Counter) -> some Publisher<Int, TestError> {
        Deferred {
            subscriptions.increment()
            return subscriptions.count <= times
                ? Fail<Int, TestError>(error: .expected).eraseToAnyPublisher()
                : Just(subscriptions.count).setFailureType(to: TestError.self).eraseToAnyPublisher()
        }
    }

    @Test("retry with back-off waits longer each time, up to its maximum")
    func backOff() {
        let scheduler = VirtualTimeScheduler()
        let subscriptions = Counter()
        let moments = Recorded<[Int]>([])
        let subscriber = RecordingSubscriber<Int, TestError>()
        failing(5, subscriptions)
            .handleEvents(receiveSubscription: { _ in
                moments.update { $0.append(scheduler.now.nanoseconds / 1_000_000) }
            })
            .retry(9, backOff: .exponential(first: .milliseconds(1), maximum: .milliseconds(5)), scheduler: scheduler)
            .subscribe(subscriber)
        scheduler.run()
        #expect(moments.value == [0, 1, 3, 7, 12, 17])
        #expect(subscriber.values == [6])
        #expect(subscriber.isFinished)
    }

    @Test("A cancel while it waits lets go of the upstream's and the subscriber's closures")
    func waitReleases() {
        final class Token: Sendable {}
        weak var held: Token?
        let scheduler = VirtualTimeScheduler()
        do {
            let token = Token()
            held = token
            let sink = Fail<Int, TestError>(error: .expected).map { value in withExtendedLifetime(token) { value } }
                .retry(3, backOff: .constant(.seconds(60)), scheduler: scheduler)
                .sink(receiveCompletion: { _ in withExtendedLifetime(token) {} }, receiveValue: { _ in })
            sink.cancel()
        }
        #expect(held == nil)
    }

    @Test("Many attempts take no quadratic time: the 100,000th delay is found as fast as the first")
    func manyAttempts() {
        let attempts = Counter()
        let subscriber = RecordingSubscriber<Int, TestError>()
        failing(100_000, attempts)
            .retry(200_000, backOff: .constant(.nanoseconds(1)), scheduler: ImmediateScheduler.shared)
            .subscribe(subscriber)
        #expect(attempts.count == 100_001)
        #expect(subscriber.isFinished)
    }

    @Test("Jitter takes its share off the delay")
    func jitter() {
        let scheduler = VirtualTimeScheduler()
        let subscriber = RecordingSubscriber<Int, TestError>()
        failing(1, Counter())
            .retry(
                1, backOff: .exponential(first: .milliseconds(100), jitter: 0.5, random: { 0.5 }), scheduler: scheduler
            ).subscribe(subscriber)
        scheduler.run()
        #expect(scheduler.now.nanoseconds == 75_000_000)
        #expect(subscriber.isFinished)
    }

    @Test("A failure that isn't worth it, or one too many, is the stream's; a cancel ends the wait")
    func limits() {
        let scheduler = VirtualTimeScheduler()
        for (retries, isWorthIt, expected) in [(2, true, 3), (9, false, 1)] {
            let subscriptions = Counter()
            let subscriber = RecordingSubscriber<Int, TestError>()
            failing(9, subscriptions)
                .retry(retries, backOff: .constant(.seconds(1)), scheduler: scheduler, when: { _ in isWorthIt })
                .subscribe(subscriber)
            scheduler.run()
            #expect(subscriptions.count == expected)
            #expect(subscriber.end == .failed(.expected))
        }
        let subscriptions = Counter()
        let subscriber = RecordingSubscriber<Int, TestError>()
        failing(9, subscriptions).retry(9, backOff: .constant(.seconds(1)), scheduler: scheduler).subscribe(subscriber)
        subscriber.cancel()
        scheduler.run()
        #expect(subscriptions.count == 1)
    }

    @Test("repeat subscribes again after a finish, within the demand")
    func repeated() {
        let subscriber = RecordingSubscriber<Int, Never>()
        (1...2).publisher.repeat(3).subscribe(subscriber)
        #expect(subscriber.values == [1, 2, 1, 2, 1, 2])
        #expect(subscriber.isFinished)
        let bounded = RecordingSubscriber<Int, Never>(initialDemand: .max(5))
        (1...2).publisher.repeat().subscribe(bounded)
        #expect(bounded.values == [1, 2, 1, 2, 1])
        bounded.cancel()
        #expect(bounded.violations.isEmpty)
    }

    @Test("retryWhen subscribes again when the trigger says so, and ends as the trigger does")
    func retryWhen() {
        let subscriptions = Counter()
        let subscriber = RecordingSubscriber<Int, TestError>()
        failing(3, subscriptions).retryWhen { $0.setFailureType(to: TestError.self) }.subscribe(subscriber)
        #expect(subscriptions.count == 4)
        #expect(subscriber.values == [4])
        #expect(subscriber.isFinished)

        let given = RecordingSubscriber<Int, TestError>()
        failing(9, Counter()).retryWhen { $0.setFailureType(to: TestError.self).prefix(2) }.subscribe(given)
        #expect(given.isFinished)
        #expect(given.values == [])
    }

    @Test("A cancelled retryWhen lets go of its closures (FIELD: cancel leaks the retained closure)")
    func retryWhenReleases() {
        final class Token: Sendable {}
        weak var held: Token?
        do {
            let token = Token()
            held = token
            let subscriber = RecordingSubscriber<Int, TestError>()
            Fail<Int, TestError>(error: .expected).map { [token] value in withExtendedLifetime(token) { value } }
                .retryWhen { [token] failures in
                    failures.setFailureType(to: TestError.self).filter { _ in withExtendedLifetime(token) { false } }
                }.subscribe(subscriber)
            subscriber.cancel()
        }
        #expect(held == nil)
    }

    @Test("200,000 attempts that fail at once take the same stack, with a trigger too")
    func depth() {
        for make: (Counter) -> any Publisher<Int, TestError> in [
            { failing(200_000, $0).retry(300_000) },
            { failing(200_000, $0).retryWhen { $0.setFailureType(to: TestError.self) } },
        ] {
            let subscriptions = Counter()
            let subscriber = RecordingSubscriber<Int, TestError>()
            subscribe(make(subscriptions), subscriber)
            #expect(subscriptions.count == 200_001)
            #expect(subscriber.isFinished)
        }
    }

    @Test("using disposes of its resource exactly once: at the end, on a failure, on a cancel")
    func using() {
        for end in 0..<3 {
            let disposed = Counter()
            let subject = PassthroughSubject<Int, TestError>()
            let subscriber = RecordingSubscriber<Int, TestError>()
            Publishers.Using(
                { 7 }, publisher: { number in subject.map { $0 * number } }, dispose: { _ in disposed.increment() }
            )
            .subscribe(subscriber)
            subject.send(2)
            #expect(disposed.count == 0)
            switch end {
            case 0: subject.send(completion: .finished)
            case 1: subject.send(completion: .failure(.expected))
            default: subscriber.cancel()
            }
            subscriber.cancel()
            #expect(subscriber.values == [14])
            #expect(disposed.count == 1)
        }
    }

    @Test("generate makes values while its condition holds, each on request")
    func generate() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
        Publishers.generate(1, while: { $0 < 20 }, next: { $0 * 2 }).subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
        subscriber.request(.unlimited)
        #expect(subscriber.values == [1, 2, 4, 8, 16])
        #expect(subscriber.isFinished)
    }
}
