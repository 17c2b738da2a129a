import Files
import StreamsTesting

@testable import thumbnails

/// A tree of directories, files and links that is made by random steps, with runs of `thumbnails` between them.
struct RandomTree: CustomStringConvertible {
    enum Step: Sendable {
        /// A directory with those above it.
        case directory(String)
        /// A file, in place of one that has the name, with one of several contents.
        case file(String, content: Int)
        /// A symbolic or a hard link to something below the root.
        case alias(String, to: String, isHard: Bool)
        case removal(String)
        case move(String, to: String)
        /// A run with inputs, output and a size.
        case run([String], output: String, size: Int)
    }

    let steps: [Step]

    static let random = Gen { choices in
        // Something to begin with, and something to be run at the end.
        let photos = [Step.file("p/a.jpg", content: 0), .file("q/p/b.png", content: 1)]
        let steps = choices.array(upTo: 30) { step(&$0) }
        return RandomTree(steps: photos + steps + [run(&choices)])
    }

    var description: String { steps.map { "\($0)" }.joined(separator: "\n") }

    private static let folders = ["p", "q", "P"]
    private static let files = [
        "a.jpg", "a.jpg", "b.png", "b.png.jpg", "A.JPG", "p", "n.txt", "\u{E9}.jpg", "e\u{301}.jpg", "new\nline.jpg",
        "%41.jpg", ".thumbnails", ".thumbnails/record", ".thumbnails/x", "\u{301}.jpg", ".unfinished-1",
    ]

    private static func step(_ choices: inout Choices) -> Step {
        switch choices.int(in: 0...15) {
        case 0...1: .directory(folder(&choices))
        case 2...7: .file(file(&choices), content: choices.int(in: 0...5))
        case 8:
            .alias(choices.chance(1, of: 2) ? file(&choices) : folder(&choices), to: folder(&choices), isHard: false)
        case 9: .alias(file(&choices), to: file(&choices), isHard: choices.chance(2, of: 3))
        case 10: .removal(file(&choices))
        case 11: .move(folder(&choices), to: folder(&choices))
        default: run(&choices)
        }
    }

    private static func run(_ choices: inout Choices) -> Step {
        var inputs = [folder(&choices)]
        if choices.chance(1, of: 4) { inputs.append(folder(&choices)) }
        let output =
            switch choices.int(in: 0...9) {
            case 0...6: "out"
            case 7: "\(inputs[0])/../\(folder(&choices))"
            case 8: "out/\(folder(&choices))/./"
            default: folder(&choices)
            }
        return .run(inputs, output: output, size: choices.int(in: 8...10))
    }

    private static func folder(_ choices: inout Choices) -> String {
        let depth = choices.element(of: [1, 1, 1, 2, 2, 3])
        return (0..<depth).map { _ in choices.element(of: folders) }.joined(separator: "/")
    }

    private static func file(_ choices: inout Choices) -> String {
        let place = choices.chance(1, of: 2) ? "out" : folder(&choices)
        return "\(place)/\(choices.element(of: files))"
    }
}

extension RandomTree.Step {
    /// Does it below a root, if that is possible there, a run apart.
    ///
    /// - Returns: whether it was.
    func change(_ root: String, contents: [[UInt8]]) -> Bool {
        switch self {
        case .directory(let path):
            Self.make("\(root)/\(path)")
            return true
        case .file(let path, let number):
            Self.make(root + "/" + Self.parent(path))
            // A new file, as programs leave one that write safely.
            unlink("\(root)/\(path)")
            guard let file = fopen("\(root)/\(path)", "wb") else { return false }
            let content = contents[number]
            fwrite(content, 1, content.count, file)
            return fclose(file) == 0
        case .alias(let path, let target, let isHard):
            Self.make(root + "/" + Self.parent(path))
            let make = isHard ? link : symlink
            return make("\(root)/\(target)", "\(root)/\(path)") == 0
        case .removal(let path): return unlink("\(root)/\(path)") == 0
        case .move(let path, let target): return rename("\(root)/\(path)", "\(root)/\(target)") == 0
        case .run: return false
        }
    }

    private static func parent(_ path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    private static func make(_ path: String) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/\(part)"
            mkdir(made, 0o755)
        }
    }
}
