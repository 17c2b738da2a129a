import Streams
import StreamsTesting
import Testing

@Suite("A subscriber that cancels inside its subscription signal")
struct CancelInSubscriptionTests {
    @Test("No upstream is subscribed to afterwards")
    func subscribesToNothing() {
        let subscriptions = Counter()
        let scheduler = VirtualTimeScheduler()
        let upstream = Deferred {
            subscriptions.increment()
            return Empty<Int, TestError>(completeImmediately: false)
        }
        let publishers: [any Publisher] = [
            upstream.amb(upstream), upstream.sample(upstream), upstream.withLatestFrom(upstream),
            upstream.prefix(untilOutputFrom: upstream), upstream.drop(untilOutputFrom: upstream),
            upstream.zip(upstream), upstream.combineLatest(upstream), upstream.append(upstream),
            upstream.retry(2), upstream.retryWhen { $0.setFailureType(to: TestError.self) },
            upstream.debounce(for: .seconds(1), scheduler: scheduler),
            upstream.throttle(for: .seconds(1), scheduler: scheduler, latest: true),
            upstream.timeout(.seconds(1), scheduler: scheduler),
            upstream.delay(for: .seconds(1), scheduler: scheduler),
            upstream.collect(.byTime(scheduler, .seconds(1))),
            upstream.sample(every: .seconds(1), scheduler: scheduler),
            upstream.buffer(size: 1, prefetch: .byRequest, whenFull: .dropNewest), upstream.share(),
            upstream.groupBy { $0 }, upstream.subscribe(on: scheduler),
        ]
        func check<P: Publisher>(_ publisher: P) {
            publisher.subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }))
            #expect(subscriptions.count == 0, "\(P.self)")
            #expect(scheduler.scheduledCount == 0, "\(P.self)")
        }
        for publisher in publishers { check(publisher) }
    }
}
