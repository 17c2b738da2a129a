import Dispatch
import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Folders in a storm", .serialized)
struct FolderStormTests {
    @Test("Whatever threads do to files, folders and roots at once, the grid shows in the end what a walk finds")
    func storm() async throws {
        _ = try await onOwnThread {
            try forAll("a storm over two roots", StormPlan.generator, cases: 40) { plan in
                let folder = PhotoFolder()
                plan.prepare(folder)
                let roots = ["\(folder.path)/above/root", "\(folder.path)/link"]
                let library = try PhotoLibrary(
                    folders: roots, index: "\(folder.path)/.index", rescanInterval: .milliseconds(100))
                let followed = Followed(library)
                for round in plan.rounds {
                    DispatchQueue.concurrentPerform(iterations: round.count) { number in
                        for step in round[number] { step.perform(in: folder) }
                    }
                    try followed.showsWalk(through: roots)
                }
                followed.stop()
                try checkIndex(of: roots, in: folder)
            }
        }
    }

    @Test("Writers of an index that are killed leave one that is whole, and nothing beside it after the next start")
    func killedWriters() async throws {
        let folder = PhotoFolder()
        folder.makeFolder("photos")
        for number in 0..<300 { folder.write("photos/\(number).jpg") }
        let (photos, index) = ("\(folder.path)/photos", "\(folder.path)/index")
        func unfinished() throws -> Int {
            var count = 0
            try Directory.forEachName(in: folder.path) { if TemporaryFile.isName($0 ?? "") { count += 1 } }
            return count
        }
        for _ in 0..<4 {
            var writer = try ChildProcess("photo-watcher", [photos, index])
            #expect(writer.readLine() == "writing")
            // It is killed where it has begun to write and is not through, if that can be met.
            for _ in 0..<10_000 where writer.pause() {
                if try unfinished() > 0 { break }
                writer.signal(SIGCONT)
            }
            writer.kill()
            #expect(try unfinished() <= 1)
            #expect(LibraryIndex.read(index)?.listing.count == 300)
            let library = try PhotoLibrary(folders: [photos], index: index)
            await library.rescan()
            #expect(library.fetch().count == 300)
            #expect(try unfinished() == 0)
        }
    }

    /// What the index says, checked by a look at the disk, is what a walk finds.
    private func checkIndex(of roots: [String], in folder: PhotoFolder) throws {
        guard let library = try? PhotoLibrary(folders: roots, index: "\(folder.path)/.index") else { return }
        let followed = Followed(library)
        try followed.showsWalk(through: roots)
        followed.stop()
    }
}

/// What several threads do at once to two roots, of which one is a link, and to what is above them.
struct StormPlan: Sendable, CustomStringConvertible {
    struct Step: Sendable {
        let kind: Int
        let first: Int
        let second: Int
    }

    /// Each with a list of steps for every thread.
    let rounds: [[[Step]]]

    static let generator = Gen<StormPlan> { choices in
        // Nobody is told of what happens to a file under a name outside of the roots: with links all names stay inside.
        let hasLinks = choices.int(in: 0...1) == 1
        return StormPlan(
            rounds: (0..<choices.int(in: 1...3)).map { _ in
                (0..<choices.int(in: 1...3)).map { _ in
                    (0..<choices.int(in: 1...25)).map { _ in step(&choices, hasLinks) }
                }
            })
    }

    private static func step(_ choices: inout Choices, _ hasLinks: Bool) -> Step {
        let kinds = hasLinks ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 19] : Array(0...8) + Array(11...19)
        let kind = kinds[choices.int(in: 0...kinds.count - 1)]
        let (first, second) = (choices.int(in: 0...23), choices.int(in: 0...23))
        func inside(_ number: Int) -> Int { hasLinks ? number / 6 * 6 + number % 4 : number }
        return Step(kind: kind, first: inside(first), second: inside(second))
    }

    func prepare(_ folder: PhotoFolder) {
        for name in ["above", "above/root", "above/root/sub", "target", "target2", "target2/sub"] {
            folder.makeFolder(name)
        }
        folder.link("link", to: "target")
        for number in 0..<24 where number % 3 == 0 { folder.write(Step.name(number), bytes: number + 1) }
    }

    var description: String {
        rounds.map {
            $0.map { $0.map { "\($0.kind).\($0.first).\($0.second)" }.joined(separator: " ") }
                .joined(separator: " | ")
        }.joined(separator: "\n")
    }
}

extension StormPlan.Step {
    private static let folders = ["above/root", "above/root/sub", "link", "link/sub", "target2", "elsewhere"]

    static func name(_ number: Int) -> String { "\(folders[number % 6])/\(number / 6 % 4).jpg" }

    func perform(in folder: PhotoFolder) {
        let (one, two) = (Self.name(first), Self.name(second))
        let path = "\(folder.path)/\(one)"
        switch kind {
        case 0...2: folder.write(one, bytes: second + 1)
        case 3: folder.replace(one, bytes: second + 1, changed: 7)
        case 4, 5: folder.remove(one)
        case 6: folder.rename(one, to: two)
        case 7: _ = truncate(path, off_t(second))
        case 8: try? FileDescriptor(opening: path, O_WRONLY).write([1, 2, 3], at: second)
        case 9, 10: _ = Files.link(path, "\(folder.path)/\(two)")
        case 11: chmod(path, first % 2 == 0 ? 0o600 : 0o640)
        case 12: folder.makeFolder(Self.folders[first % 6])
        case 13: folder.removeFolder(Self.folders[first % 6])
        case 14: folder.rename(Self.folders[first % 6], to: Self.folders[second % 6])
        case 15: folder.rename("above", to: "beside")
        case 16: folder.rename("beside", to: "above")
        case 17:
            folder.makeFolder("above")
            folder.makeFolder("above/root")
        case 18:
            folder.link(".link\(first)", to: second % 2 == 0 ? "target" : "target2")
            folder.rename(".link\(first)", to: "link")
        default: chmod("\(folder.path)/\(Self.folders[first % 6])", first % 2 == 0 ? 0o700 : 0o750)
        }
    }
}
