import Streams
import StreamsTesting
import Testing

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

    @Test("What a decision returns is cancelled when its attempt is made, though that is before it was returned")
    func madeAtOnce() {
        let (cancels, attempts) = (Counter(), Counter())
        let subscriber = RecordingSubscriber<Int, TestError>()
        Publishers.Resubscribe(upstream: failing(3, attempts)) { completion, _ in
            guard case .failure = completion else { return .end }
            return .later { attempt in
                attempt()
                return Disposable { cancels.increment() }
            }
        }.subscribe(subscriber)
        #expect(attempts.count == 4 && subscriber.values == [4] && subscriber.isFinished)
        #expect(cancels.count == 3)
    }

    @Test("What a decision returns is cancelled once: with the stream, or when its attempt is made")
    func madeLater() {
        for isCancelledFirst in [true, false] {
            for isCancelledInside in [true, false] {
                let (cancels, attempts) = (Counter(), Counter())
                let waiting = Recorded<(@Sendable () -> Void)?>(nil)
                let subscriber = RecordingSubscriber<Int, TestError>()
                Publishers.Resubscribe(upstream: failing(1, attempts)) { completion, _ in
                    guard case .failure = completion else { return .end }
                    return .later { attempt in
                        waiting.set(attempt)
                        if isCancelledInside { subscriber.cancel() }
                        return Disposable { cancels.increment() }
                    }
                }.subscribe(subscriber)
                #expect(cancels.count == (isCancelledInside ? 1 : 0))
                if isCancelledFirst { subscriber.cancel() }
                waiting.value?()
                waiting.value?()
                #expect(attempts.count == (isCancelledFirst || isCancelledInside ? 1 : 2))
                subscriber.cancel()
                #expect(cancels.count == 1)
                waiting.set(nil)
            }
        }
    }
}
