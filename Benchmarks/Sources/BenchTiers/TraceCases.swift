/// The share of accesses that find their key, of each policy on each trace.
enum TraceCases {
    static func run(_ report: inout Report) {
        for capacity in [100, 1_000] {
            for trace in Trace.all(capacity: capacity) {
                let title = "hit ratio, \(trace.name), a cache of \(capacity)"
                let recent = ratio(LastUsePolicy.self, trace, capacity)
                // Going round and looking through is what it is there for.
                let isGain = trace.name == "scan" || trace.name == "loop"
                add(
                    DefaultPolicy.self, trace, capacity, title, &report,
                    goal: .atLeast(isGain ? recent + 10 : recent - 1))
                report.add(title, LastUsePolicy.name, recent, "%")
                // Linear in its size for each insertion: enough of it is measured on the small cache.
                if capacity == 100 { add(FoundationPolicy.self, trace, capacity, title, &report) }
                add(SievePolicy.self, trace, capacity, title, &report)
                add(S3FIFOPolicy.self, trace, capacity, title, &report)
                add(TwoQueuePolicy.self, trace, capacity, title, &report)
                add(TinyLFUPolicy.self, trace, capacity, title, &report)
            }
        }
    }

    private static func add(
        _ policy: any TracePolicy.Type, _ trace: Trace, _ capacity: Int, _ title: String, _ report: inout Report,
        goal: Row.Goal? = nil
    ) {
        report.add(title, policy.name, ratio(policy, trace, capacity), "%", goal: goal)
    }

    private static func ratio(_ type: any TracePolicy.Type, _ trace: Trace, _ capacity: Int) -> Double {
        var policy = type.init(capacity: capacity, keys: (trace.keys.max() ?? 0) + 1)
        var hits = 0
        for key in trace.keys where policy.access(key) { hits += 1 }
        return 100 * Double(hits) / Double(trace.keys.count)
    }
}
