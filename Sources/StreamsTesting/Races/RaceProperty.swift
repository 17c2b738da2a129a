import Streams
import Synchronization

/// A property that checks with two threads at once that the contract holds, nothing is lost and each input keeps its
/// order.
///
/// One thread sends while the other requests and sends the values of the other inputs, and the subscriber returns demand
/// now and then. In other cases the second thread cancels in the end: then the cancel reaches every upstream.
///
/// It finds what no interleaving on one thread can reach: the moments between two steps of the operator's own. A breach
/// depends on chance, so every plan is run many times.
public struct RaceProperty<Output: Equatable & Sendable>: Sendable {
    /// The operator's name.
    public let name: String
    /// The number of the operator's upstreams.
    public let inputs: Int
    /// A closure that returns how many values come out when everything is requested in the end, for the values that
    /// went in; nil where that depends on the order.
    public let count: (@Sendable ([[Int]]) -> Int)?
    /// A Boolean value that indicates whether the operator delivers values of its upstreams as they are, each upstream's in their order,
    /// though perhaps not all of them.
    public let keepsOrder: Bool
    /// The closure that makes the operator's publisher of its upstreams.
    public let make: @Sendable ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>

    /// Creates a property of an operator.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - inputs: The number of upstreams.
    ///   - count: A closure that returns how many values come out for the values that went in; nil where that depends on the order. Where
    ///     there is one, values that are numbers are also expected to be the upstreams', in order.
    ///   - keepsOrder: A Boolean value that determines whether the operator delivers values of its upstreams as they are, each upstream's in
    ///     their order, though perhaps not all of them.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public init<P: Publisher>(
        _ name: String, inputs: Int, count: (@Sendable ([[Int]]) -> Int)? = nil, keepsOrder: Bool = false,
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.count = count
        self.keepsOrder = keepsOrder || count != nil
        self.make = { make($0).mapError { $0 as any Error }.eraseToAnyPublisher() }
    }

    /// What the threads do.
    struct Plan: Sendable, CustomStringConvertible {
        /// How many values come of each upstream before the threads begin, and then.
        var early: Int
        var late: Int
        var finishes: Bool
        var cancels: Bool
        var initial: Int
        var requests: Int
        /// For every value of a number that this divides, the subscriber returns one more; 0 for never.
        var returnsAt: Int
        /// How long each thread pauses between two steps of its own. One that never does leaves the operator no moment of rest: whatever
        /// that does then is done with new signals waiting.
        var senderPause: Int
        var requesterPause: Int

        init(_ choices: inout Choices) {
            early = choices.int(in: 0...choices.element(of: [40, 200]))
            late = choices.int(in: 1...40)
            finishes = choices.chance(1, of: 2)
            // Mostly none: so much waits when the race begins that delivering it takes as long as the race.
            initial = choices.element(of: [0, 0, 0, 1, 2])
            requests = choices.int(in: 0...40)
            returnsAt = choices.element(of: [0, 1, 1, 2, 3])
            cancels = choices.chance(1, of: 4)
            senderPause = choices.element(of: [0, 0, 30, 100, 300])
            requesterPause = choices.element(of: [0, 0, 30, 100, 300])
        }

        var description: String {
            "\(early) values at first and \(late) in the race\(finishes ? ", an end" : ""); \(initial) requested at first and "
                + "\(requests) times one in the race, one more returned at every \(returnsAt)th value"
                + "\(cancels ? ", then a cancel" : ""); pauses of \(senderPause) and \(requesterPause)"
        }
    }

    /// Checks the property.
    ///
    /// - Parameters:
    ///   - cases: The number of cases.
    ///   - seed: The seed of the random numbers; nil for any.
    /// - Throws: `PropertyFailure`, with the plan as it was: to run it again need not show the breach again, so nothing can
    ///   be made smaller.
    public func check(cases: Int, seed: UInt64? = nil) throws {
        let first = PropertySettings.seed ?? seed ?? UInt64.random(in: 0..<1 << 40)
        for number in 0..<cases {
            let seed = first &+ UInt64(number)
            var choices = Choices(seed: seed)
            let plan = Plan(&choices)
            let rounds = (0..<50).map { _ in RaceRound(plan, inputs, make) }
            duel(rounds.map { round in (round.sendFirst, round.requestAndSendOthers) })
            let problems = rounds.compactMap { $0.problem(count, keepsOrder) }
            guard let problem = problems.first else { continue }
            throw PropertyFailure(
                name: "\(name), raced", seed: seed, casesBefore: number, shrinks: 0, counterexample: "\(plan)",
                reason: "\(problem) (\(problems.count) of \(rounds.count) races)")
        }
    }
}

