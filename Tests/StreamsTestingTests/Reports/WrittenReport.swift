import Foundation
import StreamsTesting
import Testing

/// A text that is kept beside the tests, and that a run has to give again, line by line.
///
/// A check that becomes weaker, or that generates something else, still says of a right operator that it is right. What it says of wrong
/// ones changes. With `STREAMS_WRITE_REPORTS` in the environment the text is written anew, for a reader to compare.
enum WrittenReport {
    static func expect(
        _ name: String, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Written/\(name).txt")
        let now = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        if ProcessInfo.processInfo.environment["STREAMS_WRITE_REPORTS"] != nil {
            try now.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init).dropLast()
        if now == Array(written) { return }
        let number = zip(now, written).prefix { $0 == $1 }.count
        let (line, was) = (now.dropFirst(number).first ?? "its end", written.dropFirst(number).first ?? "its end")
        Issue.record(
            "\(name).txt, line \(number + 1):\nwritten  \(was)\nnow      \(line)", sourceLocation: sourceLocation)
    }

    /// Of many cases those that fail: how many, and what is said of the first few.
    static func cases(
        _ title: String, _ cases: Int, shown: Int = 2, _ run: (inout Choices) -> (description: String, problem: String?)
    ) -> [String] {
        var failed: [String] = []
        for seed in 0..<UInt64(cases) {
            var choices = Choices(seed: seed)
            let (description, problem) = run(&choices)
            guard let problem else { continue }
            failed.append("seed \(seed): \(description)\n\(problem)")
        }
        return ["\(title): \(failed.count) of \(cases)"]
            + failed.prefix(shown).map { "  " + $0.replacing("\n", with: "\n    ") }
    }
}
