import Foundation

/// What was counted, beside what it has to be.
struct Figure: Encodable {
    let figure: String
    let value: Int
    let unit: String
    let goal: Int
    let holds: Bool
}

/// The figures of a run: printed as they come, and written as JSON.
struct Figures {
    private var all: [Figure] = []

    var allHold: Bool { all.allSatisfy(\.holds) }

    /// - Parameter goal: The value that it has to have.
    mutating func add(_ name: String, _ value: Int, _ unit: String = "calls", goal: Int) {
        let figure = Figure(figure: name, value: value, unit: unit, goal: goal, holds: value == goal)
        all.append(figure)
        print("\(figure.holds ? "ok " : "NOT")  \(value) \(unit), \(goal) expected: \(name)")
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(all).write(to: URL(fileURLWithPath: path))
    }
}