/// Looked at to pass the time.
private let looks = Atomic(0)

private func pass(_ time: Int) {
    for _ in 0..<time { _ = looks.load(ordering: .relaxed) }
}

/// One race: the first upstream sends on the one thread, requests and the other upstreams come on the other.
private struct RaceRound<Output: Equatable & Sendable>: Sendable {
    private let plan: RaceProperty<Output>.Plan
    private let upstreams: [TestPublisher<Int>]
    private let subscriber: RecordingSubscriber<Output, any Error>

    init(
        _ plan: RaceProperty<Output>.Plan, _ inputs: Int,
        _ make: ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>
    ) {
        self.plan = plan
        // A cancel takes a while, as they do: what another thread finds half done meanwhile has time to show.
        let patience = plan.cancels ? 300 : 0
        upstreams = (0..<inputs).map { _ in
            TestPublisher<Int>(.cold, onCallOut: { pass(patience) })
        }
        subscriber = RecordingSubscriber(
            initialDemand: .max(plan.initial),
            demandForValue: { plan.returnsAt > 0 && $0.isMultiple(of: plan.returnsAt) ? .max(1) : .none })
        make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(subscriber)
        for input in 0..<inputs {
            for number in 0..<plan.early { upstreams[input].send(value(number, of: input)) }
        }
    }

    func sendFirst() {
        for number in plan.early..<(plan.early + plan.late) {
            upstreams.first?.send(value(number, of: 0))
            pass(plan.senderPause)
        }
        if plan.finishes { upstreams.first?.send(.finished) }
    }

    func requestAndSendOthers() {
        for number in 0..<max(plan.requests, plan.late) {
            pass(plan.requesterPause)
            if number < plan.requests { subscriber.request(.max(1)) }
            guard number < plan.late else { continue }
            for input in upstreams.indices.dropFirst() { upstreams[input].send(value(plan.early + number, of: input)) }
        }
        if plan.cancels { return subscriber.cancel() }
        guard plan.finishes else { return }
        for upstream in upstreams.dropFirst() { upstream.send(.finished) }
    }

    func problem(_ count: (@Sendable ([[Int]]) -> Int)?, _ keepsOrder: Bool) -> String? {
        subscriber.request(.unlimited)
        defer { subscriber.cancel() }
        if !subscriber.violations.isEmpty { return "against the contract: \(subscriber.violations)" }
        if plan.cancels {
            return upstreams.contains(where: \.isOpen) ? "the cancel did not reach every upstream" : nil
        }
        let sent = upstreams.indices.map { input in (0..<(plan.early + plan.late)).map { value($0, of: input) } }
        if let count, subscriber.values.count != count(sent) {
            return "\(count(sent)) values were to come, \(subscriber.values.count) came"
        }
        guard keepsOrder, let values = subscriber.values as? [Int] else { return nil }
        for input in upstreams.indices {
            let own = values.filter { $0 / 1_000 == input + 1 }
            if own != own.sorted() { return "not in order: \(own)" }
        }
        return nil
    }

    private func value(_ number: Int, of input: Int) -> Int { 1_000 * (input + 1) + number }
}
