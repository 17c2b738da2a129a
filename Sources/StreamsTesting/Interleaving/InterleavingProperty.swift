import Streams
import Synchronization

/// "Whatever the order in which values, requests, the cancel and the ends come, and whatever comes while something else
/// is being delivered, the contract holds and nothing is lost": checked over random interleavings.
public struct InterleavingProperty<Output: Equatable & Sendable>: Sendable {
    /// The operator's name.
    public let name: String
    /// How many upstreams it has.
    public let inputs: Int
    /// Whether, without a cancel and with everything requested, as many values come out as these make of what came in;
    /// nil where that depends on the order.
    public let count: (@Sendable ([[Int]]) -> Int)?
    /// Makes it.
    public let make: @Sendable ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>

    public init<P: Publisher>(
        _ name: String, inputs: Int, count: (@Sendable ([[Int]]) -> Int)? = nil,
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.count = count
        self.make = { make($0).mapError { $0 as any Error }.eraseToAnyPublisher() }
    }

    /// What the lanes do; the order comes from choices drawn while it runs.
    struct Plan: Sendable, CustomStringConvertible {
        var values: [[Int]]
        var ends: [Int]
        var requests: [Int]
        var isUnlimited: Bool
        var cancels: Bool
        var order: Choices

        var description: String {
            "values \(values), ends \(ends.map { ["none", "finished", "failed"][$0] }), "
                + "requests \(isUnlimited ? "everything, then " : "")\(requests)\(cancels ? ", a cancel" : "")"
        }
    }

    /// Checks it.
    ///
    /// - Throws: `PropertyFailure` with the smallest plan and the order in which it failed.
    @discardableResult
    public func check(cases: Int? = nil, seed: UInt64? = nil) throws -> PropertyReport {
        let plans = Gen<Outcome> { choices in
            let values = (0..<inputs).map { input in choices.array(upTo: 4) { _ in 0 }.indices.map { 10 * input + $0 } }
            let ends = (0..<inputs).map { _ in choices.int(in: 0...2) }
            let isUnlimited = choices.chance(1, of: 2)
            let requests = choices.array(upTo: 4) { $0.int(in: 1...3) }
            let cancels = choices.chance(1, of: 3)
            var plan = Plan(
                values: values, ends: ends, requests: requests, isUnlimited: isUnlimited, cancels: cancels,
                order: choices)
            let outcome = run(&plan)
            choices = plan.order
            return outcome
        }
        return try forAll(
            "\(name) under any interleaving", plans, cases: cases, seed: seed, describe: { "\($0.plan)\n\($0.trace)" }
        ) { outcome in
            if let problem = outcome.problem { throw Disproof(problem) }
        }
    }

    struct Outcome: Sendable {
        let plan: Plan
        let trace: String
        let problem: String?
    }

    private func run(_ plan: inout Plan) -> Outcome {
        let interleaver = Interleaver(plan.order)
        let upstreams = (0..<inputs).map { _ in TestPublisher<Int>(.cold, onCallOut: { interleaver.pause() }) }
        let isCancelled = Atomic(false)
        let afterCancel = Atomic(0)
        weak var held: RecordingSubscriber<Output, any Error>?
        var problem: String?
        do {
            let subscriber = RecordingSubscriber<Output, any Error>(
                initialDemand: plan.isUnlimited ? .unlimited : .none,
                onValue: { _, _ in
                    if isCancelled.load(ordering: .relaxed) { afterCancel.add(1, ordering: .relaxed) }
                    interleaver.pause()
                },
                onCompletion: {
                    if isCancelled.load(ordering: .relaxed) { afterCancel.add(1, ordering: .relaxed) }
                    interleaver.pause()
                })
            held = subscriber
            make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(subscriber)
            var lanes = (0..<inputs).map { input in
                var actions: [@Sendable () -> Void] = plan.values[input].map { value in { upstreams[input].send(value) }
                }
                if plan.ends[input] == 1 { actions.append { upstreams[input].send(.finished) } }
                if plan.ends[input] == 2 { actions.append { upstreams[input].send(.failure("\(input)")) } }
                return Interleaver.Lane("\(input)", actions)
            }
            lanes.append(
                .init("request", plan.requests.map { count in { subscriber.request(.max(count)) } }))
            if plan.cancels {
                lanes.append(
                    .init(
                        "cancel",
                        [
                            {
                                subscriber.cancel()
                                isCancelled.store(true, ordering: .relaxed)
                            }
                        ]))
            }
            interleaver.run(lanes)
            if !subscriber.violations.isEmpty {
                problem = "against the contract: \(subscriber.violations)"
            } else if afterCancel.load(ordering: .relaxed) > 0 {
                problem = "a signal came after cancel() had returned"
            } else if let count, plan.isUnlimited, !plan.cancels, !plan.ends.contains(2),
                subscriber.values.count != count(plan.values)
            {
                problem = "\(count(plan.values)) values were to come; these came: \(subscriber.values)"
            }
            subscriber.cancel()
        }
        if problem == nil, upstreams.contains(where: \.isOpen) { problem = "an upstream is still subscribed to" }
        if problem == nil, held != nil { problem = "the subscriber is still held after its cancel" }
        plan.order = interleaver.choices
        return Outcome(plan: plan, trace: interleaver.trace, problem: problem)
    }
}
