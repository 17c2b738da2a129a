import CAllocations

/// One thing to measure, and those who do it: the floor first, then us, then the peers.
struct Case: Sendable {
    let name: String
    /// How many values, or subscriptions, one run of a subject handles.
    let elements: Int
    var subjects: [Subject]

    init(_ name: String, per elements: Int, _ subjects: [Subject]) {
        self.name = name
        self.elements = elements
        self.subjects = subjects
    }
}

/// Who does it, and how.
struct Subject: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}

/// What an element costs.
struct Figure: Sendable {
    let subject: String
    let nanoseconds: Double
    let allocations: Double
}

extension Case {
    /// Runs each subject in turn, nine rounds, and takes the median of each: the machine's drift hits all alike. What one
    /// has freed is put in order before the next, which else would do that work when it asks for a large block.
    func measured() -> [Figure] {
        let rounds = 9
        var nanoseconds = subjects.map { _ in [Double]() }
        for subject in subjects { subject.run() }
        let allocations = subjects.map { subject in
            begin_counting_allocations()
            subject.run()
            return Double(end_counting_allocations()) / Double(elements)
        }
        for _ in 0..<rounds {
            for (index, subject) in subjects.enumerated() {
                join_free_memory()
                let elapsed = ContinuousClock().measure(subject.run)
                let (seconds, attoseconds) = elapsed.components
                nanoseconds[index].append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(elements))
            }
        }
        return subjects.indices.map { index in
            Figure(
                subject: subjects[index].name, nanoseconds: nanoseconds[index].sorted()[rounds / 2],
                allocations: allocations[index])
        }
    }
}
