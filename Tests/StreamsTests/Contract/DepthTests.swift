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

    @Test("1,000,000 requests, each told to onRequest by itself, and as many looks at a disposable")
    func requests() {
        let count = Counter()
        let subscriber = AnySubscriber<Int, Never>(
            receiveSubscription: { $0.request(.max(1)) },
            receiveValue: { _ in
                count.increment()
                return .max(1)
            }, receiveCompletion: { _ in count.increment() })
        AnyPublisher<Int, Never>.create { emitter in
            emitter.onRequest { _ in
                if count.count < 1_000_000 { emitter.send(1) } else { emitter.onComplete() }
            }
            return Disposable()
        }.subscribe(subscriber)
        #expect(count.count == 1_000_001)

        let disposable = Disposable { count.increment() }
        var looks = 0
        while looks < 1_000_000, !disposable.isDisposed { looks += 1 }
        disposable.dispose()
        #expect(count.count == 1_000_002)
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

    @Test("20,000 appends, each erased: subscribed to, walked through, cancelled and let go of")
    func appendChain() {
        var chain = Just(0).eraseToAnyPublisher()
        for value in 1..<20_000 { chain = chain.append(value).eraseToAnyPublisher() }
        let subscriber = RecordingSubscriber<Int, Never>()
        chain.subscribe(subscriber)
        #expect(subscriber.values == Array(0..<20_000))
        #expect(subscriber.isFinished)
        let early = RecordingSubscriber<Int, Never>(initialDemand: .max(10))
        chain.subscribe(early)
        #expect(early.values == Array(0..<10))
        early.cancel()
        chain = Empty().eraseToAnyPublisher()
    }

    @Test("100,000 appends, each erased, are let go of without having been subscribed to")
    func longChain() {
        weak var held: ReleaseMarker?
        do {
            let marker = ReleaseMarker {}
            held = marker
            var chain = Just(0).map { value in withExtendedLifetime(marker) { value } }.eraseToAnyPublisher()
            for value in 1..<100_000 { chain = chain.append(value).eraseToAnyPublisher() }
            withExtendedLifetime(chain) {}
        }
        #expect(held == nil)
    }

    @Test("20,000 prepends, each erased, and as many on both sides of one another")
    func prependChain() {
        var chain = Just(0).eraseToAnyPublisher()
        for value in 1..<20_000 { chain = chain.prepend(value).eraseToAnyPublisher() }
        let subscriber = RecordingSubscriber<Int, Never>()
        chain.subscribe(subscriber)
        #expect(subscriber.values == (0..<20_000).reversed())
        #expect(subscriber.isFinished)

        var both = Just(0).eraseToAnyPublisher()
        for value in 1..<10_000 { both = AnyPublisher(both.append(value).prepend(-value)) }
        let wide = RecordingSubscriber<Int, Never>(initialDemand: .max(1), demandForValue: { _ in .max(1) })
        both.subscribe(wide)
        #expect(wide.values == Array(-9_999..<10_000))
        #expect(wide.isFinished && wide.violations.isEmpty)
    }

    @Test("A failure in a chain of appends ends it; a subject in it gets the demand that is left")
    func chainOfSubjects() {
        let (first, second) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
        let chain = first.eraseToAnyPublisher().append(7).eraseToAnyPublisher().append(second).eraseToAnyPublisher()
            .append(8).eraseToAnyPublisher()
        let subscriber = RecordingSubscriber<Int, TestError>(initialDemand: .max(3))
        chain.subscribe(subscriber)
        first.send(1)
        first.send(completion: .finished)
        second.send(2)
        second.send(3)
        #expect(subscriber.values == [1, 7, 2])
        second.send(completion: .failure(.expected))
        #expect(subscriber.values == [1, 7, 2])
        #expect(subscriber.end == .failed(.expected))
        #expect(subscriber.violations.isEmpty)
    }
}
