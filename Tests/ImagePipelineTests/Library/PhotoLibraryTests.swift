import Files
import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("A library of photos")
struct PhotoLibraryTests {
    let folder = PhotoFolder()

    @Test("Lists photos newest first, those of one time by name")
    func order() throws {
        folder.write("b.jpg", changed: 10)
        folder.write("c.jpg", changed: 30)
        folder.write("a.jpg", changed: 10)
        let library = try PhotoLibrary(folders: [folder.path])
        #expect(library.fetch().map(\.name) == ["c.jpg", "b.jpg", "a.jpg"])
        #expect(library.fetch(PhotoQuery(ascending: true)).map(\.name) == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(library.fetch(PhotoQuery(sortedBy: .name, ascending: true)).map(\.name) == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(library.fetch()[0].modified == .seconds(30))
    }

    @Test("Of two folders one that is gone has no photos, which is told, and the other is looked at")
    func oneIsGone() async throws {
        for name in ["a", "a/below", "b"] { folder.makeFolder(name) }
        for name in ["a/1.jpg", "a/below/2.jpg", "b/3.jpg"] { folder.write(name) }
        let roots = ["\(folder.path)/a", "\(folder.path)/b"]
        let library = try PhotoLibrary(folders: roots)
        folder.removeFolder("a")
        folder.makeFolder("b/new")
        folder.write("b/new/4.jpg")
        await library.rescan()
        let query = PhotoQuery(sortedBy: .name, ascending: true)
        #expect(library.fetch(query).map(\.name) == ["3.jpg", "4.jpg"])
        let fault = LibraryError.folder(path: roots[0], reason: "stat: No such file or directory")
        #expect(await library.faults.first().values.first { _ in true } == [fault])
        #expect(throws: LibraryError.self) { try PhotoLibrary(folders: roots) }
    }

    @Test("Passes over other files, hidden ones, links and what lies in hidden folders")
    func exclusion() throws {
        folder.makeFolder("sub")
        folder.makeFolder(".hidden")
        for name in ["a.JPG", "b.png", "c.jpeg", "d.txt", ".e.jpg", "jpg", "sub/f.jpg", ".hidden/g.jpg"] {
            folder.write(name)
        }
        folder.link("h.jpg", to: "a.JPG")
        let query = PhotoQuery(sortedBy: .name, ascending: true)
        let names = try PhotoLibrary(folders: [folder.path]).fetch(query).map(\.name)
        #expect(names == ["a.JPG", "b.png", "c.jpeg", "f.jpg"])
        let flat = try PhotoLibrary(folders: [folder.path], includesSubfolders: false).fetch(query)
        #expect(flat.map(\.name) == ["a.JPG", "b.png", "c.jpeg"])
    }

    @Test("A folder that is named twice, or lies in another one, counts once")
    func overlap() throws {
        folder.makeFolder("sub")
        folder.write("sub/a.jpg")
        let library = try PhotoLibrary(folders: [folder.path, "\(folder.path)/sub", folder.path])
        #expect(library.fetch().map(\.name) == ["a.jpg"])
    }

    @Test("A predicate chooses by what is known of a photo")
    func predicate() throws {
        for size in 1...9 { folder.write("\(size).jpg", bytes: size) }
        let query = PhotoQuery(sortedBy: .name, ascending: true) { $0.byteCount % 3 == 0 }
        let large = try PhotoLibrary(folders: [folder.path]).fetch(query)
        #expect(large.map(\.name) == ["3.jpg", "6.jpg", "9.jpg"])
    }

