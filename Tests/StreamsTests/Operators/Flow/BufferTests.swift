import Streams
import StreamsTesting
import Testing

@Suite("buffer")
struct BufferTests {
    private typealias Subject = PassthroughSubject<Int, TestError>

    private func recorder(_ initialDemand: Subscribers.Demand) -> RecordingSubscriber<Int, TestError> {
        RecordingSubscriber(initialDemand: initialDemand)
    }

    @Test("What nobody has requested is kept and delivered on request, the completion behind it")
    func keeps() {
        let subject = Subject()
        let subscriber = recorder(.none)
        subject.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: .finished)
        #expect(subscriber.values == [])
        subscriber.request(.max(2))
        #expect(subscriber.values == [1, 2])
        #expect(subscriber.completion == nil)
        subscriber.request(.max(1))
        #expect(subscriber.values == [1, 2, 3])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A buffer of any size that is kept full is filled anew for each value that leaves it", arguments: 0...3)
    func keptFull(size: Int) {
        for demand in [Subscribers.Demand.unlimited, .max(1)] {
            let subscriber = RecordingSubscriber<Int, Never>(
                initialDemand: demand, demandForValue: { _ in demand == .unlimited ? .none : .max(1) })
            (0..<9).publisher.buffer(size: size, prefetch: .keepFull, whenFull: .dropNewest).subscribe(subscriber)
            #expect(subscriber.values == Array(0..<9) && subscriber.isFinished)
        }
    }

    @Test("A full buffer drops the newest or the oldest, as it was told")
    func drops() {
        for (strategy, expected) in [
            (Publishers.BufferingStrategy<TestError>.dropNewest, [1, 2]), (.dropOldest, [4, 5]),
        ] {
            let subject = Subject()
            let subscriber = recorder(.none)
            subject.buffer(size: 2, prefetch: .byRequest, whenFull: strategy).subscribe(subscriber)
            for value in 1...5 { subject.send(value) }
            subscriber.request(.unlimited)
            #expect(subscriber.values == expected)
        }
    }

