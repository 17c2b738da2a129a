import Streams
import Synchronization

/// A property that checks over random interleavings of values, requests, the cancel and the ends that the contract
/// holds and nothing is lost.
///
/// Demand comes in every way: with the subscription, between signals, from inside a value and in return for it. In the end
/// everything is requested.
public struct InterleavingProperty<Output: Equatable & Sendable>: Sendable {
    /// The operator's name.
    public let name: String
    /// The number of the operator's upstreams.
    public let inputs: Int
    /// A closure that returns how many values come out of an operator without a cancel, for the values that went in;
    /// nil where that depends on the order.
    public let count: (@Sendable ([[Int]]) -> Int)?
    /// A model of the exact output of an operator of one upstream that keeps values; nil for others.
    public let queue: QueueModel?
    /// The closure that makes the operator's publisher of its upstreams.
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

    /// Checks the property.
    ///
    /// - Parameters:
    ///   - cases: The number of cases; nil for the number in the environment's `STREAMS_CASES`, or a default.
    ///   - seed: The seed of the random numbers; nil for any.
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
