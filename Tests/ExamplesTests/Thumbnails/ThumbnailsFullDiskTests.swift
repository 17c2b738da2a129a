import Foundation
import ImagePipeline
import TestSupport
import Testing

@Suite("thumbnails and a full disk")
struct ThumbnailsFullDiskTests {
    private func run(_ directory: PhotoDirectory, _ output: String) throws -> (status: Int32, text: String) {
        let (process, pipe) = (try Process.thumbnails([directory.photos, "--output", output, "--size", "64"]), Pipe())
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test("Originals stay as they are, no thumbnail is half a file, and with room again the next run makes the rest")
    func full() throws {
        guard let volume = SmallVolume(size: 256 << 10) else { return }
        let filler = "\(volume.path)/filler"
        try Data(count: 128 << 10).write(to: URL(filePath: filler))
        let directory = try PhotoDirectory()
        let photos = try (0..<3).map { try PhotoDirectory.photo(seed: $0, width: 320, height: 240) }
        for number in 0..<50 { try directory.add("photos/\(number).jpg", photos[number % 3]) }
        let before = try Tree(directory.photos)
        let output = "\(volume.path)/thumbnails"

        let first = try run(directory, output)
        #expect(first.status == 1 && !first.text.contains(" 0 failed"), "\(first.text)")
        #expect(try Tree(directory.photos) == before)
        let made = try FileManager.default.contentsOfDirectory(atPath: output).filter { $0.hasSuffix(".jpg") }
        #expect(!made.isEmpty && made.count < 50)
        for name in made {
            let file = Array(try Data(contentsOf: URL(filePath: "\(output)/\(name)")))
            #expect(try Image.decode(file, options: DecodeOptions(as: Rendition(damage: .refuse))).width == 64)
        }

        try FileManager.default.removeItem(atPath: filler)
        let second = try run(directory, output)
        #expect(second.status == 0)
        #expect(
            second.text.contains("\(50 - made.count) made, \(made.count) there already, 0 failed"), "\(second.text)")
        #expect(try Tree(directory.photos) == before)
    }
}
