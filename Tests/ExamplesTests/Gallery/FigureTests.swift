import Foundation
import Testing

@testable import Figures

@Suite("Figures of the examples")
struct FigureTests {
    @Test("A goal holds at its bound, and what is no number meets none")
    func goals() {
        #expect(Figure("a", 2, "s", .atMost(2)).holds)
        #expect(!Figure("a", 2.1, "s", .atMost(2)).holds)
        #expect(Figure("a", 2, "", .atLeast(2)).holds)
        #expect(!Figure("a", 3, "", .exactly(2)).holds)
        #expect(Figure("a", Double.nan).holds)
        #expect(!Figure("a", Double.nan, "", .atMost(1)).holds)
    }

    @Test("The file is JSON with a line for each figure, and the status tells whether all goals are met")
    func json() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "figures-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var figures = Figures()
        figures.add(Figure("fine", 1.5, "MB", .atMost(2)), Figure("missing", Double.nan))
        #expect(figures.report(arguments: ["program", "--json", path]) == 0)
        figures.add(Figure("bad", isSo: false))
        #expect(figures.report(arguments: ["program", "--json", path]) == 1)
        let data = try Data(contentsOf: URL(filePath: path))
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(list.map { $0["figure"] as? String } == ["fine", "missing", "bad"])
        #expect(list.map { $0["holds"] as? Bool } == [true, true, false])
        #expect(list[0]["goal"] as? String == "at most 2")
    }

    @Test("They take the place of earlier ones and of nothing, and never of another file")
    func replacing() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "figures-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var figures = Figures()
        figures.add(Figure("fine", 1))
        let line = "[\n  {\"figure\": \"my own notes\", \"value\": 1}\n"
        for content in [
            "", "\n", "{}", "[\n", "\(line)]\nMORE", "\(line)MORE\n]\n", "[\n  {\"case\": \"a\"}\n]\n", "a photo",
        ] {
            try content.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(figures.write(to: path) == content.isEmpty)
            if !content.isEmpty { #expect(try String(contentsOfFile: path, encoding: .utf8) == content) }
            try? FileManager.default.removeItem(atPath: path)
        }
        #expect(figures.write(to: path))
        figures.add(Figure("more", 2))
        #expect(figures.write(to: path))
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("more"))
        #expect(figures.write(to: "/dev/null"))
        try? FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        // Nobody reads it.
        #expect(!figures.write(to: path))
    }
}
