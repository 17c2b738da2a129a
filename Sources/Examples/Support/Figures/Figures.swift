import CLibrary

/// The figures of a program's run.
public struct Figures: Sendable {
    /// All of them.
    public private(set) var all: [Figure] = []

    /// Creates a list without figures.
    public init() {}

    /// Whether every goal is met.
    public var hold: Bool { all.allSatisfy(\.holds) }

    /// Adds figures.
    ///
    /// - Parameter figures: The figures to add.
    public mutating func add(_ figures: Figure...) { all += figures }

    /// Prints the figures as a table, and writes them as JSON if the program's arguments have `--json FILE`.
    ///
    /// - Returns: The status that the program should end with: 0 if every goal is met.
    public func report(arguments: [String] = CommandLine.arguments) -> Int32 {
        for figure in all { print(figure.line) }
        guard let option = arguments.firstIndex(of: "--json"), option + 1 < arguments.count else { return hold ? 0 : 1 }
        return write(to: arguments[option + 1]) && hold ? 0 : 1
    }

    /// Writes the figures as JSON, and says so where that fails.
    ///
    /// - Parameter path: The path of the file: a new one, or that of earlier figures.
    /// - Returns: `true` if it was written.
    public func write(to path: String) -> Bool {
        let text = "[\n" + all.map { "\(Self.indent)\($0.json)" }.joined(separator: ",\n") + "\n]\n"
        return ReportFile.write(Array(text.utf8), to: path, inPlaceOf: Self.areFigures)
    }

    private static let indent = "  "

    /// Whether a text is figures as they are written, and nothing else.
    private static func areFigures(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines[0] == "[", lines.suffix(2) == ["]", ""] else { return false }
        return lines[1..<(lines.count - 2)].allSatisfy {
            $0.isEmpty || $0.hasPrefix("\(indent){\"figure\": \"") && ($0.hasSuffix("}") || $0.hasSuffix("},"))
        }
    }
}
