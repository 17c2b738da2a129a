import FoundationEssentials

/// The diagrams in the doc comments of operators: what the source says, beside what really happens.
public struct DocumentedDiagrams {
    /// A diagram in a source file.
    public struct Place: Sendable {
        /// The file's name, without its ending.
        public let file: String
        /// The operator whose comment it is in.
        public let name: String
        /// Its lines there.
        public let lines: Range<Int>
        /// What it shows.
        public let text: String
    }

    /// All of them, file by file.
    public let places: [Place]

    private let files: [(path: String, lines: [String])]

    /// - Parameter folder: Where the sources are.
    public init(in folder: String) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            .sorted()
        files = try paths.map { path in
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            return ("\(folder)/\(path)", text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
        places = files.flatMap { Self.places(in: $0.path, $0.lines) }
    }

    /// Writes each diagram as it really is into the files.
    public func write(_ diagrams: [Diagram]) throws {
        for file in files {
            let name = Self.name(of: file.path)
            var lines = file.lines
            // From the end, so that the lines before keep their numbers.
            for (place, diagram) in Self.pairs(places.filter { $0.file == name }, diagrams).reversed() {
                guard let diagram else { continue }
                let drawn = "\(diagram.drawn())".split(separator: "\n").map { "    ///     \($0)" }
                lines.replaceSubrange(place.lines, with: drawn)
            }
            if lines != file.lines {
                // It takes the file's place: that of the file itself, where this is a link to it.
                let path = URL(filePath: file.path).resolvingSymlinksInPath().path
                try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
    }

    /// The diagram of each place: the first of an operator in a file for the first, and so on.
    public static func pairs(_ places: [Place], _ diagrams: [Diagram]) -> [(place: Place, diagram: Diagram?)] {
        var used: [String: Int] = [:]
        return places.map { place in
            let key = "\(place.file) \(place.name)"
            let number = used[key, default: 0]
            used[key] = number + 1
            return (place, diagrams.filter { "\($0.file) \($0.name)" == key }.dropFirst(number).first)
        }
    }

    private static func name(of path: String) -> String {
        String((path.split(separator: "/").last ?? "").dropLast(".swift".count))
    }

    private static func places(in path: String, _ lines: [String]) -> [Place] {
        var places: [Place] = []
        var container = ""
        var block: Range<Int>?
        var found: Range<Int>?
        for (number, line) in lines.enumerated() {
            if line.hasPrefix("extension ") { container = String(line.dropFirst(10).prefix { $0.isLetter }) }
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///     ") {
                block = (block?.lowerBound ?? number)..<(number + 1)
                continue
            }
            // One line alone is code.
            if let ended = block, ended.count > 1, found == nil { found = ended }
            block = nil
            if text.hasPrefix("///") || (text.hasPrefix("@") && !text.contains("func ")) { continue }
            if ["Publisher", "ConnectablePublisher"].contains(container), text.hasPrefix("public func "), let found {
                let name = text.dropFirst("public func ".count).drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber }
                let shown = lines[found].map { $0.drop { $0 == " " }.dropFirst("///     ".count) }
                places.append(
                    Place(
                        file: Self.name(of: path), name: String(name), lines: found,
                        text: shown.joined(separator: "\n")))
            }
            found = nil
        }
        return places
    }
}
