import CThread
import Streams
import Synchronization

/// The plan of a race in which one thread sends all signals, one after another.
struct SerialRacePlan: Sendable, CustomStringConvertible {
    var inputs: Int
    var kind: TestPublisher<Int>.Kind
    var signals: [(input: Int, signal: Timeline<Int>.Signal)]
    var requests: Int
    var senderPause: Int
    var requesterPause: Int
    /// How long each delivery takes: what comes meanwhile waits for its end.
    var subscriberPause: Int

    init(inputs: Int, _ choices: inout Choices) {
        self.inputs = inputs
        kind = choices.chance(1, of: 2) ? .hot : .cold
        let order = choices.array(upTo: 12) { $0.int(in: 0...inputs - 1) }
        signals = order.enumerated().map { ($0.element, .value(10 * $0.element + $0.offset % 10)) }
        switch choices.int(in: 0...3) {
        case 0: break
        case 1: signals += (0..<inputs).map { ($0, .finished) }
        default: signals.append((choices.int(in: 0...inputs - 1), .failure("\(TestFailure())")))
        }
        requests = choices.int(in: 10...60)
        senderPause = choices.element(of: [0, 0, 30, 100])
        requesterPause = choices.element(of: [0, 0, 30, 100])
        subscriberPause = choices.element(of: [0, 300, 1_000])
    }

    var description: String {
        "\(kind): " + signals.map { "\($0.signal) of \($0.input)" }.joined(separator: ", ")
            + ", while \(requests) times one more is requested; pauses of \(senderPause) and \(requesterPause), "
            + "and of \(subscriberPause) in each value"
    }
}

/// A race in which one thread sends for all upstreams, while the other requests more, though enough was requested.
struct SerialRaceRound<Output: Equatable & Sendable>: DuelRound {
    private let plan: SerialRacePlan
    private let upstreams: [TestPublisher<Int>]
    private let subscriber: RecordingSubscriber<Output, any Error>
    private let log = SerialRaceLog()

    init(
        _ plan: SerialRacePlan, _ make: ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>
    ) {
        self.plan = plan
        let log = log
        upstreams = (0..<plan.inputs).map { input in
            TestPublisher<Int>(plan.kind, onSignal: { log.note($0, of: input) })
        }
        let pause = plan.subscriberPause
        subscriber = RecordingSubscriber(initialDemand: .max(1_000_000), onValue: { _, _ in pass(pause) })
        make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(subscriber)
    }

    func left() {
        log.begin()
        for (input, signal) in plan.signals {
            upstreams[input].send(signal)
            pass(plan.senderPause)
        }
    }

    func right() {
        for _ in 0..<plan.requests {
            subscriber.request(.max(1))
            pass(plan.requesterPause)
        }
    }

    func problem(_ model: OperatorModel<Output>) -> String? {
        defer { subscriber.cancel() }
        if !subscriber.violations.isEmpty { return "against the contract: \(subscriber.violations)" }
        // A second subscription hears nothing of what has been.
        guard upstreams.allSatisfy({ $0.windows.count <= 1 }), let timelines = log.timelines(plan.inputs) else {
            return nil
        }
        let expected = model.timeline(timelines)
        let actual = subscriber.timeline
        if actual.values == expected.values, actual.end == expected.end { return nil }
        return """
            expected \(expected.values), end \(String(describing: expected.end))
            actual   \(actual.values), end \(String(describing: actual.end))
            """
    }
}

/// The signals that one thread has delivered.
private final class SerialRaceLog: Sendable {
    private struct State: Sendable {
        var sender: UInt?
        var signals: [(input: Int, signal: Timeline<Int>.Signal)] = []
        /// Whether a signal came on another thread, when that requested it: then their order is not known.
        var isMixed = false
    }

    private let state = Mutex(State())

    /// The calling thread is the one that sends.
    func begin() {
        let thread = UInt(current_thread())
        state.withLock { $0.sender = thread }
    }

    func note(_ signal: Timeline<Int>.Signal, of input: Int) {
        let thread = UInt(current_thread())
        state.withLock { state in
            state.signals.append((input, signal))
            if state.sender != thread { state.isMixed = true }
        }
    }

    /// The signals of each upstream, a millisecond apart; nil where their order is not known.
    func timelines(_ inputs: Int) -> [Timeline<Int>]? {
        let (signals, isMixed) = state.withLock { ($0.signals, $0.isMixed) }
        if isMixed { return nil }
        var timelines = Array(repeating: Timeline<Int>(), count: inputs)
        for (index, (input, signal)) in signals.enumerated() {
            timelines[input].append(signal, at: .milliseconds(index + 1))
        }
        return timelines
    }
}
