import Foundation

/// One figure, and the bounds that it has to keep, if any.
struct Row: Encodable {
    let `case`: String
    let subject: String
    let value: Double
    let unit: String
    let goal: Goal?

    enum Goal: Encodable, CustomStringConvertible {
        case atMost(Double)
        case atLeast(Double)

        func holds(for value: Double) -> Bool {
            switch self {
            case .atMost(let bound): value <= bound
            case .atLeast(let bound): value >= bound
            }
        }

        var description: String {
            switch self {
            case .atMost(let bound): "at most \(rounded(bound))"
            case .atLeast(let bound): "at least \(rounded(bound))"
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }
}

/// The table on standard output, and the same figures as JSON.
struct Report {
    private var rows: [Row] = []
    private(set) var missed = 0
    private var title = ""

    mutating func add(_ name: String, _ subject: String, _ value: Double, _ unit: String, goal: Row.Goal? = nil) {
        if name != title { print("\n\(name)") }
        title = name
        let holds = goal?.holds(for: value) ?? true
        if !holds { missed += 1 }
        let verdict = goal.map { "\($0)\(holds ? "" : "   MISSED")" } ?? ""
        print("  \(padded(subject, 44))\(leading(rounded(value), 10)) \(padded(unit, 14))\(verdict)")
        rows.append(Row(case: name, subject: subject, value: (value * 1_000).rounded() / 1_000, unit: unit, goal: goal))
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: path))
    }
}

private func rounded(_ value: Double) -> String {
    value >= 1_000 ? "\(Int(value.rounded()))" : "\((value * 100).rounded() / 100)"
}

private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
}

private func leading(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
