import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

// mutator SOURCE DESTINATION LIST [--first NUMBER] [--without NUMBERS] [--prelude FILE] [FOLDER…]
//
// Copies the Swift files below SOURCE to DESTINATION, those below the folders named (or all) with faults, each asleep. LIST gets a line of
// JSON for each fault. A file that is there already with the same content stays as it is, so that it is not compiled again. NUMBERS
// has the numbers of faults that are not planted, one on a line: those that do not compile. FILE is code that is put behind our own.
// NUMBER is that of the first fault, where other modules have some before.
@main
struct Program {
    static func main() throws {
        var words = CommandLine.arguments.dropFirst()
        func option(_ name: String) -> String? {
            guard let place = words.firstIndex(of: name), place + 1 < words.endIndex else { return nil }
            defer { words.removeSubrange(place...(place + 1)) }
            return words[place + 1]
        }
        let without = try option("--without").map { path in
            Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { Int($0) })
        }
        let first = option("--first").flatMap { Int($0) } ?? 0
        let own = try option("--prelude").map { try String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        guard words.count >= 3, let source = words.popFirst(), let destination = words.popFirst(),
            let list = words.popFirst()
        else {
            print(
                "usage: mutator SOURCE DESTINATION LIST [--first NUMBER] [--without NUMBERS] [--prelude FILE] [FOLDER…]"
            )
            exit(2)
        }
        let folders = Array(words)
        var faults: [Fault] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: source).sorted() where path.hasSuffix(".swift")
        {
            var text = Array(try Data(contentsOf: URL(fileURLWithPath: "\(source)/\(path)")))
            if folders.isEmpty || folders.contains(where: { path.hasPrefix("\($0)/") }) {
                let tree = OperatorTable.standardOperators.foldAll(
                    Parser.parse(source: String(decoding: text, as: UTF8.self))
                ) {
                    _ in
                }
                guard let file = tree.as(SourceFileSyntax.self) else { continue }
                let finder = FaultFinder(file, path: path, first: first + faults.count, without: without ?? [])
                finder.walk(file)
                faults += finder.faults
                text = finder.edits.applied(to: text)
            }
            try write(text, to: "\(destination)/\(path)")
        }
        try write(Array((Prelude.text(end: first + faults.count) + own).utf8), to: "\(destination)/Mutants.swift")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try faults.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try write(Array(lines.joined().utf8), to: list)
    }

    private static func write(_ text: [UInt8], to path: String) throws {
        let place = URL(fileURLWithPath: path)
        if let there = try? Data(contentsOf: place), Array(there) == text { return }
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text).write(to: place)
    }
}
