import Foundation
import Testing

/// What the library's source declares as public.
struct PublicSource {
    /// A method or property that is public, with the comment above it.
    struct Member {
        let name: String
        let file: String
        let line: Int
        let comment: [String]
        /// The protocol or type that is extended, or the type it stands in.
        let container: String
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Streams")

    private(set) var members: [Member] = []
    private(set) var types: Set<String> = []

    init() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            try read(file)
        }
    }

    /// What articles name in double backticks, up to a slash or a bracket.
    static func articleLinks() throws -> [(article: String, type: String)] {
        let catalogue = sources.appending(path: "Streams.docc")
        let articles = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        return try articles.filter { $0.pathExtension == "md" }.flatMap { article in
            let text = try String(contentsOf: article, encoding: .utf8)
            return text.matches(of: /``([A-Z][A-Za-z]*)[^`\n]*``/).map {
                (article.lastPathComponent, String($0.output.1))
            }
        }
    }

    private mutating func read(_ file: URL) throws {
        var comment: [String] = []
        var container = ""
        for (index, line) in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("///") {
                comment.append(text.dropFirst(3).trimmingCharacters(in: .whitespaces))
                continue
            }
            if text.hasPrefix("@") && !text.contains("func ") && !text.contains("struct ") { continue }
            if line.hasPrefix("extension ") || line.hasPrefix("public protocol ") {
                container =
                    text.split(separator: " ").dropFirst(line.hasPrefix("public") ? 2 : 1).first.map {
                        String($0.prefix { $0 != "<" && $0 != ":" })
                    } ?? ""
            }
            for kind in ["struct", "class", "enum", "protocol", "typealias"]
            where text.hasPrefix("public ") || text.hasPrefix("extension ") {
                if let name = Self.name(after: "\(kind) ", in: text), text.hasPrefix("public ") { types.insert(name) }
            }
            for kind in ["func ", "var "] where text.hasPrefix("public ") || container == "ConnectablePublisher" {
                if let name = Self.name(after: kind, in: text) {
                    members.append(
                        Member(
                            name: name, file: file.lastPathComponent, line: index + 1, comment: comment,
                            container: container))
                }
            }
            comment = []
        }
    }

    private static func name(after keyword: String, in text: String) -> String? {
        guard let range = text.range(of: keyword) else { return nil }
        let name = text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }
        return name.isEmpty ? nil : name.replacingOccurrences(of: "`", with: "")
    }
}
