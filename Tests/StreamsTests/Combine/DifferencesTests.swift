import Streams
import StreamsTesting
import Testing

@Suite("What differs from Combine, as the article Differences lists it")
struct DifferencesTests {
    private typealias Recorder = RecordingSubscriber<Int, Never>
    private let scheduler = VirtualTimeScheduler()

    @Test("What is requested inside the subscription signal is delivered when that has returned")
    func requestInsideSubscription() {
        for publisher in [
            Just(1).eraseToAnyPublisher(), [1].publisher.eraseToAnyPublisher(),
            CurrentValueSubject<Int, Never>(1).eraseToAnyPublisher(),
        ] {
            let order = Recorded<[String]>([])
            publisher.subscribe(
                AnySubscriber(
                    receiveSubscription: { subscription in
                        subscription.request(.max(1))
                        order.update { $0.append("requested") }
                    },
                    receiveValue: { value in
                        order.update { $0.append("\(value)") }
                        return .none
                    }))
            #expect(order.value == ["requested", "1"])
        }
    }

    @Test("Connecting a connected publisher gives the connection that there is")
    func connectedTwice() {
        let subscriptions = Counter()
        let subject = PassthroughSubject<Int, Never>()
        let published = subject.handleEvents(receiveSubscription: { _ in subscriptions.increment() }).multicast {
            PassthroughSubject()
        }
        let recorder = Recorder()
        published.subscribe(recorder)
        let connections = (published.connect(), published.connect())
        subject.send(1)
        #expect(subscriptions.count == 1)
        #expect(recorder.values == [1])
        connections.0.cancel()
        connections.1.cancel()
    }

    @Test("debounce without demand keeps the newest value")
    func debounceWithoutDemand() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder(initialDemand: .none)
        subject.debounce(for: .seconds(1), scheduler: scheduler).subscribe(recorder)
        for value in [1, 2] {
            subject.send(value)
            scheduler.advance(by: .seconds(2))
        }
        recorder.request(.max(2))
        scheduler.advance(by: .seconds(2))
        #expect(recorder.values == [2])
        recorder.cancel()
    }

    @Test("throttle delivers the value that waits at the finish")
    func throttleAtFinish() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder()
        subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).subscribe(recorder)
        scheduler.advance(by: .seconds(2))
        for value in 1...3 {
            subject.send(value)
            scheduler.advance(by: .milliseconds(1))
        }
        subject.send(completion: .finished)
        scheduler.advance(by: .seconds(2))
        #expect(recorder.values == [1, 3])
        #expect(recorder.isFinished)
    }

    @Test("buffer delivers what it holds before the upstream's failure")
    func bufferBeforeFailure() {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = RecordingSubscriber<Int, TestError>(initialDemand: .none)
        subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(recorder)
        subject.send(1)
        subject.send(2)
        subject.send(completion: .failure(.expected))
        #expect(recorder.completion == nil)
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .failure(.expected))
    }

    @Test("drop(untilOutputFrom:) asks for one more for each value that it drops")
    func dropReplenishes() {
        let ready = PassthroughSubject<Void, Never>()
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder(initialDemand: .max(1))
        subject.drop(untilOutputFrom: ready).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        ready.send(())
        subject.send(4)
        #expect(recorder.values == [4])
        recorder.cancel()
    }

    @Test("A fold of nothing that has no value finishes without demand")
    func foldOfNothing() {
        for fold in [
            Empty<Int, Never>().max().eraseToAnyPublisher(), Empty<Int, Never>().last().eraseToAnyPublisher(),
            Empty<Int, Never>().first { $0 > 2 }.eraseToAnyPublisher(),
        ] {
            let recorder = Recorder(initialDemand: .none)
            fold.subscribe(recorder)
            #expect(recorder.values.isEmpty)
            #expect(recorder.isFinished)
        }
    }

    @Test("collect(_ count:) keeps the last array until it is requested")
    func collectWithoutDemand() {
        let recorder = RecordingSubscriber<[Int], Never>(initialDemand: .max(1))
        let subject = PassthroughSubject<Int, Never>()
        subject.collect(2).subscribe(recorder)
        subject.send(1)
        subject.send(completion: .finished)
        #expect(recorder.values == [[1]])
        let late = RecordingSubscriber<[Int], Never>(initialDemand: .max(1))
        [1, 2, 3].publisher.map { $0 }.collect(2).subscribe(late)
        #expect(late.values == [[1, 2]])
        #expect(late.completion == nil)
        late.request(.max(1))
        #expect(late.values == [[1, 2], [3]])
        #expect(late.isFinished)
    }

    @Test("objectWillChange keeps to its subscribers' demand")
    func objectsDemand() {
        let publisher = ObservableObjectPublisher()
        let recorder = RecordingSubscriber<Void, Never>(initialDemand: .max(2))
        publisher.subscribe(recorder)
        for _ in 0..<4 { publisher.send() }
        #expect(recorder.values.count == 2)
    }
}
