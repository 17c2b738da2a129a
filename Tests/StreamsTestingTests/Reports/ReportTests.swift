import Streams
import Testing

@testable import StreamsTesting

@Suite("What the kit says of operators that are wrong")
struct ReportTests {
    /// The model of the operator that has the faults: whatever comes of any input, to the first end.
    private static let model = OperatorModel<Int>.schedule { signals in
        var outcome = OperatorModel<Int>.Outcome([])
        for (_, signal) in signals where outcome.end == nil {
            switch signal {
            case .value(let value): outcome.values.append(value)
            case .finished, .cancelled: outcome.end = .finished
            case .failure(let label): outcome.end = .failed(label)
            }
        }
        return outcome
    }

    /// A list in which what comes many times is counted.
    private func counted(_ list: String) -> String {
        var items: [(text: Substring, count: Int)] = []
        for item in list.split(separator: ", ") {
            if items.last?.text == item { items[items.count - 1].count += 1 } else { items.append((item, 1)) }
        }
        return items.map { $0.count > 1 ? "\($0.text) × \($0.count)" : "\($0.text)" }.joined(separator: ", ")
    }

    @Test("The rules of the contract that each faulty operator breaks, and how")
    func conformance() throws {
        var lines: [String] = []
        for fault in Fault.allCases {
            for inputs in 1...2 {
                lines.append("\(fault), \(inputs == 1 ? "one upstream" : "two upstreams")")
                let results = Conformance<Int>("faulty", inputs: inputs) { Faulty(fault: fault, upstreams: $0) }
                    .results()
                // How much stack a call takes is up to the compiler.
                for result in results where result.isBroken && result.rule != .boundedRecursion {
                    lines.append("    \(counted("\(result)"))")
                }
            }
        }
        try WrittenReport.expect("Conformance", lines)
    }

    @Test("The scenarios in which each faulty operator differs from its model, and how")
    func scenarios() throws {
        var lines: [String] = []
        for fault in Fault.allCases {
            for (inputs, overtaking) in [(1, QueueOvertaking.nothing), (2, .nothing), (2, .failure)] {
                let property = OperatorProperty(
                    "faulty", inputs: inputs, inputs == 1 ? .asksAhead : [.dependsOnDemand, .asksAhead],
                    model: Self.model
                ) { upstreams, _ in Faulty(fault: fault, upstreams: upstreams) }
                .keeping(QueueModel(overtaking: overtaking))
                let scenarios = property.scenarios
                let title = "\(fault) \(inputs)\(overtaking == .failure ? ", a failure overtakes" : "")"
                lines += WrittenReport.cases(title, 60) { choices in
                    let scenario = scenarios.draw(&choices)
                    do {
                        try property.check(scenario)
                        return ("", nil)
                    } catch {
                        return ("\(scenario)", "\(error)")
                    }
                }
            }
        }
        try WrittenReport.expect("Scenarios", lines)
    }

    @Test("The interleavings in which each faulty operator is found out, and how")
    func interleavings() throws {
        var lines: [String] = []
        for fault in Fault.allCases {
            for inputs in 1...2 {
                for isTimed in [false, true] {
                    let property = InterleavingProperty(
                        "faulty", inputs: inputs, model: Self.model, isTimed: isTimed, asksAhead: true
                    ) { upstreams, _ in Faulty(fault: fault, upstreams: upstreams) }
                    lines += WrittenReport.cases("\(fault) \(inputs)\(isTimed ? " timed" : "")", 60, shown: 1) {
                        choices in
                        let plan = InterleavingPlan(inputs: inputs, isTimed: isTimed, &choices)
                        let run = InterleavingRun(property, plan, Interleaver(choices))
                        return ("\(run.plan)\n\(run.trace)", run.problem)
                    }
                }
            }
        }
        try WrittenReport.expect("Interleavings", lines)
    }

    @Test("The same seeds draw the same cases")
    func generators() throws {
        var lines: [String] = []
        for inputs in 0...3 {
            for isBursty in [false, true] {
                let durations: [VirtualTime.Stride] = isBursty ? [.milliseconds(7), .seconds(3)] : []
                let scenarios = OperatorScenario.random(inputs: inputs, isBursty: isBursty, around: durations)
                lines += WrittenReport.cases("\(inputs) upstreams\(isBursty ? ", bursts" : "")", 5, shown: 5) {
                    choices in
                    let scenario = scenarios.draw(&choices)
                    return ("\(scenario)", "\(scenario.labels)")
                }
            }
        }
        try WrittenReport.expect("Generators", lines)
    }

    @Test("Failing choices are made smaller in the same steps")
    func shrinking() throws {
        let predicates: [(String, ([UInt64]) -> Bool)] = [
            ("a sum above 100", { $0.reduce(0, &+) > 100 }),
            ("two that are equal", { Set($0).count < $0.count }),
            ("many, the first of them large", { $0.count > 3 && $0[0] > 17 }),
            ("one that falls", { zip($0, $0.dropFirst()).contains { $0 > $1 + 9 } }),
            ("a large one behind ten", { $0.count > 10 && $0[10...].contains { $0 > 77 } }),
        ]
        var lines: [String] = []
        for (name, fails) in predicates {
            for budget in [0, 1, 10, 40, 4_000] {
                lines += WrittenReport.cases("\(name), \(budget) tries", 12, shown: 3) { choices in
                    let numbers = choices.array(upTo: 30) { $0.next(below: 100) }
                    guard fails(numbers) else { return ("", nil) }
                    var tries = 0
                    var shrinker = Shrinker(budget: budget) { numbers in
                        tries += 1
                        return fails(numbers) ? numbers : nil
                    }
                    return ("\(numbers)", "\(shrinker.shrink(numbers)) after \(tries)")
                }
            }
        }
        try WrittenReport.expect("Shrinking", lines)
    }
}
