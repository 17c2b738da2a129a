import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Retried loads")
struct RetryingSourceTests {
    /// Loads that fail one after the other as they are told, and then succeed.
    private final class Loads: Source {
        private let failures: Mutex<[LoadError]>
        private let times = Mutex<[Duration]>([])
        private let time: VirtualTimeScheduler

        init(_ failures: [LoadError], _ time: VirtualTimeScheduler) {
            self.failures = Mutex(failures)
            self.time = time
        }

        /// When each attempt began.
        var attempts: [Duration] { times.withLock { $0 } }

        func events(for request: String) -> AnyPublisher<DataEvent, LoadError> {
            Deferred { [self] () -> AnyPublisher<DataEvent, LoadError> in
                times.withLock { $0.append(.nanoseconds(time.now.nanoseconds)) }
                guard let error = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    return Just(.chunk([1])).setFailureType(to: LoadError.self).eraseToAnyPublisher()
                }
                return Fail(error: error).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    private let time = VirtualTimeScheduler()

    private func run(_ failures: [LoadError], _ policy: RetryPolicy) -> (
        attempts: [Duration], recorder: RecordingSubscriber<DataEvent, LoadError>
    ) {
        let loads = Loads(failures, time)
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        loads.retrying(policy, on: time).events(for: "a").subscribe(recorder)
        time.run()
        return (loads.attempts, recorder)
    }

    private let broken = LoadError.transport(.connectionLost("reset"))

    @Test("Three times every five seconds, and the last failure is the load's")
    func interval() {
        let (attempts, recorder) = run(Array(repeating: broken, count: 9), .every(.seconds(5), times: 3))
        #expect(attempts == [.zero, .seconds(5), .seconds(10), .seconds(15)])
        if case .failure(.transport(.connectionLost))? = recorder.completion {} else { Issue.record("no failure") }
    }

    @Test("Times below a millisecond are kept, between attempts and in all")
    func shortTimes() {
        let failures = Array(repeating: broken, count: 9)
        let (attempts, _) = run(failures, .every(.microseconds(300), times: 9, total: .microseconds(700)))
        #expect(attempts == [.zero, .microseconds(300), .microseconds(600)])
    }

    @Test("Without further attempts there is one, and so with fewer than none", arguments: [0, -1, -100, 1])
    func never(times: Int) {
        let policy = RetryPolicy.every(.seconds(5), times: times)
        #expect(policy.retries == max(0, times))
        #expect(run([broken, broken, broken], policy).attempts.count == max(0, times) + 1)
    }

    @Test("Each wait is longer than the last one, by chance up to half shorter, and the load succeeds in the end")
    func exponential() {
        let (attempts, recorder) = run(
            [broken, broken, broken], .exponential(maxRetries: 3, first: .seconds(2), maximum: .seconds(60)))
        #expect(recorder.isFinished)
        let waits = zip(attempts.dropFirst(), attempts).map { $0 - $1 }
        #expect(waits.count == 3)
        for (wait, most) in zip(waits, [2, 4, 8]) { #expect(wait >= .seconds(most) / 2 && wait <= .seconds(most)) }
    }

    @Test("A server that says when to come back is believed, as far as the total time goes")
    func retryAfter() {
        let busy = LoadError.busy(503, retryAfter: .seconds(30))
        #expect(run([busy], .every(.seconds(1), times: 3)).attempts == [.zero, .seconds(30)])
    }

    @Test("Beyond the total time no further attempt begins")
    func total() {
        let (attempts, _) = run(Array(repeating: broken, count: 9), .every(.seconds(5), times: 9, total: .seconds(12)))
        #expect(attempts == [.zero, .seconds(5), .seconds(10)])
        // The last moment is within it.
        let upTo = RetryingSourceTests().run(
            Array(repeating: broken, count: 9), .every(.seconds(5), times: 9, total: .seconds(10)))
        #expect(upTo.attempts == [.zero, .seconds(5), .seconds(10)])
        #expect(
            RetryingSourceTests().run(
                [.busy(503, retryAfter: .seconds(13))], .every(.seconds(1), times: 3, total: .seconds(12))
            )
            .attempts.count == 1)
    }

    @Test(
        "A request, a certificate or an image that is wrong is not tried again",
        arguments: [
            LoadError.status(404), .status(401), .transport(.certificate(.expired, reason: "")), .unsupported(""),
            .transport(.invalidRequest("")), .transport(.refusedAddress(host: "", address: "")),
            .transport(.bodyTooLarge(limit: 1)), .decode(.unknownFormat), .notAnImage(contentType: nil, beginning: ""),
        ])
    func final(error: LoadError) {
        #expect(run([error], .every(.seconds(1), times: 3)).attempts.count == 1)
    }

    @Test("A bad moment of the network or the server is worth another attempt, and no other answer is")
    func worthRetrying() {
        let statuses = (100...599).filter { LoadError.status($0).isWorthRetrying }
        #expect(statuses == [408, 425, 429, 500, 502, 503, 504])
        #expect(LoadError.busy(404, retryAfter: .zero).isWorthRetrying)
        let moments: [TransportError] = [
            .nameNotFound(host: "", reason: ""), .couldNotConnect(""), .timedOut(.lookup), .timedOut(.connect),
            .timedOut(.stall), .timedOut(.total), .connectionLost(""), .truncated(received: 1),
        ]
        #expect(moments.allSatisfy { LoadError.transport($0).isWorthRetrying })
        let lasting: [LoadError] = [
            .notCached, .cancelled, .timedOut(.seconds(1)), .preparation(reason: ""), .file(path: "", reason: ""),
            .fileChanged(path: ""), .stream(reason: ""), .cache(reason: ""), .value(reason: ""),
            .transport(.protocolViolation("")), .transport(.invalidURL("", reason: "")),
        ]
        #expect(!lasting.contains { $0.isWorthRetrying })
    }

    @Test("A load that has failed goes on when a publisher says so, and ends with its failure when that ends")
    func trigger() {
        let loads = Loads([broken, broken, .status(404)], time)
        let network = PassthroughSubject<Bool, Never>()
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        let source = loads.retrying(whenever: network)
        source.events(for: "a").subscribe(recorder)
        #expect(loads.attempts.count == 1)
        network.send(true)
        #expect(loads.attempts.count == 2)
        network.send(true)
        #expect(loads.attempts.count == 3)
        if case .failure(.status(404))? = recorder.completion {} else { Issue.record("no failure") }

        let waiting = RecordingSubscriber<DataEvent, LoadError>()
        Loads([broken], time).retrying(whenever: network).events(for: "a").subscribe(waiting)
        network.send(completion: .finished)
        if case .failure(.transport(.connectionLost))? = waiting.completion {} else { Issue.record("no failure") }
    }

    @Test("Cancelled while it waits it makes no further attempt")
    func cancelled() {
        let loads = Loads([broken, broken], time)
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        loads.retrying(.every(.seconds(5), times: 3), on: time).events(for: "a").subscribe(recorder)
        time.advance(by: .seconds(6))
        recorder.cancel()
        time.run()
        #expect(loads.attempts.count == 2)
    }
}
