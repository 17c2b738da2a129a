import CLibrary
import Foundation
import ImagePipeline
import Testing

@testable import CommandOutput
@testable import thumbnails

/// Power failures, photos that change places, and names that are odd.
extension ThumbnailsTests {
    @Test("A thumbnail that a power failure left empty is made anew; one that is new may be about to be filled")
    func empty() async throws {
        let directory = try PhotoDirectory()
        for name in ["a", "b"] { try directory.add("photos/\(name).jpg", PhotoDirectory.photo()) }
        #expect(try await run(directory).made == 2)
        for name in ["a", "b"] { try directory.add("thumbnails/\(name).jpg", []) }
        try directory.touch("thumbnails/a.jpg", at: Double(FileSystem.startOfSystem / 1_000_000_000) - 60)
        let tally = try await run(directory)
        #expect(tally.made == 1)
        #expect(tally.failures.map { $0.path.hasSuffix("b.jpg") } == [true])
        #expect(try directory.bytes("thumbnails/b.jpg") == [])
    }

    @Test(
        "So is one of which the power failure took the record's line as well, or the whole record", arguments: [0, 60])
    func unrecorded(kept: Int) async throws {
        let directory = try PhotoDirectory()
        for name in ["a", "b"] { try directory.add("photos/\(name).jpg", PhotoDirectory.photo()) }
        #expect(try await run(directory).made == 2)
        for name in ["a", "b"] { try directory.add("thumbnails/\(name).jpg", []) }
        let record = "thumbnails/.thumbnails/record"
        try directory.add(record, Array(directory.bytes(record).prefix(kept)) + [UInt8](repeating: 0, count: kept))
        for path in ["thumbnails/a.jpg", record] {
            try directory.touch(path, at: Double(FileSystem.startOfSystem / 1_000_000_000) - 60)
        }
        let tally = try await run(directory)
        #expect(tally.made == 1)
        #expect(tally.failures.map { $0.path.hasSuffix("b.jpg") } == [true])
        // The record is new by now.
        try directory.touch("thumbnails/b.jpg", at: Double(FileSystem.startOfSystem / 1_000_000_000) - 60)
        #expect(try await run(directory).made == 1)
    }

    @Test("A photo that another one takes the place of gets no thumbnail of the picture before")
    func exchanged() throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/a.jpg", PhotoDirectory.photo())
        try directory.add("photos/b.jpg", PhotoDirectory.photo())
        let photo = try #require(try survey(directory, settings: ThumbnailSettings(size: 40)).photos.first)
        let maker = ThumbnailMaker(settings: ThumbnailSettings(size: 40))
        let (image, status) = try maker.decode(photo.path)
        try #require(rename("\(directory.path)/photos/b.jpg", photo.path) == 0)
        #expect(throws: InputError.self) { try maker.write(image, of: photo, status) }
        #expect(!FileManager.default.fileExists(atPath: "\(directory.thumbnails)/a.jpg"))
    }

    @Test("Folders are told by their names' bytes, also where a sign combines with the slash before it")
    func combining() async throws {
        let directory = try PhotoDirectory()
        for name in ["photos/\u{301}x", "photos/y"] { try directory.add("\(name)/a.jpg", PhotoDirectory.photo()) }
        let survey = try Survey(
            of: ["\(directory.path)/photos/\u{301}x", "\(directory.path)/photos/y"],
            output: "\(directory.path)/new/\u{301}n/leaf", settings: ThumbnailSettings(size: 40))
        #expect(survey.photos.count == 2)
    }
}
