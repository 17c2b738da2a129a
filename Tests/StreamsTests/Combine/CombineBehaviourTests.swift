import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Behaviour that code written for Combine counts on")
struct CombineBehaviourTests {
    private typealias Recorder = RecordingSubscriber<Int, Never>

    @Test("A multicast publisher that is connected again serves those who are still subscribed")
    func reconnects() {
        let published = [1, 2].publisher.append(Empty(completeImmediately: false)).multicast {
            PassthroughSubject<Int, Never>()
        }
        let recorder = Recorder()
        published.subscribe(recorder)
        published.connect().cancel()
        #expect(recorder.values == [1, 2])
        published.connect().cancel()
        #expect(recorder.values == [1, 2, 1, 2])
    }

    @Test("A connection that is let go of is disconnected, and the next one is not taken down with it")
    func droppedConnection() {
        let cancels = Counter()
        let subject = PassthroughSubject<Int, Never>()
        let published = subject.handleEvents(receiveCancel: { cancels.increment() }).makeConnectable()
        let recorder = Recorder()
        published.subscribe(recorder)
        var connection: (any Cancellable)? = published.connect()
        subject.send(1)
        withExtendedLifetime(connection) {}
        connection = nil
        #expect(cancels.count == 1)
        subject.send(2)
        let next = published.connect()
        connection?.cancel()
        subject.send(3)
        next.cancel()
        #expect(recorder.values == [1, 3])
    }

