import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Limited loads")
struct LimitedSourceTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    /// Loads that are under way until the test ends them.
    private final class Loads: Source {
        private let state = Mutex<[(url: String, emitter: Emitter<DataEvent, LoadError>)]>([])
        private let counts = Mutex((started: [String](), cancelled: [String]()))

        var started: [String] { counts.withLock { $0.started } }
        var cancelled: [String] { counts.withLock { $0.cancelled } }
        var underWay: [String] { state.withLock { $0.map(\.url) } }

        func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
            guard case .url(let url) = request.resource else { return Empty().eraseToAnyPublisher() }
            return AnyPublisher.create { [self] emitter in
                counts.withLock { $0.started.append(url) }
                state.withLock { $0.append((url, emitter)) }
                return Disposable { [self] in
                    let wasUnderWay = state.withLock { state in
                        let index = state.firstIndex { $0.url == url }
                        return index.map { state.remove(at: $0) } != nil
                    }
                    if wasUnderWay { counts.withLock { $0.cancelled.append(url) } }
                }
            }
        }

        func end(_ url: String) {
            let load = state.withLock { state in
                state.firstIndex { $0.url == url }.map { state.remove(at: $0) }
            }
            load?.emitter.onComplete()
        }
    }

    private let loads = Loads()

    private func url(_ host: String, _ number: Int) -> String { "http://\(host)/\(number)" }

    @discardableResult
    private func start(
        _ url: String, _ source: some Source<ImageRequest, DataEvent>, priority: LoadPriority = .normal
    ) -> Recorder {
        var request = ImageRequest(url)
        request.priority = priority
        let recorder = Recorder()
        source.events(for: request).subscribe(recorder)
        return recorder
    }

    @Test("A path that begins with a combining mark is its host's as any other")
    func marks() {
        let source = loads.limited(to: 3, perHost: 1)
        let recorders = [1, 2].map { start("http://a.example/\u{301}\($0)", source) }
        #expect(loads.started.count == 1)
        recorders.forEach { $0.cancel() }
    }

    @Test("An origin is one however its URLs are written, and another scheme or port is another origin")
    func spellings() {
        for (scheme, port) in [("http", 80), ("https", 443)] {
            let loads = Loads()
            let source = loads.limited(to: 9, perHost: 1)
            let same = [
                "\(scheme)://h/0", "\(scheme)://h:\(port)/1", "\(scheme):/h/2", "\(scheme.uppercased())://H/3",
                "\(scheme)://me:secret@h/4", "\(scheme)://h?5", " \(scheme)://h/6", "\(scheme)://h:0\(port)/7",
            ]
            let others = ["\(scheme)://h:8080/0", "\(scheme)://h.example/0"]
            let recorders = (same + others).map { start($0, source) }
            #expect(loads.started == [same[0]] + others)
            recorders.forEach { $0.cancel() }
        }
    }

    @Test("A URL of a scheme that is not loaded by HTTP belongs to its authority all the same")
    func ownSchemes() {
        let source = loads.limited(to: 9, perHost: 1)
        for text in ["box://a/1", "BOX://A/2", "box://b/1"] { start(text, source) }
        #expect(loads.started == ["box://a/1", "box://b/1"])
    }

    @Test("A host has so many loads under way at once, all hosts so many, and a full host holds no other up")
    func limits() {
        let source = loads.limited(to: 3, perHost: 2)
        for number in 0..<4 { start(url("a", number), source) }
        for number in 0..<2 { start(url("B:80", number), source) }
        #expect(loads.underWay == [url("a", 0), url("a", 1), url("B:80", 0)])
        loads.end(url("a", 1))
        #expect(loads.started.last == url("a", 2))
        loads.end(url("B:80", 0))
        #expect(loads.started.last == url("B:80", 1))
        loads.end(url("a", 0))
        #expect(loads.underWay == [url("a", 2), url("B:80", 1), url("a", 3)])
    }

    @Test("Higher priorities go first, and one that changes while its load waits counts at once")
    func priorities() {
        let source = loads.limited(to: 1)
        let live = LivePriority(.low)
        start(url("a", 0), source)
        start(url("a", 1), source, priority: .live(live))
        start(url("a", 2), source, priority: .low)
        start(url("a", 3), source)
        start(url("a", 4), source, priority: .high)
        for number in [0, 4] { loads.end(url("a", number)) }
        live.level = .high
        for number in [3, 1, 2] { loads.end(url("a", number)) }
        #expect(loads.started == [0, 4, 3, 1, 2].map { url("a", $0) })
    }

    @Test("Cancelled while it waits a load is never begun; cancelled later its place goes to the next")
    func cancelled() {
        let source = loads.limited(to: 1)
        let subscribers = (0..<3).map { start(url("a", $0), source) }
        subscribers[1].cancel()
        #expect(loads.started.count == 1)
        subscribers[0].cancel()
        #expect(loads.cancelled == [url("a", 0)])
        #expect(loads.started == [url("a", 0), url("a", 2)])
    }

    @Test("Any number of loads that end at once take the same stack, and all end")
    func stack() {
        let gate = AdmissionGate<String>(limit: 1)
        let first = PassthroughSubject<Int, Never>()
        let ended = Atomic(0)
        var subscriptions: [AnyCancellable] = []
        gate.admitting { first.eraseToAnyPublisher() }.sink { _ in }.store(in: &subscriptions)
        for number in 0..<20_000 {
            gate.admitting { Just(number).eraseToAnyPublisher() }
                .sink(receiveCompletion: { _ in ended.add(1, ordering: .relaxed) }, receiveValue: { _ in })
                .store(in: &subscriptions)
        }
        #expect(gate.waitingCount == 20_000)
        first.send(completion: .finished)
        #expect(ended.load(ordering: .relaxed) == 20_000)
        #expect(gate.admittedCount == 0)
    }

    @Test("Demand reaches the upstream as it is, also what was requested while the load waited")
    func demand() {
        let requested = Mutex<[Subscribers.Demand]>([])
        let gate = AdmissionGate<String>(limit: 1)
        let first = PassthroughSubject<Int, Never>()
        let holder = gate.admitting { first.eraseToAnyPublisher() }.sink { _ in }
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
        gate.admitting {
            (0..<10).publisher.handleEvents(receiveRequest: { demand in requested.withLock { $0.append(demand) } })
                .eraseToAnyPublisher()
        }.subscribe(subscriber)
        subscriber.request(.max(1))
        holder.cancel()
        #expect(subscriber.values == [0, 1, 2])
        subscriber.request(.max(4))
        #expect(subscriber.values == Array(0..<7))
        #expect(requested.withLock { $0 } == [.max(3), .max(4)])
        #expect(subscriber.violations.isEmpty)
    }
}
