import Foundation
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
}
