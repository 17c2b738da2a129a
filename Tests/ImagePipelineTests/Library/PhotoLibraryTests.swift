import ImagePipeline
import Testing

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

    @Test("Of two folders one that is gone keeps what was listed of it, and the other is looked at")
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
        #expect(library.fetch(query).map(\.name) == ["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
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

    private func photo(taken date: CaptureDate?) throws -> [UInt8] {
        let image = try #require(
            Image(
                size: PixelSize(width: 24, height: 16), format: .rgb8,
                bytes: [UInt8](repeating: 90, count: 24 * 16 * 3),
                metadata: ImageMetadata(captureDate: date)))
        return try image.encoded(as: .jpeg)
    }
}
