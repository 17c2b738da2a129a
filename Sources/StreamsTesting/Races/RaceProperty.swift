import Streams
import Synchronization

/// A property that checks with two threads at once that the contract holds, nothing is lost and each input keeps its
/// order.
///
/// One thread sends while the other requests and sends the values of the other inputs, and the subscriber returns demand
/// now and then. In other cases the second thread cancels in the end: then the cancel reaches every upstream. Where there is a model, one
/// thread also sends for all inputs while the other requests more, though enough was requested: then what comes is the model's.
/// In others again a subscriber is cancelled while it is let in and requests, or while another one comes: then no upstream is kept for it,
/// and the next subscriber of the same publisher gets what the first one of a new publisher gets.
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
    /// The model of what the operator makes of signals that come one after another, when all is requested; nil where that cannot be said.
    /// It cannot of a composition in which one upstream's values pass a queue and another's do not, as of a merge into a merge: the
    /// thread that delivers the queue may be overtaken.
    public let model: OperatorModel<Output>?
    /// A Boolean value that indicates whether a publisher serves whoever comes as others leave, or later, as a new one would.
    public let startsAnew: Bool
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
    ///   - model: The model of what the operator makes of signals that come one after another, when all is requested; nil where that
    ///     cannot be said.
    ///   - startsAnew: A Boolean value that determines whether a publisher serves whoever comes as others leave, or later, as a new one
    ///     would. Pass `false` for one that keeps what has been, or its upstream.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public init<P: Publisher>(
        _ name: String, inputs: Int, count: (@Sendable ([[Int]]) -> Int)? = nil, keepsOrder: Bool = false,
        model: OperatorModel<Output>? = nil, startsAnew: Bool = true,
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.count = count
        self.keepsOrder = keepsOrder || count != nil
        self.model = model
        self.startsAnew = startsAnew
        self.make = { make($0).mapError { $0 as any Error }.eraseToAnyPublisher() }
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
            let plan = RacePlan(&choices)
            try run(plan, seed, number, (0..<50).map { _ in RaceRound(plan, inputs, make) }) { round in
                round.problem(count, keepsOrder)
            }
            guard inputs > 0 else { continue }
            if startsAnew {
                let leaving = LeavingRacePlan(inputs: inputs, &choices)
                let rounds = (0..<100).map { _ in
                    LeavingRaceRound(leaving, pause: choices.int(in: 0...leaving.patience), inputs: inputs, make)
                }
                try run(leaving, seed, number, rounds) { round in round.problem() }
            }
            guard let model else { continue }
            // Short ones, of which one in a hundred or fewer finds the other thread at work: more of them.
            for _ in 0..<2 {
                let serial = SerialRacePlan(inputs: inputs, &choices)
                try run(serial, seed, number, (0..<100).map { _ in SerialRaceRound(serial, make) }) { round in
                    round.problem(model)
                }
            }
        }
    }

    private func run<Round: DuelRound>(
        _ plan: some CustomStringConvertible, _ seed: UInt64, _ number: Int, _ rounds: [Round],
        _ problem: (Round) -> String?
    ) throws {
        duel(rounds.map { round in (round.left, round.right) })
        let problems = rounds.compactMap(problem)
        guard let first = problems.first else { return }
        throw PropertyFailure(
            name: "\(name), raced", seed: seed, casesBefore: number, shrinks: 0, counterexample: "\(plan)",
            reason: "\(first) (\(problems.count) of \(rounds.count) races)")
    }
}

/// A race between two threads.
protocol DuelRound: Sendable {
    func left()
    func right()
}

/// Looked at to pass the time.
private let looks = Atomic(0)

/// Passes about so many nanoseconds without giving the processor away.
func pass(_ time: Int) {
    for _ in 0..<time { _ = looks.load(ordering: .relaxed) }
}
