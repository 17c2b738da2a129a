import Streams

/// A property that checks that an operator does what its model says, under any demand and cancellation, with random
/// timelines on virtual time.
///
///     let property = OperatorProperty(
///         "doubled", model: .values { values, end in .init(values.map { 2 * $0 }, end) },
///         make: { $0.doubled() })
///     try property.check()
///
/// For each case it is checked that the timeline is the model's to the moment where everything is requested; that under
/// limited demand the values are the model's, or what its queue keeps of them; that where the demand ends midway there are exactly as many as
/// were requested, the first ones, and no end in their stead; that after a cancel inside a value nothing
/// more comes; that the contract holds; that something is requested of an upstream, or a timer runs, whenever a value is
/// wanted; that the upstreams are cancelled or have ended when the stream has, before its completion is delivered; and
/// that then no timer is left and the subscriber is released.
public struct OperatorProperty<Output: Equatable & Sendable>: Sendable {
    /// The type of the publishers that are fed into the operator.
    public typealias Upstream = AnyPublisher<Int, TestFailure>

    /// The traits of an operator that change what is checked.
    public typealias Traits = OperatorTraits

    /// The operator's name.
    public let name: String
    /// The number of the operator's upstreams.
    public let inputs: Int
    /// The operator's traits.
    public var traits: Traits
    /// The time for which a scenario is watched: far beyond its last signal, which comes within a tenth of a second, so
    /// that what has not come by then never does. More is needed only where the operator waits for longer.
    public var horizon: VirtualTime.Stride = .seconds(1)
    /// The model that the operator is compared with.
    public let model: OperatorModel<Output>
    /// The model of the operator's queue of values that wait for demand; nil where what becomes of them cannot be said.
    public var queue: QueueModel<Output>?
    /// The closure that makes the operator's publisher of its upstreams and a scheduler.
    public let make: @Sendable ([Upstream], VirtualTimeScheduler) -> AnyPublisher<Output, any Error>