    @Test("The failure of an overflow surfaces at once, without a request (FIELD: buffer overflow error)")
    func overflow() {
        let subject = Subject()
        let subscriber = recorder(.none)
        subject.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { .overflow }).subscribe(subscriber)
        for value in 1...3 { subject.send(value) }
        #expect(subscriber.values == [])
        guard case .failure(.overflow) = subscriber.completion else {
            Issue.record("The failure was withheld: \(String(describing: subscriber.completion))")
            return
        }
    }

    @Test("What is requested inside a value makes room for what is sent there")
    func roomInside() {
        let strategies: [Publishers.BufferingStrategy<TestError>] = [
            .dropNewest, .dropOldest, .customError { .overflow },
        ]
        for strategy in strategies {
            let subject = Subject()
            let subscriber = RecordingSubscriber<Int, TestError>(
                initialDemand: .none,
                onValue: { subscriber, value in
                    guard value == 1 else { return }
                    subject.send(3)
                    subscriber.request(.max(1))
                    subject.send(4)
                })
            subject.buffer(size: 2, prefetch: .byRequest, whenFull: strategy).subscribe(subscriber)
            for value in 1...2 { subject.send(value) }
            subscriber.request(.max(1))
            #expect(subscriber.values == [1, 2])
            subscriber.request(.unlimited)
            #expect(subscriber.values == [1, 2, 3, 4])
            #expect(subscriber.completion == nil && subscriber.violations.isEmpty)
        }
    }

    @Test("keepFull prefetches its size and replenishes what was delivered")
    func keepFull() {
        let requests = Requests()
        let subscriber = recorder(.none)
        (1...100).publisher.setFailureType(to: TestError.self)
            .handleEvents(receiveRequest: { requests.note($0) })
            .buffer(size: 4, prefetch: .keepFull, whenFull: .customError { .overflow })
            .subscribe(subscriber)
        #expect(requests.total == .max(4))
        subscriber.request(.max(3))
        #expect(subscriber.values == [1, 2, 3])
        #expect(requests.total == .max(7))
        subscriber.request(.unlimited)
        #expect(subscriber.values == Array(1...100))
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("keepFull of a buffer that keeps nothing asks for what is requested, whenever that is")
    func keepFullWithoutRoom() {
        let strategies: [Publishers.BufferingStrategy<TestError>] = [
            .dropNewest, .dropOldest, .customError { .overflow },
        ]
        for strategy in strategies {
            let requests = Requests()
            let subscriber = RecordingSubscriber<Int, TestError>(
                initialDemand: .none, demandForValue: { $0 == 2 ? .max(1) : .none })
            (1...10).publisher.setFailureType(to: TestError.self)
                .handleEvents(receiveRequest: { requests.note($0) })
                .buffer(size: 0, prefetch: .keepFull, whenFull: strategy).subscribe(subscriber)
            #expect(requests.total == .none)
            subscriber.request(.max(2))
            #expect(subscriber.values == [1, 2, 3])
            #expect(requests.total == .max(3))
            subscriber.request(.unlimited)
            #expect(subscriber.values == Array(1...10))
            #expect(subscriber.isFinished)
        }
    }

    @Test("byRequest asks for everything")
    func byRequest() {
        let requests = Requests()
        let subscriber = recorder(.none)
        Empty<Int, TestError>(completeImmediately: false).handleEvents(receiveRequest: { requests.note($0) })
            .buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
        #expect(requests.total == .unlimited)
    }

    @Test("A cancel reaches the upstream, and nothing follows; cancelled in the first value too")
    func cancel() {
        let cancels = Counter()
        let subject = Subject()
        let subscriber = RecordingSubscriber<Int, TestError>(onValue: { subscriber, _ in subscriber.cancelInSignal() })
        subject.handleEvents(receiveCancel: { cancels.increment() })
            .buffer(size: 4, prefetch: .keepFull, whenFull: .dropOldest).subscribe(subscriber)
        subject.send(1)
        subject.send(2)
        #expect(subscriber.values == [1])
        #expect(cancels.count == 1)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A cancel inside a value reaches an upstream that delivers while it is subscribed to")
    func cancelSynchronous() {
        let makers: [@Sendable (AnyPublisher<Int, Never>) -> any Publisher<Int, Never>] = [
            { $0.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest) },
            { $0.onBackpressureLatest() },
            { $0.collect(2).map(\.count) },
            { $0.interspersed(with: 0) },
            { $0.concatMap { Just($0) } },
            { $0.groupBy { $0 }.map(\.key) },
            { $0.window(by: Empty<Int, Never>(completeImmediately: false)).map { _ in 1 } },
        ]
        for make in makers {
            let delivered = Counter()
            let source = (1...100_000).publisher.handleEvents(receiveOutput: { _ in delivered.increment() })
            let subscriber = RecordingSubscriber<Int, Never>(onValue: { subscriber, _ in subscriber.cancelInSignal() })
            subscribe(make(source.eraseToAnyPublisher()), subscriber)
            #expect(subscriber.values.count == 1)
            #expect(delivered.count < 10)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("Two threads send while a third requests: nothing is lost, nothing beyond the demand")
    func raced() {
        for _ in 0..<raceCount {
            let subject = Subject()
            let subscriber = recorder(.none)
            subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
            race(
                { for value in 0..<20 { subject.send(value) } },
                { for value in 20..<40 { subject.send(value) } },
                { for _ in 0..<40 { subscriber.request(.max(1)) } })
            subject.send(completion: .finished)
            #expect(subscriber.values.sorted() == Array(0..<40))
            #expect(subscriber.isFinished)
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test("The three short forms drop, keep the newest, or keep everything")
    func onBackpressure() {
        func delivered(_ make: (Subject) -> some Publisher<Int, TestError>) -> [Int] {
            let subject = Subject()
            let subscriber = recorder(.max(1))
            make(subject).subscribe(subscriber)
            for value in 1...4 { subject.send(value) }
            subscriber.request(.unlimited)
            subject.send(5)
            return subscriber.values
        }
        #expect(delivered { $0.onBackpressureDrop() } == [1, 5])
        #expect(delivered { $0.onBackpressureLatest() } == [1, 4, 5])
        #expect(delivered { $0.onBackpressureBuffer(2) } == [1, 3, 4, 5])
        #expect(delivered { $0.onBackpressureBuffer() } == [1, 2, 3, 4, 5])
    }
}

/// What was requested of an upstream, in all.
private final class Requests: Sendable {
    private let sum = Recorded(Subscribers.Demand.none)
    var total: Subscribers.Demand { sum.value }
    func note(_ demand: Subscribers.Demand) { sum.update { $0 += demand } }
}
