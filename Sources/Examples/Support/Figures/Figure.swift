/// A measured figure and the goal that it is held against.
public struct Figure: Sendable {
    /// A bound of a figure.
    public enum Goal: Sendable {
        case atMost(Double)
        case atLeast(Double)
        case exactly(Double)
    }

    /// The name of the measurement.
    public let name: String
    /// The value that was measured.
    public let value: Double
    /// The unit of the value; empty for a count.
    public let unit: String
    /// The bound that it is held against; nil for a figure that is only reported.
    public let goal: Goal?

    /// Creates a figure.
    ///
    /// - Parameters:
    ///   - name: The name of the measurement.
    ///   - value: The value that was measured.
    ///   - unit: The unit of the value; empty for a count.
    ///   - goal: The bound that it is held against; nil for a figure that is only reported.
    public init(_ name: String, _ value: Double, _ unit: String = "", _ goal: Goal? = nil) {
        (self.name, self.value, self.unit, self.goal) = (name, value, unit, goal)
    }

    /// Creates a figure that counts.
    ///
    /// - Parameters:
    ///   - name: What is counted.
    ///   - count: How many there are.
    ///   - unit: The unit of the value; empty for a count.
    ///   - goal: The bound that it is held against; nil for a figure that is only reported.
    public init(_ name: String, _ count: Int, _ unit: String = "", _ goal: Goal? = nil) {
        self.init(name, Double(count), unit, goal)
    }

    /// Creates the figure of something that has to be so: 1 if it is.
    ///
    /// - Parameters:
    ///   - name: What has to be so.
    ///   - isSo: Whether it is.
    public init(_ name: String, isSo: Bool) {
        self.init(name, isSo ? 1 : 0, "", .exactly(1))
    }

    /// Whether the goal is met; what is no number meets none.
    public var holds: Bool {
        switch goal {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        case .exactly(let wanted): value == wanted
        case nil: true
        }
    }

    private var goalText: String? {
        switch goal {
        case .atMost(let limit): "at most \(Self.text(limit))"
        case .atLeast(let limit): "at least \(Self.text(limit))"
        case .exactly(let wanted): "exactly \(Self.text(wanted))"
        case nil: nil
        }
    }

    /// A line of a table.
    var line: String {
        let label = name + String(repeating: " ", count: max(1, 46 - name.count))
        let verdict = goalText.map { "  (\($0)\(holds ? "" : ": NOT MET"))" } ?? ""
        return "  \(label)\(Self.text(value))\(unit.isEmpty ? "" : " \(unit)")\(verdict)"
    }

    var json: String {
        let number = value.isFinite ? "\(value)" : "null"
        return """
            {"figure": "\(name)", "value": \(number), "unit": "\(unit)", \
            "goal": \(goalText.map { "\"\($0)\"" } ?? "null"), "holds": \(holds)}
            """
    }

    private static func text(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
