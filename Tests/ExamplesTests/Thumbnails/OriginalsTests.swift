import Foundation
import ImagePipeline
import Testing

@testable import CommandOutput
@testable import thumbnails

/// A way in which an output can meet what is read.
struct Meeting: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Arguments, in the directory that holds `photos`; `HERE` stands for its path.
    let arguments: [String]
    var workingDirectory = ""
    let reason: String
}

@Suite("thumbnails and originals")
struct OriginalsTests {
    private static let photos = Result {
        try (0..<10).map { try PhotoDirectory.photo(seed: $0, width: 64, height: 48) }
    }

    private func photo(_ number: Int = 1) throws -> [UInt8] { try Self.photos.get()[number] }

    /// Photos in folders, a link to each of them, and files of somebody's.
    private func directory() throws -> PhotoDirectory {
        let directory = try PhotoDirectory()
        for name in ["a.jpg", "b.png", "2024/a.jpg", "2024/summer/c.jpg", ".hidden/d.jpg"] {
            try directory.add("photos/\(name)", photo(name.count % 10))
        }
        try directory.add("other/a.jpg", photo(9))
        let links = ["link": "photos", "deep": "photos/2024/summer", "chain": "link/2024", "lost": "nowhere"]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory.path)/\(name)", withDestinationPath: target)
        }
        return directory
    }

    @Test("Figures that are to be written over a photo are not, and the exit status says so")
    func figuresOverPhoto() throws {
        let directory = try directory()
        let before = try directory.bytes("photos/a.jpg")
        let process = try Process.thumbnails(
            ["photos", "--output", "thumbnails", "--size", "16", "--json", "photos/a.jpg"])
        process.currentDirectoryURL = URL(filePath: directory.path)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(try directory.bytes("photos/a.jpg") == before)
    }

    private static let meetings = [
        Meeting(testDescription: "the same", arguments: ["photos", "--output", "photos"], reason: "is the input"),
        Meeting(
            testDescription: "the working directory", arguments: [".", "--output", "."], workingDirectory: "photos",
            reason: "is the input"),
        Meeting(
            testDescription: "no name", arguments: [".", "--output", ""], workingDirectory: "photos",
            reason: "is the input"),
        Meeting(
            testDescription: "absolute and relative", arguments: ["photos", "--output", "HERE//photos/."],
            reason: "is the input"),
        Meeting(testDescription: "a link to it", arguments: ["photos", "--output", "link"], reason: "is the input"),
        Meeting(testDescription: "through a link", arguments: ["link", "--output", "photos"], reason: "is the input"),
        Meeting(
            testDescription: "there and back", arguments: ["photos", "--output", "photos/2024/../../photos"],
            reason: "is the input"),
        Meeting(
            testDescription: "back and there", arguments: ["photos/../photos", "--output", "other/../photos"],
            reason: "is the input"),
        Meeting(
            testDescription: "back from a link's target", arguments: ["photos", "--output", "deep/../.."],
            reason: "is the input"),
        Meeting(testDescription: "the parent", arguments: ["photos/2024", "--output", "photos"], reason: "contains"),
        Meeting(
            testDescription: "the grandparent", arguments: ["photos/2024/summer", "--output", "photos"],
            reason: "contains"),
        Meeting(
            testDescription: "the parent of a link's target", arguments: ["deep", "--output", "chain"],
            reason: "contains"),
        Meeting(
            testDescription: "around several", arguments: ["photos", "other", "--output", "."], reason: "contains"),
        Meeting(
            testDescription: "a child", arguments: ["photos", "--output", "photos/2024"], reason: "is the input"),
        Meeting(
            testDescription: "a new child", arguments: ["photos", "--output", "photos/thumbs"], reason: "lies in"),
        Meeting(
            testDescription: "a new child of children", arguments: ["photos", "--output", "photos/2024/x/y/z/"],
            reason: "lies in"),
        Meeting(
            testDescription: "a hidden child", arguments: ["photos", "--output", "photos/.hidden"], reason: "lies in"),
        Meeting(
            testDescription: "a new child of a link", arguments: ["photos", "--output", "chain/thumbs"],
            reason: "lies in"),
        Meeting(
            testDescription: "a new child whose name combines with the slash",
            arguments: ["photos", "--output", "photos/\u{301}x"], reason: "lies in"),
        Meeting(
            testDescription: "one of several", arguments: ["other", "photos", "--output", "photos/2024"],
            reason: "is the input"),
        Meeting(
            testDescription: "what would be made on the way", arguments: ["photos", "--output", "new/../photos"],
            reason: "No such file"),
        Meeting(
            testDescription: "a link to nothing", arguments: ["photos", "--output", "lost"], reason: "cannot make"),
        Meeting(
            testDescription: "a photo", arguments: ["other", "--output", "photos/a.jpg"], reason: "Not a directory"),
    ]

    @Test("An output that is, contains or lies in an input is refused, and nothing is written", arguments: meetings)
    func meeting(_ meeting: Meeting) throws {
        let directory = try directory()
        let before = try Tree(directory.path)
        let arguments = meeting.arguments.map { $0.replacingOccurrences(of: "HERE", with: directory.path) }
        let program = try Process.thumbnails(arguments + ["--size", "32"])
        program.currentDirectoryURL = URL(filePath: "\(directory.path)/\(meeting.workingDirectory)")
        let errors = Pipe()
        program.standardError = errors
        try program.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 2)
        #expect(text.contains(meeting.reason), "\(text)")
        #expect(try Tree(directory.path) == before)
    }

    /// What a run over photos comes to: how many were made, and why others were not.
    private func run(
        _ directory: PhotoDirectory, from name: String = "photos", size: Int = 32
    ) throws -> (made: Int, reasons: [String: String]) {
        let settings = ThumbnailSettings(size: size)
        let survey = try Survey(
            of: ["\(directory.path)/\(name)"], output: directory.thumbnails, settings: settings)
        var made = 0
        var reasons: [String: String] = [:]
        for photo in survey.photos {
            switch ThumbnailMaker(settings: settings).make(photo) {
            case .made: made += 1
            case .failed(let failure): reasons[photo.name] = failure.reason
            }
        }
        return (made, reasons)
    }

    @Test("What no run has made stays as it is, whatever it is, and the other photos get their thumbnails")
    func foreign() throws {
        let directory = try PhotoDirectory()
        let names = (0..<8).map { "\($0).jpg" } + ["below/x.jpg", "linked/x.jpg", "free.jpg"]
        for name in names { try directory.add("photos/\(name)", photo()) }
        try directory.add("thumbnails/0.jpg", photo(5))
        try directory.add("thumbnails/1.jpg", [])
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.thumbnails)/2.jpg", withDestinationPath: "../photos/2.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.thumbnails)/3.jpg", withDestinationPath: "nowhere")
        try FileManager.default.linkItem(
            atPath: "\(directory.photos)/4.jpg", toPath: "\(directory.thumbnails)/4.jpg")
        try directory.add("thumbnails/5.jpg/inside", [1])
        #expect(mkfifo("\(directory.thumbnails)/6.jpg", 0o600) == 0)
        try directory.add("thumbnails/below", [1])
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.thumbnails)/linked", withDestinationPath: "../photos")
        let before = try Tree(directory.path)
        for size in [32, 32, 40] {
            let (made, reasons) = try run(directory, size: size)
            #expect(reasons.keys.sorted() == (0..<7).map { "\($0).jpg" } + ["below/x.jpg", "linked/x.jpg"])
            #expect(reasons["0.jpg"]?.contains("is in the way") == true)
            #expect(reasons["4.jpg"]?.contains("one of the inputs") == true)
            #expect(made == 2 || size == 32)
            let after = try Tree(directory.path)
            #expect(after.files.filter { before.files[$0.key] != nil } == before.files)
            #expect(after.results.count == before.files.count + 2, "7.jpg and free.jpg")
        }
    }

    @Test("A thumbnail that was edited or replaced since is somebody's; one that was only copied and back is not")
    func edited() throws {
        let directory = try PhotoDirectory()
        for name in ["edited", "longer", "copied", "moved"] {
            try directory.add("photos/\(name).jpg", photo())
        }
        #expect(try run(directory).made == 4)
        var edited = try directory.bytes("thumbnails/edited.jpg")
        edited[edited.count - 3] ^= 1
        try directory.add("thumbnails/edited.jpg", edited)
        try directory.add("thumbnails/longer.jpg", directory.bytes("thumbnails/longer.jpg") + [0])
        let copy = try directory.bytes("thumbnails/copied.jpg")
        try FileManager.default.removeItem(atPath: "\(directory.thumbnails)/copied.jpg")
        try directory.add("thumbnails/copied.jpg", copy)
        try FileManager.default.moveItem(
            atPath: "\(directory.thumbnails)/moved.jpg", toPath: "\(directory.thumbnails)/elsewhere.jpg")
        let before = try Tree(directory.path)
        let (made, reasons) = try run(directory, size: 40)
        #expect(made == 2)
        #expect(reasons.keys.sorted() == ["edited.jpg", "longer.jpg"])
        let after = try Tree(directory.path)
        for name in ["edited.jpg", "longer.jpg", "elsewhere.jpg"] {
            let path = Array("/thumbnails/\(name)".utf8)
            #expect(after.files[path] == before.files[path])
        }
    }

    @Test("Photos whose names differ by case, or by how an accent is written, never get each other's thumbnails")
    func similarNames() throws {
        let directory = try PhotoDirectory()
        let names = ["a.jpg", "A.jpg", "a.JPG", "A.JPG", "a.png", "a.PNG", "\u{E9}.jpg", "e\u{301}.jpg"]
        for (seed, name) in names.enumerated() {
            try directory.add("photos/\(name)", photo(seed))
        }
        let before = try Tree(directory.path)
        for size in [32, 40] {
            let (made, reasons) = try run(directory, size: size)
            // Fewer where the file system takes some for one; those say so.
            #expect(made + reasons.count == before.files.count - 1)
            #expect(reasons.values.allSatisfy { $0.contains("is in the way") })
            let after = try Tree(directory.path)
            #expect(after.files.filter { before.files[$0.key] != nil } == before.files)
        }
    }

    @Test("Something else where the record belongs is refused and left alone", arguments: ["", "x", "/record", "/x"])
    func foreignRecord(at name: String) throws {
        let directory = try directory()
        if name.isEmpty {
            try FileManager.default.createDirectory(atPath: directory.thumbnails, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory.thumbnails)/.thumbnails", withDestinationPath: directory.photos)
        } else {
            try directory.add("thumbnails/.thumbnails\(name == "x" ? "" : name)", Array("size 40\n".utf8))
        }
        let before = try Tree(directory.path)
        let error = #expect(throws: SurveyError.self) { try run(directory) }
        #expect(error?.description.contains("is not a record") == true)
        #expect(try Tree(directory.path) == before)
    }
}
