import CLibrary
import Foundation
import ImagePipeline
import Testing

@testable import CommandOutput
@testable import thumbnails

@Suite("thumbnails")
struct ThumbnailsTests {
    func survey(
        _ directory: PhotoDirectory, from names: [String] = ["photos"], settings: ThumbnailSettings
    ) throws -> Survey {
        try Survey(of: names.map { "\(directory.path)/\($0)" }, output: directory.thumbnails, settings: settings)
    }

    /// What a run over the directory comes to.
    func run(
        _ directory: PhotoDirectory, from names: [String] = ["photos"],
        settings: ThumbnailSettings = ThumbnailSettings(size: 40)
    ) async throws -> Tally {
        await Batch(work: try survey(directory, from: names, settings: settings), settings: settings, jobs: 2).run()
    }

    @Test("A photo may be of any date", arguments: [-20_000_000_000, -1, 10_500_000_000])
    func dates(date: Double) async throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", try PhotoDirectory.photo())
        try directory.touch("photos/a.jpg", at: date)
        #expect(try await run(directory).made == 1)
        #expect(try await run(directory).made == 0)
    }

    @Test("What lies so deep that it cannot be looked at is a failure, and not passed over")
    func depth() async throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", try PhotoDirectory.photo())
        let name = String(repeating: "d", count: 250)
        var levels = [open(directory.photos, O_RDONLY)]
        defer {
            for level in levels.reversed() {
                unlinkat(level, name, AT_REMOVEDIR)
                close(level)
            }
        }
        for _ in 0..<20 {
            mkdirat(levels[levels.count - 1], name, 0o755)
            levels.append(openat(levels[levels.count - 1], name, O_RDONLY))
        }
        let tally = try await run(directory)
        #expect(tally.made == 1)
        #expect(tally.failures.map(\.reason) == ["File name too long"])
    }

    @Test("All photos below a directory get thumbnails; what cannot be read fails with a reason, and alone")
    func wholeDirectory() async throws {
        let directory = try PhotoDirectory()
        let photo = try PhotoDirectory.photo()
        try directory.add("photos/a.jpg", photo)
        try directory.add("photos/2024/summer/a.jpg", try PhotoDirectory.photo(seed: 2))
        try directory.add("photos/2024/drawing.png", try PhotoDirectory.photo(as: .png))
        try directory.add("photos/tiny.JPG", try PhotoDirectory.photo(width: 20, height: 10))
        try directory.add("photos/cut.jpg", Array(photo.prefix(photo.count / 2)))
        try directory.add("photos/text.png", Array("not a picture at all".utf8))
        try directory.add("photos/notes.txt", [1])
        try directory.add("photos/.hidden.jpg", photo)
        try directory.add("photos/.git/x.jpg", photo)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.photos)/loop", withDestinationPath: directory.photos)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.photos)/linked.jpg", withDestinationPath: "a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.photos)/lost.jpg", withDestinationPath: "nowhere.jpg")

        let tally = try await run(directory)
        #expect(tally.made == 5)
        let reasons = Dictionary(
            tally.failures.map { ($0.path.split(separator: "/").last.map(String.init) ?? "", $0.reason) }
        ) { one, _ in one }
        #expect(reasons.keys.sorted() == ["cut.jpg", "lost.jpg", "text.png"])
        #expect(reasons["cut.jpg"]?.hasPrefix("truncated (jpeg") == true)
        #expect(reasons["text.png"] == "of no known format")
        #expect(reasons["lost.jpg"] == "No such file or directory")
        #expect(
            directory.files(below: "thumbnails") == [
                ".thumbnails/record", "2024/drawing.png.jpg", "2024/summer/a.jpg", "a.jpg", "linked.jpg", "tiny.JPG",
            ])
        #expect(try Image.decode(directory.bytes("thumbnails/a.jpg")).size == PixelSize(width: 40, height: 30))
        #expect(try Image.decode(directory.bytes("thumbnails/tiny.JPG")).size == PixelSize(width: 20, height: 10))
    }

    @Test(
        "Damaged photos fail, or get thumbnails that are counted and named, as asked; to ask otherwise makes them anew")
    func damaged() async throws {
        let directory = try PhotoDirectory()
        let photo = try PhotoDirectory.photo()
        try directory.add("photos/a.jpg", photo)
        try directory.add("photos/cut.jpg", Array(photo.prefix(photo.count / 2)))
        let refused = try await run(directory)
        #expect((refused.made, refused.failed, refused.damages.count) == (1, 1, 0))
        #expect(!directory.files(below: "thumbnails").contains("cut.jpg"))

        let shown = try await run(directory, settings: ThumbnailSettings(size: 40, damaged: .show))
        #expect((shown.made, shown.failed) == (2, 0))
        #expect(shown.damages.map { $0.path.hasSuffix("photos/cut.jpg") } == [true])
        #expect(shown.damages.first?.reason.hasPrefix("truncated (byte") == true)
        #expect(shown.summary(after: .zero).hasPrefix("2 made (1 of damaged photos), 0 there already, 0 failed"))
        #expect(try Image.decode(directory.bytes("thumbnails/cut.jpg")).size == PixelSize(width: 40, height: 30))
    }

    @Test("A thumbnail says when its photo was taken, and not where")
    func metadata() async throws {
        let directory = try PhotoDirectory()
        let facts = ImageMetadata(
            captureDate: CaptureDate(year: 2012, month: 8, day: 8, hour: 22),
            position: GeographicPosition(latitude: 65, longitude: -16),
            density: PixelDensity(horizontal: 300, vertical: 300))
        let photo = try Image.decode(PhotoDirectory.photo()).withMetadata(facts)
        for (name, encoding) in [("a.jpg", ImageEncoding.jpeg), ("b.png", .png)] {
            let file = try photo.encoded(as: encoding, metadata: .all)
            #expect(try Image.decode(file).metadata == facts)
            try directory.add("photos/\(name)", file)
        }
        #expect(try await run(directory).made == 2)
        for name in ["a.jpg", "b.png.jpg"] {
            let written = try Image.decode(directory.bytes("thumbnails/\(name)")).metadata
            #expect(written == ImageMetadata(captureDate: facts.captureDate, density: facts.density))
        }
    }

    @Test("A second run makes what is missing, what is older than its photo, and what failed")
    func resuming() async throws {
        let directory = try PhotoDirectory()
        for name in ["a", "b", "c", "d"] { try directory.add("photos/\(name).jpg", PhotoDirectory.photo()) }
        try directory.add("photos/e.jpg", [1, 2, 3])
        let first = try await run(directory)
        #expect((first.made, first.failed) == (4, 1))
        try FileManager.default.removeItem(atPath: "\(directory.thumbnails)/a.jpg")
        try directory.touch("photos/b.jpg", at: Date().timeIntervalSince1970 + 60)
        try directory.add("thumbnails/c.jpg", [])
        try directory.add("photos/e.jpg", PhotoDirectory.photo())
        let second = try survey(directory, settings: ThumbnailSettings(size: 40))
        #expect(second.photos.map(\.name) == ["a.jpg", "b.jpg", "c.jpg", "e.jpg"])
        #expect(second.existing == 1)
    }

    @Test("A name that is not UTF-8 is refused, and one with control characters does not reach the terminal as it is")
    func names() throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/\u{1B}[31m.jpg", [1])
        let program = try #require(Process.thumbnails([]).executableURL?.path)
        for (output, status, told) in [("\\377", Int32(64), "not UTF-8"), ("out", 1, "\\u{1B}[31m.jpg: ")] {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", #"exec "$0" photos --output "$(printf "$1")""#, program, output]
            process.currentDirectoryURL = URL(filePath: directory.path)
            process.standardOutput = FileHandle.nullDevice
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == status)
            #expect(text.contains(told) && !text.contains("\u{1B}"), "\(text)")
        }
        #expect(directory.files(below: "") == ["out/.thumbnails/record", "photos/\u{1B}[31m.jpg"])
    }

    @Test("A photo that is dated ahead is made once; once more when it has another date, ahead or not")
    func datedAhead() async throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", PhotoDirectory.photo())
        let now = Date().timeIntervalSince1970
        for ahead in [86_400.0, 90_000, -60] {
            try directory.touch("photos/a.jpg", at: now + ahead)
            #expect(try await run(directory).made == 1)
            #expect(try await run(directory).existing == 1)
        }
    }

    @Test("Other settings, or another directory with the same output, make every thumbnail anew")
    func settings() async throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", PhotoDirectory.photo())
        try directory.add("others/a.jpg", PhotoDirectory.photo(seed: 5))
        #expect(try await run(directory).made == 1)
        #expect(try await run(directory).existing == 1)
        #expect(try await run(directory, settings: ThumbnailSettings(size: 30)).made == 1)
        #expect(try await run(directory, settings: ThumbnailSettings(size: 30)).existing == 1)
        #expect(try await run(directory, settings: ThumbnailSettings(size: 30, quality: 50)).made == 1)
        #expect(try await run(directory, settings: ThumbnailSettings(size: 30, format: .png)).made == 1)
        #expect(try await run(directory, from: ["others"], settings: ThumbnailSettings(size: 30)).made == 1)
        #expect(
            directory.files(below: "thumbnails") == [".thumbnails/record", "a.jpg", "a.jpg.png"])
        #expect(try await run(directory, settings: ThumbnailSettings(size: 30, fills: true)).made == 1)
        #expect(try Image.decode(directory.bytes("thumbnails/a.jpg")).size == PixelSize(width: 30, height: 30))
    }

    @Test("Several directories get a folder each; two of one name are refused")
    func severalDirectories() async throws {
        let directory = try PhotoDirectory()
        for name in ["one/a.jpg", "two/a.jpg", "below/one/a.jpg"] {
            try directory.add(name, PhotoDirectory.photo())
        }
        #expect(try await run(directory, from: ["one", "two"]).made == 2)
        #expect(
            directory.files(below: "thumbnails").filter { !$0.contains(".thumbnails/") } == ["one/a.jpg", "two/a.jpg"])
        #expect(throws: SurveyError.self) {
            try survey(directory, from: ["one", "below/one"], settings: ThumbnailSettings(size: 40))
        }
        #expect(throws: SurveyError.self) {
            try survey(directory, from: ["nowhere"], settings: ThumbnailSettings(size: 40))
        }
        #expect(throws: SurveyError.self) {
            try survey(directory, from: ["one/a.jpg"], settings: ThumbnailSettings(size: 40))
        }
    }

    @Test("A directory without photos is nothing to begin with, and no output is made for it")
    func nothing() throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/notes.txt", [1])
        #expect(throws: SurveyError.self) { try survey(directory, settings: ThumbnailSettings(size: 40)) }
        #expect(!FileManager.default.fileExists(atPath: directory.thumbnails))
    }

    @Test("One run works on an output at a time, and removes what a killed one left behind, and nothing else")
    func leftovers() async throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", PhotoDirectory.photo())
        #expect(try await run(directory).made == 1)
        let record = String(decoding: try directory.bytes("thumbnails/.thumbnails/record"), as: UTF8.self)
        let number = try #require(record.split(separator: "\n").first { $0.hasPrefix("run ") }?.dropFirst(4))
        let foreign = ["thumbnails/.unfinished-17-1", "thumbnails/.thumbnails/unfinished-17-1", "thumbnails/kept.jpg"]
        // One that has changed places with what nobody remembers.
        let swapped = ".thumbnails/swapped-\(number)-8"
        for name in foreign + ["thumbnails/\(swapped)", "thumbnails/.thumbnails/unfinished-\(number)-9"] {
            try directory.add(name, [1, 2])
        }
        let settings = ThumbnailSettings(size: 40)
        let survey = try survey(directory, settings: settings)
        #expect(throws: SurveyError.self) { try self.survey(directory, settings: settings) }
        #expect(
            directory.files(below: "thumbnails") == [
                ".thumbnails/record", swapped, ".thumbnails/unfinished-17-1", ".unfinished-17-1", "a.jpg", "kept.jpg",
            ])
        withExtendedLifetime(survey) {}
    }
}
