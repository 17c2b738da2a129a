import Streams
import Synchronization

/// "Whatever the order in which values, requests, the cancel and the ends come, and whatever comes while something else
/// is being delivered, the contract holds and nothing is lost": checked over random interleavings.
///
/// Demand comes in every way: with the subscription, between signals, from inside a value and in return for it. In the end
/// everything is requested.
public struct InterleavingProperty<Output: Equatable & Sendable>: Sendable {
    /// The operator's name.
    public let name: String
    /// How many upstreams it has.
    public let inputs: Int
    /// Whether, without a cancel, as many values come out as these make of what came in; nil where that depends on the
    /// order.
    public let count: (@Sendable ([[Int]]) -> Int)?
    /// Exactly what comes out of an operator of one upstream that keeps values; nil for others.
    public let queue: QueueModel?
    /// Makes it.
    public let make: @Sendable ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>

    public init<P: Publisher>(
        _ name: String, inputs: Int, count: (@Sendable ([[Int]]) -> Int)? = nil, queue: QueueModel? = nil,
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.count = count
        self.queue = queue
        self.make = { make($0).mapError { $0 as any Error }.eraseToAnyPublisher() }
    }

    /// Checks it.
    ///
    /// - Throws: `PropertyFailure` with the smallest plan and the order in which it failed.
    @discardableResult
    public func check(cases: Int? = nil, seed: UInt64? = nil) throws -> PropertyReport {
        let runs = Gen<InterleavingRun<Output>> { choices in
            let plan = InterleavingPlan(inputs: inputs, &choices)
            let interleaver = Interleaver(choices)
            let run = InterleavingRun(self, plan, interleaver)
            choices = interleaver.choices
            return run
        }
        return try forAll(
            "\(name) under any interleaving", runs, cases: cases, seed: seed,
            describe: { "\($0.plan)\n\($0.trace)" }
        ) { run in
            if let problem = run.problem { throw Disproof(problem) }
        }
    }
}
