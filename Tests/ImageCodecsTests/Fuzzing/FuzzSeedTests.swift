import Foundation
import FuzzTargets
import Testing

/// What scripts/fuzz starts from, and what it has found: run once, without a sanitizer.
@Suite("Fuzzing seeds")
struct FuzzSeedTests {
    private static let folder = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appendingPathComponent("Fuzzing/Seeds")

    @Test("No seed traps", arguments: FuzzTarget.allCases)
    func seeds(target: FuzzTarget) throws {
        let folder = Self.folder.appendingPathComponent(target.rawValue)
        let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!seeds.isEmpty)
        for seed in seeds { try Data(contentsOf: seed).withUnsafeBytes { target.run($0) } }
    }
}
