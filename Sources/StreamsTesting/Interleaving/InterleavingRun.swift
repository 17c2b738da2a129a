import Streams
import Synchronization

/// One run of an interleaving, and what was wrong with it.
struct InterleavingRun<Output: Equatable & Sendable>: Sendable {
    let plan: InterleavingPlan
    let trace: String
    let problem: String?

    init(_ property: InterleavingProperty<Output>, _ plan: InterleavingPlan, _ interleaver: Interleaver) {
        let log = InterleavingLog(inputs: property.inputs, property.queue ?? QueueModel())
        let upstreams = (0..<property.inputs).map { input in
            TestPublisher<Int>(
                plan.kind, onCallOut: { interleaver.pause() }, onSignal: { log.note($0, of: input) })
        }
        weak var held: RecordingSubscriber<Output, any Error>?
        var problem: String?
        do {
            let subscriber = Self.subscriber(plan, log, interleaver)
            held = subscriber
            log.request(plan.initial)
            property.make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(subscriber)
            interleaver.run(Self.lanes(plan, upstreams, subscriber, log))
            if !log.isCancelled { Self.request(.unlimited, of: subscriber, log) }
            problem = Self.problem(property, subscriber, log)
            subscriber.cancel()
        }
        if problem == nil, upstreams.contains(where: \.isOpen) { problem = "an upstream is still subscribed to" }
        if problem == nil, held != nil { problem = "the subscriber is still held after its cancel" }
        self.plan = plan
        trace = interleaver.trace
        self.problem = problem
    }

    private static func request(
        _ demand: Subscribers.Demand, of subscriber: RecordingSubscriber<Output, any Error>, _ log: InterleavingLog
    ) {
        log.request(demand)
        subscriber.request(demand)
    }

    private static func subscriber(
        _ plan: InterleavingPlan, _ log: InterleavingLog, _ interleaver: Interleaver
    ) -> RecordingSubscriber<Output, any Error> {
        RecordingSubscriber(
            initialDemand: plan.initial,
            demandForValue: { count in
                let more = Subscribers.Demand.max(plan.answer(to: count).returned)
                log.request(more)
                return more
            },
            onValue: { subscriber, _ in
                log.noteSignal()
                let more = plan.answer(to: subscriber.values.count).inside
                if more > 0 { request(.max(more), of: subscriber, log) }
                interleaver.pause()
            },
            onCompletion: {
                log.noteSignal()
                interleaver.pause()
            })
    }

    private static func lanes(
        _ plan: InterleavingPlan, _ upstreams: [TestPublisher<Int>],
        _ subscriber: RecordingSubscriber<Output, any Error>, _ log: InterleavingLog
    ) -> [Interleaver.Lane] {
        var lanes = upstreams.enumerated().map { input, upstream in
            var actions: [@Sendable () -> Void] = plan.values[input].map { value in { upstream.send(value) } }
            switch plan.ends[input] {
            case .none: break
            case .finished: actions.append { upstream.send(.finished) }
            case .failed: actions.append { upstream.send(.failure("\(input)")) }
            }
            return Interleaver.Lane("\(input)", actions)
        }
        lanes.append(.init("request", plan.requests.map { count in { request(.max(count), of: subscriber, log) } }))
        if plan.cancels {
            lanes.append(
                .init(
                    "cancel",
                    [
                        {
                            subscriber.cancel()
                            log.cancel()
                        }
                    ]))
        }
        return lanes
    }

    private static func problem(
        _ property: InterleavingProperty<Output>, _ subscriber: RecordingSubscriber<Output, any Error>,
        _ log: InterleavingLog
    ) -> String? {
        let values = subscriber.values
        if !subscriber.violations.isEmpty { return "against the contract: \(subscriber.violations)" }
        if log.isBroken { return "a signal came after cancel() had returned" }
        if property.queue != nil, let problem = log.difference(values.map { $0 as? Int }, subscriber.completion) {
            return problem
        }
        if let count = property.count, !log.isCancelled, !log.hasFailed, values.count != count(log.delivered) {
            return "\(count(log.delivered)) values were to come of \(log.delivered); these came: \(values)"
        }
        return nil
    }
}

/// What happened in a run, in the order in which it happened.
private final class InterleavingLog: Sendable {
    private struct State: Sendable {
        var queue: QueueModel
        var delivered: [[Int]]
        var hasFailed = false
        var isCancelled = false
        var isBroken = false
    }

    private let state: Mutex<State>

    init(inputs: Int, _ queue: QueueModel) {
        state = Mutex(State(queue: queue, delivered: Array(repeating: [], count: inputs)))
    }

    /// What the upstreams have delivered.
    var delivered: [[Int]] { state.withLock { $0.delivered } }
    var hasFailed: Bool { state.withLock { $0.hasFailed } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// Whether a signal came after the cancel had returned.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    func note(_ signal: Timeline<Int>.Signal, of input: Int) {
        state.withLock { state in
            switch signal {
            case .value(let value):
                state.delivered[input].append(value)
                state.queue.send(value)
            case .finished, .cancelled: state.queue.send(.finished)
            case .failure(let label):
                state.hasFailed = true
                state.queue.send(.failed(label))
            }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.queue.request(demand) }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func noteSignal() {
        state.withLock { state in
            if state.isCancelled { state.isBroken = true }
        }
    }

    /// How what came differs from the queue's model; nil where it does not.
    func difference(_ values: [Int?], _ completion: Subscribers.Completion<any Error>?) -> String? {
        let (queue, isCancelled) = state.withLock { ($0.queue, $0.isCancelled) }
        let end: ModelEnd? =
            switch completion {
            case .finished: .finished
            case .failure(let failure): .failed("\(failure)")
            case nil: nil
            }
        if isCancelled {
            guard queue.values.starts(with: values, by: ==) else {
                return "of \(queue.values) before the cancel; these came: \(values)"
            }
        } else if queue.values.map(Optional.some) != values || queue.end != end {
            return "expected \(queue.values), end \(String(describing: queue.end))\n"
                + "actual   \(values.compactMap(\.self)), end \(String(describing: end))"
        }
        return nil
    }
}
