import Streams
import Synchronization

/// A property that checks that every signal is delivered inside work of the operator's scheduler, whatever comes when.
///
/// The upstream sends and the subscriber requests by hand, outside of the scheduler's work.
public struct DeliveryProperty<Output: Sendable>: Sendable {
    /// The operator's name.
    public let name: String
    /// The closure that makes the operator's publisher of its upstream and a scheduler.
    public let make: @Sendable (AnyPublisher<Int, TestFailure>, VirtualTimeScheduler) -> AnyPublisher<Output, any Error>

    /// Creates a property of an operator that delivers on a scheduler.
    ///
    /// - Parameters:
    ///   - name: The operator's name.
    ///   - make: A closure that makes the operator's publisher of its upstream and a scheduler.
    public init<P: Publisher>(
        _ name: String, make: @escaping @Sendable (AnyPublisher<Int, TestFailure>, VirtualTimeScheduler) -> P
    ) where P.Output == Output {
        self.name = name
        self.make = { make($0, $1).mapError { $0 as any Error }.eraseToAnyPublisher() }
    }

    /// What happens next.
    enum Step: Sendable {
        case send, advance(Int), request(Int), end(Timeline<Int>.Signal)
    }

    struct Plan: Sendable, CustomStringConvertible {
        var initial: Int
        var steps: [Step]

        var description: String { "requested at first: \(initial); then \(steps)" }
    }

    /// Checks the property.
    ///
    /// - Parameters:
    ///   - cases: The number of cases; nil for the number in the environment's `STREAMS_CASES`, or a default.
    ///   - seed: The seed of the random numbers; nil for any.
    /// - Throws: `PropertyFailure` with the smallest plan that was found.
    @discardableResult
    public func check(cases: Int? = nil, seed: UInt64? = nil) throws -> PropertyReport {
        let plans = Gen<Plan> { choices in
            let initial = choices.int(in: 0...2)
            var steps = choices.array(upTo: 12) { choices -> Step in
                switch choices.int(in: 0...2) {
                case 0: .send
                case 1: .advance(choices.int(in: 1...12))
                default: .request(choices.int(in: 1...3))
                }
            }
            if choices.chance(1, of: 2) { steps.append(.end(choices.chance(1, of: 3) ? .failure("end") : .finished)) }
            return Plan(initial: initial, steps: steps)
        }
        return try forAll("\(name) delivers on its scheduler", plans, cases: cases, seed: seed, check)
    }

    func check(_ plan: Plan) throws {
        let scheduler = VirtualTimeScheduler()
        let upstream = TestPublisher<Int>(.cold)
        let stray = Atomic(0)
        let note: @Sendable () -> Void = { if !scheduler.isRunning { stray.add(1, ordering: .relaxed) } }
        let recorder = RecordingSubscriber<Output, any Error>(
            initialDemand: .max(plan.initial), onValue: { _, _ in note() }, onCompletion: note)
        make(upstream.eraseToAnyPublisher(), scheduler).subscribe(recorder)
        for (index, step) in plan.steps.enumerated() {
            switch step {
            case .send: upstream.send(index)
            case .advance(let halves): scheduler.advance(by: .microseconds(500 * halves))
            case .request(let count): recorder.request(.max(count))
            case .end(let signal): upstream.send(signal)
            }
            if stray.load(ordering: .relaxed) > 0 {
                throw Disproof("\(step) brought a signal outside of the scheduler")
            }
        }
        scheduler.advance(by: .milliseconds(100))
        guard recorder.violations.isEmpty else { throw Disproof("against the contract: \(recorder.violations)") }
        recorder.cancel()
    }
}
