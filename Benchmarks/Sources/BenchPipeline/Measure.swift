import CAllocations
import Glibc

/// A figure of the table; a goal is the most that it may be.
struct Row: Sendable {
    let name: String
    let subject: String
    let value: Double
    let unit: String
    var goal: Double?

    var isMissed: Bool { goal.map { value > $0 } ?? false }

    var json: String {
        #"{"case": "\#(name)", "subject": "\#(subject)", "value": \#(value), "unit": "\#(unit)", "goal": \#(goal.map { "\($0)" } ?? "null")}"#
    }
}

enum Measure {
    /// The processor time of all threads, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The lowest processor time of several runs, in milliseconds.
    static func processorTime(rounds: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let before = processorTime
            try body()
            least = min(least, processorTime - before)
        }
        return least * 1_000
    }

    static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    /// The lowest wall time of several runs, in milliseconds.
    static func wallTime(rounds: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let elapsed = try ContinuousClock().measure { try body() }
            let (seconds, attoseconds) = elapsed.components
            least = min(least, Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
        }
        return least
    }

    /// The cost of one load of many: the rows of its time and of its allocations.
    static func overhead(_ name: String, _ subject: String, count: Int = 10_000, _ load: () -> Void) -> [Row] {
        var least = Double.infinity
        var allocations = Double.infinity
        for _ in 0..<5 {
            least = min(least, wallTime(rounds: 1) { for _ in 0..<count { load() } })
            begin_counting_allocations()
            for _ in 0..<count { load() }
            allocations = min(allocations, Double(end_counting_allocations()) / Double(count))
        }
        return [
            Row(name: name, subject: subject, value: (least * 1e6 / Double(count)).rounded(), unit: "ns"),
            Row(name: name, subject: subject, value: allocations.rounded(), unit: "allocations"),
        ]
    }
}
