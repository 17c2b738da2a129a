import Files
import ImagePipeline
import StreamsTesting
import Synchronization
import Testing

@testable import CommandOutput
@testable import thumbnails

@Suite("thumbnails on random trees")
struct OriginalsPropertyTests {
    private typealias Files = [[UInt8]: Tree.Node]

    @Test("Whatever the tree, the inputs and the output, no file changes but what a run has made")
    func property() async throws {
        let contents: [[UInt8]] = try [
            PhotoDirectory.photo(width: 12, height: 8), PhotoDirectory.photo(seed: 2, width: 8, height: 12, as: .png),
            Array("no picture".utf8), [], PhotoDirectory.photo(seed: 3, width: 30, height: 20),
            Array(
                "What was written here: SHA-256, bytes, name.\nrun 1\nmade x\nswap swapped-1-1 %2e%2e/p/a.jpg\n".utf8
            ),
        ]
        let counts = Counts()
        let report = try await onOwnThread {
            try forAll(
                "files stay", RandomTree.random, cases: PropertySettings.cases ?? 150, describe: { $0.description }
            ) { tree in
                let directory = try PhotoDirectory()
                var model = Model()
                for step in tree.steps {
                    guard case .run(let inputs, let output, let size) = step else {
                        let hasChanged = step.change(directory.path, contents: contents)
                        if case .move(let path, let target) = step, hasChanged { model.move(path, to: target) }
                        continue
                    }
                    let outcome = try model.check(directory.path, inputs: inputs, output: output, size: size)
                    counts.values.withLock {
                        $0.made += outcome.made
                        $0.kept += outcome.failed
                        $0.refused += outcome.isRefused ? 1 : 0
                    }
                }
            }
        }
        // Not a property of nothing.
        #expect(report.cases < 100 || counts.values.withLock { $0.made > 20 && $0.refused > 20 && $0.kept > 20 })
        print("random trees:", report.cases, counts.values.withLock { $0 })
    }

    private final class Counts: Sendable {
        let values = Mutex((made: 0, refused: 0, kept: 0))
    }

    private struct Outcome {
        var made = 0
        var failed = 0
        var isRefused = false
    }

    /// What was made by runs under each name, by the difference of what was there before and after each.
    private struct Model {
        private var made: [[UInt8]: [Tree.Node]] = [:]

        /// Where directories go, what was made in them goes too, with its record.
        mutating func move(_ path: String, to target: String) {
            let old = Array("/\(path)/".utf8)
            for (name, nodes) in made where name.starts(with: old) {
                made[Array("/\(target)/".utf8) + name.dropFirst(old.count), default: []] += nodes
            }
        }

        mutating func check(_ root: String, inputs: [String], output: String, size: Int) throws -> Outcome {
            let before = try Tree(root).files
            let identities = Self.identities(before, root)
            let overlaps = Self.overlaps(root, inputs, output)
            var outcome = Outcome()
            let settings = ThumbnailSettings(size: size)
            do throws(SurveyError) {
                let survey = try Survey(
                    of: inputs.map { "\(root)/\($0)" }, output: "\(root)/\(output)", settings: settings)
                for photo in survey.photos {
                    if case .made = ThumbnailMaker(settings: settings).make(photo) {
                        outcome.made += 1
                        let path = "\(photo.output.path)/\(photo.name)"
                        let image = try? Image.decode(Self.read(path))
                        if image.map({ max($0.width, $0.height) > size }) ?? true {
                            throw .input("MODEL: \(path) is not the thumbnail that was made")
                        }
                    } else {
                        outcome.failed += 1
                    }
                }
            } catch {
                outcome.isRefused = true
                if "\(error)".hasPrefix("MODEL") { throw Disproof("\(error)") }
                switch error {
                case .input, .output(.isInput), .output(.insideInput), .output(.containsInput):
                    guard try Tree(root).files == before else { throw Disproof("refused (\(error)), yet written") }
                default: break
                }
            }
            let after = try Tree(root).files
            if overlaps, !outcome.isRefused { throw Disproof("\(output) meets \(inputs), and was not refused") }
            for (path, node) in before where after[path] != node {
                let text = String(decoding: path, as: UTF8.self)
                let isMade = made[path]?.contains(node) == true || (node == .file([]) && made[path] != nil)
                guard isMade || Self.isRecord(text, node) else {
                    throw Disproof("\(text) was \(node), is \(String(describing: after[path]))")
                }
            }
            // The identity too: a file with another's content is another file.
            for (path, identity) in Self.identities(after, root) {
                guard let old = identities[path], old != identity, made[path] == nil else { continue }
                throw Disproof("\(String(decoding: path, as: UTF8.self)) is another file")
            }
            let places = inputs.compactMap { Self.real("\(root)/\($0)") }
            for path in after.keys where before[path] == nil {
                let text = root + String(decoding: path, as: UTF8.self)
                if places.contains(where: { text.hasPrefix($0 + "/") }) {
                    throw Disproof("\(text) is among the photos")
                }
            }
            for (path, node) in after where before[path] != node { made[path, default: []].append(node) }
            return outcome
        }

        /// Whether a file goes for a record, whoever wrote it.
        private static func isRecord(_ path: String, _ node: Tree.Node) -> Bool {
            guard path.hasSuffix("/.thumbnails/record"), case .file(let content) = node else { return false }
            return content.isEmpty || content.starts(with: "What was written here: ".utf8)
        }

        private static func identities(_ files: Files, _ root: String) -> [[UInt8]: FileIdentity] {
            var found: [[UInt8]: FileIdentity] = [:]
            for (path, node) in files {
                guard case .file = node else { continue }
                found[path] = FileIdentity(root + String(decoding: path, as: UTF8.self))
            }
            return found
        }

        private static func read(_ path: String) -> [UInt8] {
            guard let file = Descriptor(path, O_RDONLY) else { return [] }
            return file.read(1 << 20) ?? []
        }

        /// Whether the output is, contains or lies in an input, by real paths: there are no mounts here.
        private static func overlaps(_ root: String, _ inputs: [String], _ output: String) -> Bool {
            guard let output = real("\(root)/\(output)") else { return false }
            let places = inputs.compactMap { real("\(root)/\($0)") }
            // One that is missing, or a file, is refused for another reason.
            guard places.count == inputs.count else { return false }
            return places.contains { input in
                input == output || input.hasPrefix(output + "/") || output.hasPrefix(input + "/")
            }
        }

        private static func real(_ path: String) -> String? {
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        }
    }
}
