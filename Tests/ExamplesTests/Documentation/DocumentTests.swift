import FoundationEssentials
import Testing

/// Code in the README and in the articles is code that compiles: each block marked `swift` names, in a comment right above
/// it, a file of this package that has the same lines, one after the other.
@Suite("The README and the articles")
struct DocumentTests {
    private struct Block {
        let lines: [String]
        /// The path of the compiled file, from the package's root.
        let source: String?
    }

    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    private func lines(of path: String) throws -> [String] {
        try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static let catalogues = [
        "Sources/Streams/Streams.docc", "Sources/StreamsTesting/StreamsTesting.docc",
        "Sources/ImageCodecs/ImageCodecs.docc", "Sources/ImageColour/ImageColour.docc",
        "Sources/ImagePipeline/ImagePipeline.docc",
        "Sources/ImagePipelineTesting/ImagePipelineTesting.docc",
    ]

    /// The README and every article.
    private func documents() throws -> [String] {
        try ["README.md"]
            + Self.catalogues.flatMap { catalogue in
                try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(catalogue)")
                    .filter { $0.hasSuffix(".md") }.map { "\(catalogue)/\($0)" }.sorted()
            }
    }

    private func blocks(of document: String) throws -> [Block] {
        var blocks: [Block] = []
        var open: [String]?
        var source: String?
        for line in try lines(of: document) {
            if line.hasPrefix("```") {
                if let lines = open { blocks.append(Block(lines: lines, source: source)) }
                open = open == nil && line == "```swift" ? [] : nil
                if open == nil { source = nil }
            } else if open != nil {
                open?.append(line)
            } else if line.hasPrefix("<!-- compiled in ") {
                source = String(line.dropFirst("<!-- compiled in ".count).dropLast(" -->".count))
            } else if !line.isEmpty {
                source = nil
            }
        }
        return blocks
    }

    /// The lines without the indentation they share.
    private func flush(_ lines: [String]) -> [String] {
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indentation)) }
    }

    @Test("Each block of Swift stands in a file that is compiled")
    func compiled() throws {
        let blocks = try documents().flatMap { document in try self.blocks(of: document).map { (document, $0) } }
        #expect(blocks.count > 10)
        for (document, block) in blocks {
            let first = block.lines.first ?? ""
            let source = try #require(block.source, "a block without a file in \(document): \(first)")
            let compiled = try lines(of: source)
            let wanted = flush(block.lines)
            let found = compiled.indices.dropLast(max(0, wanted.count - 1)).contains { start in
                flush(Array(compiled[start..<(start + wanted.count)])) == wanted
            }
            #expect(found, "\(source) does not have the lines of \(document) from: \(first)")
        }
    }

    @Test(
        "Every file and folder that these pages name is there",
        arguments: [
            "README.md", "CONTRIBUTING.md", "docs/Architecture.md",
        ])
    func paths(_ page: String) throws {
        let text = try lines(of: page).joined(separator: "\n")
        let words = text.split { " \n`()|".contains($0) }
        let paths = words.filter { word in
            ["scripts/", "Sources/", "Tests/", "Benchmarks/", "docs/"].contains { word.hasPrefix($0) }
        }
        #expect(paths.count > 5)
        for path in paths {
            let clean = path.last.map(".,;:".contains) == true ? path.dropLast() : path
            #expect(FileManager.default.fileExists(atPath: "\(Self.root)/\(clean)"), "\(page): \(clean) is not there")
        }
    }
}
