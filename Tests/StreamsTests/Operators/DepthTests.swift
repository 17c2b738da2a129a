import Streams
import StreamsTesting
import Testing

@Suite("Depth: what is long or nested takes no stack and no quadratic time")
struct DepthTests {
    @Test("200,000 synchronous retries")
    func retries() {
        let attempts = Counter()
        let subscriber = RecordingSubscriber<Int, TestError>()
        Deferred { () -> Fail<Int, TestError> in
            attempts.increment()
            return Fail(error: .expected)
        }.retry(200_000).subscribe(subscriber)
        #expect(attempts.count == 200_001)
        #expect(subscriber.end == .failed(.expected))
    }

    @Test("200,000 repetitions, each of them appended to the one before")
    func appends() {
        let count = Counter()
        let sink = Just(1).append(2).repeat(200_000).sink { _ in count.increment() }
        #expect(count.count == 400_000)
        sink.cancel()
    }

    @Test("1,000,000 elements, requested one by one")
    func oneByOne() {
        let count = Counter()
        let subscriber = AnySubscriber<Int, Never>(
            receiveSubscription: { $0.request(.max(1)) },
            receiveValue: { _ in
                count.increment()
                return .max(1)
            }, receiveCompletion: { _ in count.increment() })
        (0..<1_000_000).publisher.map { $0 + 1 }.subscribe(subscriber)
        #expect(count.count == 1_000_001)
    }

    @Test("100,000 inner publishers of flatMap, within a demand of one at a time too")
    func inners() {
        let count = Counter()
        let sink = (0..<100_000).publisher.flatMap { Just($0) }.sink { _ in count.increment() }
        #expect(count.count == 100_000)
        sink.cancel()
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1), demandForValue: { _ in .max(1) })
        (0..<100_000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(subscriber)
        #expect(subscriber.values.count == 100_000)
        #expect(subscriber.isFinished)
    }
}