    @Test("A folder that is not there is an error with its path")
    func missing() {
        let path = "\(folder.path)/none"
        #expect(throws: LibraryError.folder(path: path, reason: "stat: No such file or directory")) {
            try PhotoLibrary(folders: [path])
        }
    }

    @Test("A file in place of a folder is an error that says so")
    func plainFile() throws {
        folder.write("a.jpg")
        let path = "\(folder.path)/a.jpg"
        // What the thread's last failure was does not count.
        _ = access("\(folder.path)/none", F_OK)
        #expect(throws: LibraryError.folder(path: path, reason: "stat: Not a directory")) {
            try PhotoLibrary(folders: [path])
        }
    }

    @Test("A root with a NUL in its path is no folder, and not the one in front of the NUL")
    func nul() {
        #expect(throws: LibraryError.self) { try PhotoLibrary(folders: ["\(folder.path)\0/../.."]) }
    }

    @Test("A photo whose path is too long for the system is told as a fault, and not listed")
    func longPaths() async throws {
        let part = String(repeating: "p", count: 250)
        var place = folder.path
        // As long as a folder's path may be for a photo of a short name.
        while place.utf8.count + part.utf8.count + 7 < Int(PATH_MAX) {
            place += "/\(part)"
            mkdir(place, 0o700)
        }
        let rest = Int(PATH_MAX) - place.utf8.count - 8
        if rest > 0 {
            place += "/" + String(repeating: "q", count: rest)
            mkdir(place, 0o700)
        }
        let folder = try FileDescriptor(opening: place, O_RDONLY | O_DIRECTORY)
        _ = try FileDescriptor(opening: "\(place)/a.jpg", O_WRONLY | O_CREAT)
        #expect(linkat(folder.number, "a.jpg", folder.number, "ab.jpg", 0) == 0)
        let library = try PhotoLibrary(folders: [place])
        #expect(library.fetch().map(\.name) == ["a.jpg"])
        let faults = try #require(await library.faults.first().values.first { _ in true })
        #expect(faults.count == 1)
        unlinkat(folder.number, "ab.jpg", 0)
    }

    @Test("Sections are days of the order's date, in the clock's own time")
    func sections() throws {
        let day = 86_400
        for (name, changed) in [("a.jpg", 3 * day), ("b.jpg", 3 * day - 1), ("c.jpg", 2 * day), ("d.jpg", 5)] {
            folder.write(name, changed: changed)
        }
        let result = try PhotoLibrary(folders: [folder.path]).fetch()
        let utc = result.sections { _ in 0 }
        #expect(utc.map(\.day.description) == ["1970-01-04", "1970-01-03", "1970-01-01"])
        #expect(utc.map(\.range) == [0..<1, 1..<3, 3..<4])
        let west = result.sections { _ in -3600 }
        #expect(west.map(\.day.description) == ["1970-01-03", "1970-01-02", "1969-12-31"])
        for beyond in [Int.min, .max] { #expect(result.sections { _ in beyond }.last?.range.upperBound == 4) }
    }

    @Test(
        "Facts are read from a file's beginning, and dates of capture sort photos; without one the file's own time counts"
    )
    func facts() throws {
        folder.write("a.jpg", try photo(taken: CaptureDate(year: 1999, month: 12, day: 31, hour: 23)), changed: 10)
        folder.write("b.jpg", try photo(taken: nil), changed: 946_684_799)
        folder.write("c.jpg", try photo(taken: CaptureDate(year: 2024, month: 2, day: 29)), changed: 20)
        folder.write("d.jpg", bytes: 100, changed: 30)
        let result = try PhotoLibrary(folders: [folder.path]).fetch(PhotoQuery(sortedBy: .captured))
        #expect(result.map(\.name) == ["c.jpg", "b.jpg", "a.jpg", "d.jpg"])
        #expect(result[0].facts?.captureDate == CaptureDate(year: 2024, month: 2, day: 29))
        #expect(result[0].facts?.size == PixelSize(width: 24, height: 16))
        #expect(result[3].facts == nil)
        #expect(result.sections().map(\.day.description) == ["2024-02-29", "1999-12-31", "1970-01-01"])
    }

    @Test("An image is requested by asset, and a replaced photo has another key")
    func request() async throws {
        folder.write("a.jpg", try photo(taken: nil), changed: 10)
        let library = try PhotoLibrary(folders: [folder.path])
        let before = library.fetch()[0].request(as: .original)
        let image = try await ImageLoader.standard().image(for: before)
        #expect(image.size == PixelSize(width: 24, height: 16))
        folder.replace("a.jpg", bytes: 40, changed: 10)
        await library.rescan()
        #expect(library.fetch()[0].request(as: .original).imageKey != before.imageKey)
    }

    @Test("An asset of a file that was replaced loads nothing, and none but the new asset's key has the new picture")
    func replacedFile() async throws {
        folder.write("a.jpg", try photo(taken: nil), changed: 10)
        let library = try PhotoLibrary(folders: [folder.path])
        let old = library.fetch()[0].request(as: .original)
        folder.write(".new", try photo(taken: nil, side: 32), changed: 10)
        folder.rename(".new", to: "a.jpg")
        let loader = ImageLoader.standard()
        await #expect(throws: LoadError.self) { try await loader.image(for: old) }
        do {
            _ = try await loader.image(for: old)
        } catch {
            guard case LoadError.fileChanged(let path) = error else { throw error }
            #expect(path == "\(folder.path)/a.jpg")
        }
        await library.rescan()
        let new = library.fetch()[0].request(as: .original)
        #expect(try await loader.image(for: new).size.height == 32)
        await #expect(throws: LoadError.self) { try await loader.image(for: old) }
    }

    @Test("A file that is written to while an asset's image is read is no image of the asset")
    func writtenWhileRead() throws {
        folder.write("a.jpg", bytes: 200_000, changed: 10)
        let asset = try PhotoLibrary(folders: [folder.path]).fetch()[0]
        let recorder = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(2))
        FileSource().events(for: asset.request(as: .original)).subscribe(recorder)
        while recorder.values.count < 2 { _ = recorder.waitForCompletion(seconds: 0) }
        let file = try FileDescriptor(opening: "\(folder.path)/a.jpg", O_WRONLY)
        try file.write([1], at: 190_000)
        file.setTimes(lastUse: .seconds(10), change: .seconds(10))
        recorder.request(.unlimited)
        #expect(recorder.waitForCompletion())
        guard case .failure(.fileChanged)? = recorder.completion else {
            Issue.record("\(recorder.completion as Any)")
            return
        }
    }

    @Test("Another file of one number, size and time of change is another content")
    func sameStatus() async throws {
        folder.write("a.jpg", bytes: 9, changed: 10)
        let library = try PhotoLibrary(folders: [folder.path])
        let before = library.fetch()[0]
        // The number stays, as it does where one that is free again is given to the next file.
        folder.write("a.jpg", [UInt8](repeating: 8, count: 9), changed: 10)
        await library.rescan()
        let after = library.fetch()[0]
        #expect((after.byteCount, after.modified) == (before.byteCount, before.modified))
        #expect(after.version != before.version)
        #expect(after != before)
    }

    @Test("A photo whose date could not be read moves to its place when it can")
    func lateDate() async throws {
        folder.makeFolder("sub")
        folder.write("sub/a.jpg", try photo(taken: CaptureDate(year: 2001, month: 1, day: 1)), changed: 2_000_000_000)
        folder.write("sub/b.jpg", try photo(taken: CaptureDate(year: 2010, month: 1, day: 1)), changed: 5)
        // Not on a page so small that it is made anew.
        let library = try PhotoLibrary(
            FolderScan(
                roots: [folder.path], includesSubfolders: true, extensions: [Array("jpg".utf8)], photosPerPage: 4))
        // No file can be opened for the moment; none becomes another by it.
        folder.rename("sub", to: ".away")
        let shown = library.fetch(PhotoQuery(sortedBy: .captured, ascending: true))
        folder.rename(".away", to: "sub")
        #expect(shown.map(\.name) == ["b.jpg", "a.jpg"])
        let recorder = RecordingSubscriber<FetchChanges, Never>()
        library.changes(of: shown).subscribe(recorder)
        await library.rescan()
        recorder.cancel()
        #expect(recorder.values.map { $0.after.map(\.name) } == [["a.jpg", "b.jpg"]])
        #expect(recorder.values.first?.removed.ranges.reduce(0) { $0 + $1.count } == 2)
    }

    private func photo(taken date: CaptureDate?, side: Int = 16) throws -> [UInt8] {
        let image = try #require(
            Image(
                size: PixelSize(width: 24, height: side), format: .rgb8,
                bytes: [UInt8](repeating: 90, count: 24 * side * 3),
                metadata: ImageMetadata(captureDate: date)))
        return try image.encoded(as: .jpeg)
    }
}
