import Streams
import Synchronization

extension OperatorProperty {
    /// Checks that signals which one thread sends to all upstreams, one after the other, are taken in that order, while
    /// another thread requests without end and so keeps the operator busy.
    ///
    /// For operators that deliver within their upstreams' signals and ask them for everything when everything is requested:
    /// the upstreams are subjects. They do not fail: a failure may overtake what waits. A breach depends on chance, so every plan is run many times.
    ///
    /// - Parameters:
    ///   - cases: The number of cases; nil for the number in the environment's `STREAMS_CASES`, or a default.
    ///   - seed: The seed of the random numbers; nil for any.
    /// - Throws: `PropertyFailure`, with the plan as it was: to run it again need not show the breach again, so nothing can
    ///   be made smaller.
    public func checkOrder(cases: Int, seed: UInt64? = nil) throws {
        let first = PropertySettings.seed ?? seed ?? UInt64.random(in: 0..<1 << 40)
        for number in 0..<cases {
            let seed = first &+ UInt64(number)
            var choices = Choices(seed: seed)
            let plan = OrderPlan(inputs: inputs, &choices)
            let expected = model.timeline(plan.timelines)
            let rounds = (0..<50).map { _ in OrderRound(self, plan) }
            duel(rounds.map { round in ({ round.send() }, { round.request() }) })
            let problems = rounds.compactMap { $0.problem(expected) }
            guard let problem = problems.first else { continue }
            throw PropertyFailure(
                name: "\(name), sent to by one thread and requested of by another", seed: seed, casesBefore: number,
                shrinks: 0, counterexample: "\(plan)", reason: "\(problem)\n(\(problems.count) of \(rounds.count) runs)"
            )
        }
    }
}

/// What is sent to which upstream, in order.
private struct OrderPlan: Sendable, CustomStringConvertible {
    let inputs: Int
    var signals: [(input: Int, signal: Timeline<Int>.Signal)]

    init(inputs: Int, _ choices: inout Choices) {
        self.inputs = inputs
        let last = Swift.max(inputs - 1, 0)
        signals = choices.array(upTo: 40) { $0.int(in: 0...last) }.enumerated().map { ($1, .value($0)) }
        guard choices.chance(1, of: 2) else { return }
        signals += (0..<inputs).map { ($0, .finished) }
    }

    /// A millisecond from one to the next.
    var timelines: [Timeline<Int>] {
        var timelines = Array(repeating: Timeline<Int>(), count: inputs)
        for (number, (input, signal)) in signals.enumerated() {
            timelines[input].append(signal, at: .milliseconds(number + 1))
        }
        return timelines
    }

    var description: String {
        signals.map { "\($0.signal) of \($0.input)" }.joined(separator: ", ")
    }
}

private final class OrderRound<Output: Equatable & Sendable>: Sendable {
    private let plan: OrderPlan
    private let upstreams: [PassthroughSubject<Int, TestFailure>]
    private let subscriber = RecordingSubscriber<Output, any Error>()
    private let isSent = Atomic(false)

    init(_ property: OperatorProperty<Output>, _ plan: OrderPlan) {
        self.plan = plan
        upstreams = (0..<property.inputs).map { _ in PassthroughSubject() }
        property.make(upstreams.map { $0.eraseToAnyPublisher() }, VirtualTimeScheduler()).subscribe(subscriber)
    }

    func send() {
        for (input, signal) in plan.signals {
            if case .value(let value) = signal {
                upstreams[input].send(value)
            } else {
                upstreams[input].send(completion: .finished)
            }
        }
        isSent.store(true, ordering: .releasing)
    }

    func request() {
        while !isSent.load(ordering: .acquiring) { subscriber.request(.max(1)) }
    }

    func problem(_ expected: Timeline<Output>) -> String? {
        defer { subscriber.cancel() }
        if !subscriber.violations.isEmpty { return "against the contract: \(subscriber.violations)" }
        if subscriber.values == expected.values, (subscriber.completion != nil) == (expected.end != nil) { return nil }
        return "expected  \(expected.values)\(expected.end == nil ? "" : ", an end")\n"
            + "actual    \(subscriber.values)\(subscriber.completion == nil ? "" : ", an end")"
    }
}