    /// Creates a property of an operator of any number of upstreams that may know time.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - inputs: The number of upstreams.
    ///   - traits: The traits of the operator that change what is checked.
    ///   - model: The model that the operator is compared with.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public init<P: Publisher>(
        _ name: String, inputs: Int, _ traits: Traits = [], model: OperatorModel<Output>,
        make: @escaping @Sendable ([Upstream], VirtualTimeScheduler) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.traits = traits
        self.model = model
        self.make = { make($0, $1).mapError { $0 as any Error }.eraseToAnyPublisher() }
    }

    /// Creates a property of an operator of one upstream.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - traits: The traits of the operator that change what is checked.
    ///   - model: The model that the operator is compared with.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public init<P: Publisher>(
        _ name: String, _ traits: Traits = [], model: OperatorModel<Output>,
        make: @escaping @Sendable (Upstream) -> P
    ) where P.Output == Output {
        self.init(name, inputs: 1, traits, model: model) { upstreams, _ in make(upstreams[0]) }
    }

    /// Creates a property of an operator of two upstreams.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - traits: The traits of the operator that change what is checked.
    ///   - model: The model that the operator is compared with.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public init<P: Publisher>(
        _ name: String, _ traits: Traits = [.dependsOnDemand], model: OperatorModel<Output>,
        make: @escaping @Sendable (Upstream, Upstream) -> P
    ) where P.Output == Output {
        self.init(name, inputs: 2, traits, model: model) { upstreams, _ in make(upstreams[0], upstreams[1]) }
    }

    /// Returns the property of an operator that keeps, in a queue, values that wait for demand.
    ///
    /// - Parameter queue: The empty queue; nil where what becomes of such values cannot be said.
    public func keeping(_ queue: QueueModel<Output>?) -> OperatorProperty {
        var copy = self
        copy.queue = queue
        return copy
    }

    /// Returns the property of an operator that has some traits more.
    ///
    /// - Parameter traits: The traits to add.
    public func adding(_ traits: Traits) -> OperatorProperty {
        var copy = self
        copy.traits.formUnion(traits)
        return copy
    }

    /// The generator of the scenarios that the operator is checked with. Their signals are a few milliseconds apart, or about
    /// as long as the operator schedules work for, which a few runs tell.
    public var scenarios: Gen<OperatorScenario> { scenarios(around: durations) }

    /// The spans of time for which the operator schedules work, the most usual ones first.
    private var durations: [VirtualTime.Stride] {
        var counts: [VirtualTime.Stride: Int] = [:]
        let generator = scenarios(around: [])
        for seed in 0..<16 as Range<UInt64> {
            var choices = Choices(seed: seed)
            for delay in OperatorRun(self, generator.draw(&choices)).delays { counts[delay, default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4).map(\.key)
    }

    private func scenarios(around durations: [VirtualTime.Stride]) -> Gen<OperatorScenario> {
        let kinds: [TestPublisher<Int>.Kind] =
            traits.contains(.hotOnly) ? [.hot] : traits.contains(.coldOnly) ? [.cold] : [.cold, .hot]
        let isBursty = traits.contains(.bursty)
        // Of several signals at one moment only the last matters to some that know time.
        let opening = traits.contains(.connectsEarly) ? 0 : isBursty || durations.isEmpty ? 4 : 1
        return OperatorScenario.random(
            inputs: inputs, kinds: kinds, isBursty: isBursty, around: durations, opening: opening)
    }

    /// Checks the property.
    ///
    /// - Parameters:
    ///   - cases: The number of cases; nil for the number in the environment's `STREAMS_CASES`, or a default.
    ///   - seed: The seed of the random numbers; nil for any.
    /// - Throws: `PropertyFailure` with the smallest scenario that was found.
    /// - Returns: A report of the cases that were generated.
    @discardableResult
    public func check(cases: Int? = nil, seed: UInt64? = nil) throws -> PropertyReport {
        let durations = durations
        var mattered = 0
        let report = try forAll(
            "\(name) equals its model", scenarios(around: durations), cases: cases, seed: seed, labels: \.labels
        ) { scenario in
            if try checkedRun(scenario).timersMattered { mattered += 1 }
        }
        guard !durations.isEmpty else { return report }
        // A property about timers that never ran in time would hold for nothing.
        if mattered == 0, report.cases >= 100, !traits.contains(.hasUnseenTimers) {
            throw PropertyFailure(
                name: name, seed: seed ?? 0, casesBefore: report.cases, shrinks: 0,
                counterexample: "durations: \(durations.map { "\(VirtualTime.zero.advanced(by: $0))" })",
                reason: "None of the operator's timers came to matter: nothing happened when one ran, or after it.")
        }
        return PropertyReport(
            cases: report.cases,
            labels: report.labels.merging(["a timer that came to matter": mattered]) { $1 })
    }

    /// Checks one scenario.
    ///
    /// - Parameter scenario: The scenario.
    /// - Throws: `Disproof`.
    public func check(_ scenario: OperatorScenario) throws {
        _ = try checkedRun(scenario)
    }

    private func checkedRun(_ scenario: OperatorScenario) throws -> OperatorRun<Output> {
        let run = OperatorRun(self, scenario)
        guard run.violations.isEmpty else {
            throw Disproof("against the contract: \(run.violations.map(\.description).joined(separator: ", "))")
        }
        let expected = expectation(scenario, run)
        if scenario.demand == .unlimited {
            if let difference = run.timeline.difference(from: expected) { throw Disproof(difference) }
        } else if !traits.contains(.dependsOnDemand), scenario.kind == .cold || run.sawUpstreamsOnce {
            guard isExpected(run.timeline, expected, upTo: scenario.demand.limit) else {
                let limit = scenario.demand.limit.map { ", of which \($0) are requested" } ?? ""
                throw Disproof(
                    "expected    \(expected)\nactual      \(run.timeline)\n(under limited demand, moments aside\(limit))"
                )
            }
        }
        if scenario.demand != .unlimited, let queue, run.sawUpstreamsOnce {
            try compare(run, keeping: queue, scenario)
        }
        if scenario.demand.limit == nil, scenario.cancelAt == nil, run.timeline.end == nil {
            // Values that it has not asked for may hide an end from an operator: the model goes by those that it has seen.
            let due = run.sawUpstreamsOnce ? model.timeline(run.delivered) : expected
            if due.end != nil {
                throw Disproof("\(run.timeline)\nIt never ends, though everything was requested in time.")
            }
        }
        if !run.wereOpenAtCompletion.isEmpty, !traits.contains(.keepsUpstream) {
            throw Disproof("\(run.timeline)\nThe completion came before the upstream was cancelled.")
        }
        if run.isOpen, !traits.contains(.keepsUpstream) {
            throw Disproof("\(run.timeline)\nAn upstream is still subscribed to: neither cancelled nor ended.")
        }
        if let moment = run.stalled, !traits.contains(.keepsUpstream) {
            throw Disproof(
                "actual      \(run.timeline)\nA value is wanted at \(moment), but none is requested of any upstream, and no timer runs."
            )
        }
        if let moment = run.askedAhead, traits.isDisjoint(with: [.asksAhead, .keepsUpstream]) {
            throw Disproof(
                "actual      \(run.timeline)\nNothing is wanted at \(moment), but something is requested of an upstream."
            )
        }
        if run.hasTimerLeft, !traits.contains(.keepsUpstream) {
            throw Disproof("\(run.timeline)\nA timer still runs after the end.")
        }
        if run.isSubscriberHeld { throw Disproof("\(run.timeline)\nThe subscriber is still held after the end.") }
        return run
    }
}
