import Foundation
import ImagePipeline
import Testing

@Suite("thumbnails and kill -9")
struct ThumbnailsKillTests {
    private static let count = 80

    private func program(_ directory: PhotoDirectory, output: Pipe) throws -> Process {
        let process = try Process.thumbnails([
            directory.photos, "--output", directory.thumbnails, "--size", "64", "--jobs", "2",
        ])
        process.standardOutput = output
        return process
    }

    /// The thumbnails there are, each with what tells whether it was written again.
    private func thumbnails(_ directory: PhotoDirectory) throws -> [String: Date] {
        let names = directory.files(below: "thumbnails").filter { $0.hasSuffix(".jpg") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory.thumbnails)/\(name)")
                return (name, try #require(attributes[.modificationDate] as? Date))
            })
    }

    @Test("Killed half-way, the next run makes only what is missing, and no thumbnail is ever half a file")
    func killed() throws {
        let directory = try PhotoDirectory()
        let photos = try (0..<4).map { try PhotoDirectory.photo(seed: $0, width: 640, height: 480) }
        for number in 0..<Self.count {
            try directory.add("photos/\(number % 5)/\(number).jpg", photos[number % photos.count])
        }
        let first = try program(directory, output: Pipe())
        try first.run()
        while first.isRunning, directory.files(below: "thumbnails").count < Self.count / 4 {}
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        #expect(first.terminationReason == .uncaughtSignal, "it was done before it was killed")

        let before = try thumbnails(directory)
        #expect(before.count < Self.count)
        for name in before.keys {
            let image = try Image.decode(directory.bytes("thumbnails/\(name)"))
            #expect(image.size == PixelSize(width: 64, height: 48))
        }

        let output = Pipe()
        let second = try program(directory, output: output)
        try second.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        second.waitUntilExit()
        #expect(second.terminationStatus == 0)
        #expect(text.contains("\(Self.count - before.count) made, \(before.count) there already, 0 failed"), "\(text)")
        let after = try thumbnails(directory)
        #expect(after.count == Self.count)
        #expect(after.filter { before[$0.key] != nil } == before, "what was there was left as it was")
        #expect(directory.files(below: "thumbnails").count == Self.count + 1, "nothing else is left but the record")
    }
}
