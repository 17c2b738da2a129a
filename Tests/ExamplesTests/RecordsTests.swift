import Foundation
import Testing

@Suite("A diary's records")
struct RecordsTests {
    @Test("A week calls the server as often as it should, and the file says so")
    func story() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        // The test bundle lies beside the programs it was built with.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let executable = try #require(bundle ?? Bundle.main.executableURL)
        process.executableURL = executable.deletingLastPathComponent().appending(path: "records")
        process.arguments = ["--json", file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        struct Figure: Decodable { let figure: String, value: Double, unit: String, goal: String, holds: Bool }
        let figures = try JSONDecoder().decode([Figure].self, from: Data(contentsOf: file))
        #expect(figures.count == 13)
        #expect(figures.allSatisfy { $0.holds && $0.goal == "exactly \(Int($0.value))" })
    }
}
