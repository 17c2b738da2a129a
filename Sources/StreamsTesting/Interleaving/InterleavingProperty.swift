import Streams
import Synchronization

/// A property that checks over random interleavings of values, requests, the cancel and the ends that the contract
/// holds and nothing is lost.
///
/// Demand comes in every way: with the subscription, between signals, from inside a value and in return for it. The clock of an
/// operator that knows time moves in between. In the end everything is requested.
public struct InterleavingProperty<Output: Equatable & Sendable>: Sendable {
    /// The operator's name.
    public let name: String
    /// The number of the operator's upstreams.
    public let inputs: Int
    /// A closure that returns how many values come out of an operator without a cancel, for the values that went in;
    /// nil where that depends on the order.
    public let count: (@Sendable ([[Int]]) -> Int)?
    /// The model of what the operator makes of the signals that it gets, in the order in which it gets them; nil where that cannot be
    /// said. Only runs in which it has subscribed to no upstream twice are compared.
    public let model: OperatorModel<Output>?
    /// The model of the operator's queue of values that wait for demand.
    public let queue: QueueModel<Output>
    /// A closure that returns whether a value may be delivered when these signals have come; nil where any may.
    public let allows: Allowance?
    /// A closure that returns whether a value may be delivered when some signals have come.
    public typealias Allowance = @Sendable (Output, _ signals: [(input: Int, signal: Timeline<Int>.Signal)]) -> Bool
    /// A Boolean value that indicates whether the operator delivers on its scheduler: then every signal and every request has a moment of
    /// its own.
    public let isTimed: Bool
    /// A Boolean value that indicates whether the operator may request values before its subscriber does; if `false`, doing so is a failure.
    public let asksAhead: Bool
    /// The closure that makes the operator's publisher of its upstreams and a scheduler.
    public let make:
        @Sendable ([AnyPublisher<Int, TestFailure>], VirtualTimeScheduler) -> AnyPublisher<Output, any Error>

    /// Creates a property of an operator that delivers within its upstreams' signals.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - inputs: The number of upstreams.
    ///   - count: A closure that returns how many values come out for the values that went in; nil where that depends on the order.
    ///   - model: The model of the operator; nil for none.
    ///   - queue: The model of the operator's queue of values that wait for demand.
    ///   - allows: A closure that returns whether a value may be delivered when some signals have come; nil where any may.
    ///   - asksAhead: A Boolean value that determines whether the operator may request values before its subscriber does.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public init<P: Publisher>(
        _ name: String, inputs: Int, count: (@Sendable ([[Int]]) -> Int)? = nil, model: OperatorModel<Output>? = nil,
        queue: QueueModel<Output> = QueueModel(), allows: Allowance? = nil, asksAhead: Bool = false,
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> P
    ) where P.Output == Output {
        self.init(
            name, inputs: inputs, count: count, model: model, queue: queue, allows: allows, asksAhead: asksAhead
        ) { upstreams, _ in make(upstreams) }
    }

    /// Creates a property of an operator that may know time.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - inputs: The number of upstreams.
    ///   - count: A closure that returns how many values come out for the values that went in; nil where that depends on the order.
    ///   - model: The model of the operator; nil for none.
    ///   - queue: The model of the operator's queue of values that wait for demand.
    ///   - allows: A closure that returns whether a value may be delivered when some signals have come; nil where any may.
    ///   - isTimed: A Boolean value that determines whether the operator delivers on its scheduler.
    ///   - asksAhead: A Boolean value that determines whether the operator may request values before its subscriber does.
    ///   - make: A closure that makes the operator's publisher of its upstreams and a scheduler.
    public init<P: Publisher>(
        _ name: String, inputs: Int, count: (@Sendable ([[Int]]) -> Int)? = nil, model: OperatorModel<Output>? = nil,
        queue: QueueModel<Output> = QueueModel(), allows: Allowance? = nil, isTimed: Bool = false,
        asksAhead: Bool = false,
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>], VirtualTimeScheduler) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.count = count
        self.model = model
        self.queue = queue
        self.allows = allows
        self.isTimed = isTimed
        self.asksAhead = asksAhead
        self.make = { make($0, $1).mapError { $0 as any Error }.eraseToAnyPublisher() }
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
            let plan = InterleavingPlan(inputs: inputs, isTimed: isTimed, &choices)
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