    @Test("A current value that is set after the completion is kept, and one that is sent then is not")
    func valueAfterCompletion() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let recorder = Recorder()
        subject.subscribe(recorder)
        subject.send(completion: .finished)
        subject.send(2)
        #expect(subject.value == 1)
        subject.value = 3
        #expect(subject.value == 3)
        #expect(recorder.values == [1])
    }

    @Test("throttle delivers the value that waits before a failure")
    func throttleFailure() {
        let scheduler = VirtualTimeScheduler()
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = RecordingSubscriber<Int, TestError>()
        subject.throttle(for: .seconds(5), scheduler: scheduler, latest: true).subscribe(recorder)
        subject.send(1)
        scheduler.run()
        subject.send(2)
        subject.send(3)
        subject.send(completion: .failure(.expected))
        scheduler.run()
        #expect(recorder.values == [1, 3])
        #expect(recorder.end == .failed(.expected))
    }

    @Test("switchToLatest requests nothing of an inner publisher without demand, and passes demand on as it is")
    func switchToLatestDemand() {
        let requests = Recorded<[Subscribers.Demand]>([])
        let outer = PassthroughSubject<Int, Never>()
        let inner = PassthroughSubject<Int, Never>()
        let recorder = Recorder(initialDemand: .none)
        outer.map { _ in inner.handleEvents(receiveRequest: { demand in requests.update { $0.append(demand) } }) }
            .switchToLatest().subscribe(recorder)
        outer.send(1)
        #expect(requests.value == [])
        recorder.request(.max(3))
        #expect(requests.value == [.max(3)])
        inner.send(7)
        // The rest of it.
        outer.send(2)
        #expect(requests.value == [.max(3), .max(2)])
        inner.send(8)
        inner.send(9)
        inner.send(10)
        #expect(recorder.values == [7, 8, 9])
        recorder.request(.unlimited)
        #expect(requests.value == [.max(3), .max(2), .unlimited])
    }

    @Test("switchToLatest requests what is returned for a value of the inner publisher that is the newest then")
    func switchToLatestReturnedDemand() {
        struct OneMore: Subscriber {
            let values: Recorded<[Int]>
            let onValue: @Sendable (Int) -> Void
            func receive(subscription: any Subscription) { subscription.request(.max(1)) }
            func receive(_ input: Int) -> Subscribers.Demand {
                values.update { $0.append(input) }
                onValue(input)
                return .max(1)
            }
            func receive(completion: Subscribers.Completion<Never>) {}
        }
        let values = Recorded<[Int]>([])
        let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
        let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        outer.switchToLatest().receive(
            subscriber: OneMore(values: values) { if $0 == 2 { outer.send(second) } })
        outer.send(first)
        first.send(1)
        first.send(2)
        first.send(3)
        second.send(4)
        second.send(5)
        #expect(values.value == [1, 2, 4, 5])
    }

    @Test("assign(to: &$property) requests once")
    func assignRequestsOnce() {
        struct Model { @Published var number = 0 }
        let requests = Recorded<[Subscribers.Demand]>([])
        let subject = PassthroughSubject<Int, Never>()
        var model = Model()
        subject.handleEvents(receiveRequest: { demand in requests.update { $0.append(demand) } }).assign(
            to: &model.$number)
        subject.send(4)
        #expect(requests.value == [.unlimited])
        #expect(model.number == 4)
    }

    @Test("A published property that is set to another one's publisher has its value, and is not that property")
    func projectedValueReplaces() {
        struct Model {
            @Published var first = 1
            @Published var second = 2
        }
        var model = Model()
        model.$first = model.$second
        #expect(model.first == 2)
        model.first = 5
        #expect(model.second == 2)
    }

    @Test("No element is at an index of less than zero")
    func negativeIndex() {
        let recorder = Recorder()
        [1, 2].publisher.output(at: -1).subscribe(recorder)
        #expect(recorder.values == [] && recorder.isFinished)
    }

    @Test("A lazy sequence's closures are called as its elements are requested, and no earlier")
    @available(*, deprecated, message: "as what is tested here")
    func lazySequences() {
        let made = Counter()
        let doubled = (1...).lazy.map { number -> Int in
            made.increment()
            return number * 2
        }.publisher
        #expect(made.count == 0)
        let recorder = Recorder()
        doubled.prefix(2).subscribe(recorder)
        #expect(recorder.values == [2, 4] && recorder.isFinished)
        #expect(made.count <= 3)
        let odd = Recorder()
        (1...).lazy.filter { $0 % 2 == 1 }.compactMap { $0 > 3 ? $0 : nil }.publisher.first().subscribe(odd)
        #expect(odd.values == [5])
        let bare = Recorder()
        (1...).lazy.publisher.first().subscribe(bare)
        #expect(bare.values == [1])
    }

    @Test("A future that cannot fail is awaited without try, however the waiting task fares")
    func futureValue() async {
        let promise = Recorded<Future<Int, Never>.Promise?>(nil)
        let future = Future<Int, Never> { made in promise.set(made) }
        let waiting = Task { await future.value }
        waiting.cancel()
        promise.value?(.success(4))
        #expect(await waiting.value == 4)
        #expect(await future.value == 4)
    }

    @Test("flatMapLatest awaits a result for the newest value, and cancels the task before")
    func flatMapLatestAwaits() async throws {
        let query = CurrentValueSubject<Int, Never>(1)
        let (first, started) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let wasCancelled = Recorded(false)
        let results = query.flatMapLatest { value -> Int in
            guard value == 1 else { return 10 * value }
            started.continuation.yield()
            await withTaskCancellationHandler {
                for await _ in first.stream {}
            } onCancel: {
                wasCancelled.set(true)
                first.continuation.finish()
            }
            return 10
        }
        let found = Task { try await results.firstValue }
        for await _ in started.stream { break }
        query.send(2)
        #expect(try await found.value == 20)
        #expect(wasCancelled.value)
    }

    @Test("flatMap with a limit awaits a result for each value; what is thrown fails the stream")
    func flatMapAwaits() async throws {
        let doubled = try await (1...9).publisher.flatMap(maxPublishers: .max(3)) { value in
            await Task.yield()
            return 2 * value
        }.collected
        #expect(doubled.sorted() == (1...9).map { 2 * $0 })
        await #expect(throws: TestError.expected) {
            _ = try await (1...9).publisher.flatMap(maxPublishers: .max(1)) { value in
                await Task.yield()
                if value == 4 { throw TestError.expected }
                return value
            }.collected
        }
    }

    @Test("flatMapLatest takes publishers whose failures differ from the upstream's")
    func flatMapLatestMixed() {
        let recorder = RecordingSubscriber<Int, TestError>()
        Just(1).setFailureType(to: TestError.self).flatMapLatest { Just($0 + 1) }.subscribe(recorder)
        #expect(recorder.values == [2] && recorder.isFinished)
        let failing = RecordingSubscriber<Int, TestError>()
        Just(1).flatMapLatest { _ in Fail<Int, TestError>(error: .expected) }.subscribe(failing)
        #expect(failing.end == .failed(.expected))
    }

    @Test("sink(on:) of an actor runs its closures there, in order, and does not keep it alive")
    func sinkOnActor() async {
        actor Ledger {
            var entries: [Int] = []
            func add(_ entry: Int) { entries.append(entry) }
        }
        let ledger = Ledger()
        let (stream, ended) = AsyncStream<Void>.makeStream()
        let sink = (0..<10_000).publisher.subscribe(on: DispatchQueue.global()).sink(
            on: ledger, receiveCompletion: { _, _ in ended.finish() },
            receiveValue: { ledger, value in ledger.add(value) })
        for await _ in stream {}
        sink.cancel()
        #expect(await ledger.entries == Array(0..<10_000))

        let subject = PassthroughSubject<Int, Never>()
        var shortLived: Ledger? = Ledger()
        weak let seen = shortLived
        let kept = shortLived.map { subject.sink(on: $0) { ledger, value in ledger.add(value) } }
        shortLived = nil
        #expect(seen == nil)
        subject.send(1)
        kept?.cancel()
    }
}
