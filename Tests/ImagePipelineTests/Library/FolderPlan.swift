import Files
import StreamsTesting

/// Random things that happen to a folder of photos, in rounds.
struct FolderPlan: Sendable, CustomStringConvertible {
    enum Step: Sendable {
        case write(Int, bytes: Int, changed: Int)
        case replace(Int, bytes: Int, changed: Int)
        case remove(Int)
        case rename(Int, Int)
        case makeFolder(Int)
        case removeFolder(Int)
        case renameFolder(Int, Int)
    }

    let rounds: [[Step]]
    let query: PhotoOrder

    enum PhotoOrder: Int, Sendable { case newest, oldest, name, nameBackwards, large }

    static let generator = Gen<FolderPlan> { choices in
        let rounds = (0..<choices.int(in: 1...4)).map { _ in
            (0..<choices.int(in: 1...12)).map { _ in step(&choices) }
        }
        return FolderPlan(rounds: rounds, query: PhotoOrder(rawValue: choices.int(in: 0...4)) ?? .newest)
    }

    private static let folders = ["", "one/", "two/"]

    /// Eight names in each of three folders.
    static func name(_ number: Int) -> String { "\(folders[number / 8 % 3])\(number % 8).jpg" }

    private static func step(_ choices: inout Choices) -> Step {
        let (first, second) = (choices.int(in: 0...23), choices.int(in: 0...23))
        let (bytes, changed) = (choices.int(in: 1...9), choices.int(in: 1...4))
        return switch choices.int(in: 0...12) {
        case 0...4: .write(first, bytes: bytes, changed: changed)
        case 5, 6: .replace(first, bytes: bytes, changed: changed)
        case 7, 8: .remove(first)
        case 9: .rename(first, second)
        case 10: .makeFolder(1 + first % 2)
        case 11: .removeFolder(1 + first % 2)
        default: .renameFolder(1 + first % 2, 1 + second % 2)
        }
    }

    static func perform(_ step: Step, in folder: PhotoFolder) {
        switch step {
        case .write(let number, let bytes, let changed):
            // Size and time alone tell a file from itself before it was written to: no system says more.
            folder.remove(name(number))
            folder.write(name(number), bytes: bytes, changed: changed)
        case .replace(let number, let bytes, let changed): folder.replace(name(number), bytes: bytes, changed: changed)
        case .remove(let number): folder.remove(name(number))
        case .rename(let number, let other): folder.rename(name(number), to: name(other))
        case .makeFolder(let number): folder.makeFolder(String(folders[number].dropLast()))
        case .removeFolder(let number): folder.removeFolder(String(folders[number].dropLast()))
        case .renameFolder(let number, let other):
            folder.rename(String(folders[number].dropLast()), to: String(folders[other].dropLast()))
        }
    }

    var description: String { "\(query): " + rounds.map { "\($0)" }.joined(separator: "\n") }
}
