import Streams

/// The plan of a race between a subscriber that comes and a thread that cancels it.
struct LeavingRacePlan: Sendable, CustomStringConvertible {
    var kind: TestPublisher<Int>.Kind
    /// Whether the next subscriber comes while the first one is cancelled, and not afterwards.
    var meetsNext: Bool
    var initial: Int
    /// How many times one more is requested, and how many values each upstream sends meanwhile.
    var requests: Int
    var values: Int
    /// Whether the cancel waits until the subscriber is let in.
    var waits: Bool
    /// The most looks for which the cancel waits after that.
    var patience: Int
    /// The next subscriber's demand, and the signals that come then.
    var demand: Int
    var signals: [(input: Int, signal: Timeline<Int>.Signal)]

    init(inputs: Int, _ choices: inout Choices) {
        kind = choices.chance(1, of: 2) ? .hot : .cold
        meetsNext = choices.chance(1, of: 3)
        initial = choices.element(of: [0, 1, 1, 1_000])
        requests = choices.int(in: 0...10)
        values = choices.int(in: 0...5)
        waits = choices.chance(2, of: 3)
        patience = choices.element(of: [0, 10, 100, 1_000, 10_000])
        demand = choices.element(of: [1, 3, 1_000, 1_000])
        let order = choices.array(upTo: 8) { $0.int(in: 0...inputs - 1) }
        signals = order.enumerated().map { ($0.element, .value(10 * $0.element + $0.offset)) }
        if choices.chance(1, of: 2) { signals += (0..<inputs).map { ($0, .finished) } }
    }

    var description: String {
        let more = ", \(requests) times one, and cancels on another thread\(waits ? " once it is let in" : "")"
        let race =
            meetsNext ? ", and cancels on another thread as the next one comes" : more + ", while \(values) values come"
        return "a subscriber of \(kind) upstreams requests \(initial)\(race), after up to \(patience) looks; "
            + "the next one requests \(demand), and then come "
            + signals.map { "\($0.signal) of \($0.input)" }.joined(separator: ", ")
    }
}

/// A race in which a subscriber is cancelled while it, or the next one, is let in.
///
/// The next one is served as the first of a new publisher is, and no upstream is kept for those that have left.
struct LeavingRaceRound<Output: Equatable & Sendable>: DuelRound {
    private typealias Recorder = RecordingSubscriber<Output, any Error>

    private let plan: LeavingRacePlan
    private let pause: Int
    private let upstreams: [TestPublisher<Int>]
    private let publisher: AnyPublisher<Output, any Error>
    private let make: @Sendable ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>
    private let first: Recorder
    private let next: Recorder

    init(
        _ plan: LeavingRacePlan, pause: Int, inputs: Int,
        _ make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>
    ) {
        self.plan = plan
        self.pause = pause
        self.make = make
        upstreams = (0..<inputs).map { _ in TestPublisher<Int>(plan.kind) }
        publisher = make(upstreams.map { $0.eraseToAnyPublisher() })
        first = Recorder(initialDemand: .max(plan.initial))
        next = Recorder(initialDemand: .max(plan.demand))
        if plan.meetsNext { publisher.subscribe(first) }
    }

    func left() {
        if plan.meetsNext { return publisher.subscribe(next) }
        publisher.subscribe(first)
        for number in 0..<max(plan.requests, plan.values) {
            if number < plan.requests { first.request(.max(1)) }
            guard number < plan.values else { continue }
            for upstream in upstreams { upstream.send(number) }
        }
    }

    func right() {
        // Where no subscription comes there is nothing to wait for.
        var looks = plan.waits ? 10_000 : 0
        while looks > 0, !first.hasSubscription { looks -= 1 }
        pass(pause)
        first.cancel()
    }

    func problem() -> String? {
        if !first.violations.isEmpty { return "against the contract: \(first.violations)" }
        if !plan.meetsNext {
            if isOpen { return "the cancel did not reach every upstream" }
            publisher.subscribe(next)
        }
        send(to: upstreams)
        let (fresh, expected) = (
            upstreams.map { _ in TestPublisher<Int>(plan.kind) }, Recorder(initialDemand: .max(plan.demand))
        )
        make(fresh.map { $0.eraseToAnyPublisher() }).subscribe(expected)
        send(to: fresh)
        defer { expected.cancel() }
        guard next.violations.isEmpty, next.values == expected.values, next.timeline.end == expected.timeline.end else {
            return """
                the next subscriber is not served as the first of a new publisher is:
                expected \(expected.values), end \(String(describing: expected.timeline.end))
                actual   \(next.values), end \(String(describing: next.timeline.end)) \(next.violations)
                """
        }
        next.cancel()
        return isOpen ? "the next subscriber's cancel did not reach every upstream" : nil
    }

    private var isOpen: Bool { upstreams.contains(where: \.isOpen) }

    private func send(to upstreams: [TestPublisher<Int>]) {
        for (input, signal) in plan.signals { upstreams[input].send(signal) }
    }
}
