import CAllocations

/// One figure: a case, whose implementation, and what an element (or a subscription) of it costs.
struct Figure: Sendable {
    let scenario: String
    let subject: String
    let nanoseconds: Double
    let allocations: Double
}

/// Runs each subject of a case in turn, nine rounds, and takes the median of each: the machine's drift hits all alike.
func measure(_ scenario: String, per elements: Int, _ subjects: [(String, @Sendable () -> Void)]) -> [Figure] {
    let rounds = 9
    var nanoseconds = subjects.map { _ in [Double]() }
    var allocations = subjects.map { _ in 0 }
    for (_, run) in subjects { run() }
    for _ in 0..<rounds {
        for (index, (_, run)) in subjects.enumerated() {
            let before = allocations_so_far()
            let elapsed = ContinuousClock().measure(run)
            allocations[index] = allocations_so_far() - before
            let (seconds, attoseconds) = elapsed.components
            nanoseconds[index].append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(elements))
        }
    }
    return subjects.indices.map { index in
        Figure(
            scenario: scenario, subject: subjects[index].0, nanoseconds: nanoseconds[index].sorted()[rounds / 2],
            allocations: Double(allocations[index]) / Double(elements))
    }
}
