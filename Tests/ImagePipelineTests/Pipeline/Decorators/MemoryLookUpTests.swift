import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("A load's look into memory")
struct MemoryLookUpTests {
    private typealias Recorder = RecordingSubscriber<LoadEvent<Int>, LoadError>

    private let cache = MemoryCache<CacheKey, Int>(costLimit: 100)
    private let key = CacheKey(["a"])

    private func events(
        _ upstream: some Publisher<LoadEvent<Int>, LoadError>, _ policy: CachePolicy = .useCache
    ) -> AnyPublisher<LoadEvent<Int>, LoadError> {
        AnySource<Int, LoadEvent<Int>> { _ in upstream.eraseToAnyPublisher() }
            .cached(in: cache, by: { [key] _ in key }, cost: { _ in 1 }, policy: { _ in policy })
            .events(for: 0)
    }

    @Test("Who wants nothing but what is in memory is told at once that it is not there")
    func notCached() {
        let (upstream, recorder) = (PassthroughSubject<LoadEvent<Int>, LoadError>(), Recorder())
        events(upstream, .cacheOnly).subscribe(recorder)
        guard case .failure(.notCached)? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(recorder.values.isEmpty && recorder.violations.isEmpty && !upstream.hasSubscribers)
    }

    @Test("Who leaves behind a value whose time is over ends the load that was begun behind it")
    func leaving() {
        cache.insert(1, forKey: key, cost: 1)
        let (upstream, recorder) = (PassthroughSubject<LoadEvent<Int>, LoadError>(), Recorder())
        events(upstream, .revalidate).subscribe(recorder)
        #expect(recorder.values.compactMap(\.value) == [1] && upstream.hasSubscribers)
        recorder.cancel()
        #expect(!upstream.hasSubscribers)
    }

    @Test("The time that a value has taken to come is no time for which it may be served")
    func onItsWay() {
        let times = [
            Provenance(.network, freshFor: .nanoseconds(1)), Provenance(.network, lifetime: .nanoseconds(1)),
            Provenance(.network, freshFor: .seconds(9), lifetime: .nanoseconds(1)),
            Provenance(.network, freshFor: .seconds(9_000), lifetime: .seconds(9_000)),
        ]
        let start = DispatchTime.now().uptimeNanoseconds
        while DispatchTime.now().uptimeNanoseconds <= start + 1 {}
        for (number, provenance) in times.enumerated() {
            let recorder = Recorder()
            events(Just(.final(number, provenance)).setFailureType(to: LoadError.self)).subscribe(recorder)
            #expect(recorder.values.compactMap(\.finalValue) == [number])
            #expect(cache.count == (number == 3 ? 1 : 0))
        }
    }

    /// Shows its subscription to another thread before it has it.
    private final class Handing: Subscriber {
        typealias Input = LoadEvent<Int>
        typealias Failure = LoadError

        private let subscription = Mutex<(any Subscription)?>(nil)
        let values = Counter()
        let ends = Counter()

        func receive(subscription: any Subscription) { self.subscription.withLock { $0 = subscription } }

        func receive(_ input: LoadEvent<Int>) -> Subscribers.Demand {
            values.add()
            return .none
        }

        func receive(completion: Subscribers.Completion<LoadError>) { ends.add() }

        func waitForSubscription() -> any Subscription {
            while true {
                for _ in 0..<1_000 {
                    if let subscription = subscription.withLock({ $0 }) { return subscription }
                }
                sched_yield()
            }
        }
    }

    @Test("A hit that another thread requests at any moment is delivered once, and not after it has cancelled")
    func requestedElsewhere() {
        cache.insert(1, forKey: key, cost: 1)
        let events = events(Empty())
        let subscribers = (0..<2_000).map { _ in Handing() }
        duel(
            subscribers.enumerated().map { number, subscriber in
                (
                    left: { events.subscribe(subscriber) },
                    right: {
                        let subscription = subscriber.waitForSubscription()
                        for _ in 0..<number % 40 { _ = subscriber.values.value }
                        if number % 3 == 2 { subscription.cancel() }
                        subscription.request(.max(1))
                    }
                )
            })
        for (number, subscriber) in subscribers.enumerated() {
            let isServed = number % 3 != 2
            #expect(subscriber.values.value == (isServed ? 1 : 0) && subscriber.ends.value == (isServed ? 1 : 0))
        }
    }
}
