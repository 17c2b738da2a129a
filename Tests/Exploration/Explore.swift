import Testing

@testable import Streams

/// One case of a primitive: what the threads do, and what has to hold when all have ended.
struct Scenario: Sendable {
    let lanes: [@Sendable () -> Void]
    /// Returns what is wrong; nil where all is well.
    let verdict: @Sendable () -> String?
}

/// What an exploration has seen.
struct Explored: CustomStringConvertible {
    var executions = 0
    /// The moments at which more than one thread could have gone on.
    var states = 0
    var longest = 0
    /// Whether there is nothing more within the bound.
    var isComplete = false
    var failure: String?

    var description: String {
        "\(executions) executions, \(states) states, up to \(longest) points each, "
            + (isComplete ? "all there are" : "not all there are")
    }
}

/// Runs a scenario in every order of its points in which at most so many turns are taken from a thread that could go on.
func explore(
    preemptions: Int = .max, limit: Int = 200_000, _ scenario: () -> Scenario
) -> Explored {
    var explored = Explored()
    var plan: [Int]? = []
    while let next = plan, explored.executions < limit {
        let scenario = scenario()
        let execution = Execution(next)
        execution.run(scenario.lanes)
        explored.executions += 1
        explored.longest = max(explored.longest, execution.points.count)
        explored.states += execution.points[min(next.count, execution.points.count)...].count {
            $0.candidates.count > 1
        }
        if let problem = execution.isDeadlocked ? "they wait for each other" : scenario.verdict() {
            explored.failure = "\(problem), when the turns are \(execution.points.map(\.chosen))"
            return explored
        }
        plan = following(execution.points, preemptions)
    }
    explored.isComplete = plan == nil
    return explored
}

/// The plan that comes next: the last choice that has an alternative takes it.
private func following(_ points: [Execution.Point], _ bound: Int) -> [Int]? {
    for index in points.indices.reversed() {
        let point = points[index]
        // Whoever keeps the turn comes first, then the others.
        let first = point.current ?? point.candidates[0]
        let order = [first] + point.candidates.filter { $0 != first }
        guard let place = order.firstIndex(of: point.chosen), place + 1 < order.count else { continue }
        if point.current != nil, point.preemptions + 1 > bound { continue }
        return points[..<index].map(\.chosen) + [order[place + 1]]
    }
    return nil
}
