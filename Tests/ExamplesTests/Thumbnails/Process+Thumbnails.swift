import Foundation
import Testing

extension Process {
    /// The program `thumbnails`, not yet started.
    static func thumbnails(_ arguments: [String]) throws -> Process {
        let process = Process()
        // The test bundle lies beside the programs it was built with.
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let executable = try #require(bundle ?? Bundle.main.executableURL)
        process.executableURL = executable.deletingLastPathComponent().appending(path: "thumbnails")
        process.arguments = arguments
        return process
    }
}
