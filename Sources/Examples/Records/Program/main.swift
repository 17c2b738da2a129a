import Foundation

// records [--json FILE]: plays a week of a sports diary and checks how often the server is called. Ends with 1 where that is not
// as often as it should be.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.isEmpty || arguments.count == 2 && arguments[0] == "--json" else {
    print("usage: records [--json FILE]")
    exit(64)
}
let directory = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: directory) }
func play(in directory: String) async throws -> Figures {
    var story = Story(directory: directory)
    return try await story.run()
}
let figures = try await play(in: directory.path)
if arguments.count == 2 { try figures.write(to: arguments[1]) }
print(figures.allHold ? "\nEvery count is as it should be." : "\nSome counts are not as they should be.")
if !figures.allHold {
    try? FileManager.default.removeItem(at: directory)
    exit(1)
}
