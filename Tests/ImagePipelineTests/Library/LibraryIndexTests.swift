import Files
import Testing

@testable import ImagePipeline

@Suite("The index of a library")
struct LibraryIndexTests {
    let folder = PhotoFolder()
    /// Where the index lies: what is written in the photos' folder changes the folder.
    let place = PhotoFolder()
    var index: String { "\(place.path)/index" }

    init() throws {
        folder.makeFolder("sub")
        for number in 0..<50 { folder.write("\(number).jpg", bytes: number + 1, changed: 1000 + number) }
        folder.write("sub/one.png", try Self.photo(side: 9), changed: 5)
        folder.age()
    }

    private static func photo(side: Int) throws -> [UInt8] {
        let bytes = [UInt8](repeating: 200, count: side * side)
        return try #require(Image(size: PixelSize(width: side, height: side), format: .grey8, bytes: bytes))
            .encoded(as: .png)
    }

    private func library() throws -> PhotoLibrary {
        try PhotoLibrary(folders: [folder.path], index: index)
    }

    @Test("The next library lists the same photos without a look at their files")
    func survives() throws {
        let first = try library().fetch()
        // In place: the folder's own time stays.
        folder.write("7.jpg", bytes: 4000, changed: 2000)
        let second = try library().fetch()
        #expect(second.map(\.path) == first.map(\.path))
        #expect(second.map(\.byteCount) == first.map(\.byteCount))
    }

    @Test("Where nothing has come or gone the index is taken as it is, facts included, without a copy")
    func taken() throws {
        func library() throws -> PhotoLibrary {
            try PhotoLibrary(folders: [folder.path], index: index, includesSubfolders: false)
        }
        let first = try library()
        #expect(first.fetch(PhotoQuery(sortedBy: .captured)).count == 50)
        try first.saveIndex()
        _ = try library()
        let known = try #require(LibraryIndex.read(index)).listing
        let scan = FolderScan(roots: [folder.path], includesSubfolders: false, extensions: [Array("jpg".utf8)])
        let listing = scan.look(since: known, trusting: true).listing
        #expect(listing.pages.elementsEqual(known.pages, by: ===))
        #expect(known.storedFacts.contains { $0.state != .unread })
    }

    @Test("A look at every file finds what was changed in place")
    func rescan() async throws {
        _ = try library()
        folder.write("7.jpg", bytes: 4000, changed: 2000)
        let library = try library()
        await library.rescan()
        #expect(library.fetch()[0].name == "7.jpg")
        #expect(library.fetch()[0].byteCount == 4000)
    }

    @Test("A folder in which a name has come or gone is listed anew")
    func changedFolder() throws {
        _ = try library()
        folder.remove("7.jpg")
        folder.write("new.jpg", changed: 9000)
        let result = try library().fetch()
        #expect(result.count == 51)
        #expect(result[0].name == "new.jpg")
        #expect(!result.contains { $0.name == "7.jpg" })
    }

    @Test("So is one whose time was put back afterwards, as unpacking and copying do")
    func restoredTime() throws {
        _ = try library()
        folder.remove("7.jpg")
        folder.write("new.jpg", changed: 9000)
        folder.age()
        #expect(try library().fetch().map(\.name).contains("new.jpg"))
        #expect(try !library().fetch().map(\.name).contains("7.jpg"))
    }

    @Test("An index that was written at once after a folder's change is written again when that lies back")
    func settled() throws {
        _ = try library()
        let first = try #require(LibraryIndex.read(index))
        #expect(first.listing.settledFolders > 0)
        let early = (first.listing.folders.map(\.modified).min() ?? 0) + 1
        try LibraryIndex.write(first.listing.taken(at: early), choice: first.choice, to: index)
        #expect(LibraryIndex.read(index)?.listing.settledFolders == 0)
        _ = try library()
        #expect(LibraryIndex.read(index)?.listing.settledFolders == first.listing.settledFolders)
    }

    @Test("Facts that were read are in the index, and are another file's no longer than it has that name")
    func facts() throws {
        let first = try library()
        #expect(first.fetch().last?.facts?.size == PixelSize(width: 9, height: 9))
        try first.saveIndex()
        let listing = try #require(LibraryIndex.read(index)).listing
        #expect(listing.storedFacts.filter { $0.state == .known }.count == 1)
        folder.write("sub/other.png", try Self.photo(side: 17), changed: 5)
        folder.rename("sub/other.png", to: "sub/one.png")
        #expect(try library().fetch().last?.facts?.size == PixelSize(width: 17, height: 17))
    }

    @Test("Facts of a file that has just changed are not kept: a further change may leave its time as it is")
    func freshFacts() throws {
        folder.write("sub/one.png", try Self.photo(side: 9))
        let library = try library()
        #expect(library.fetch(PhotoQuery())[0].facts != nil)
        try library.saveIndex()
        #expect(try #require(LibraryIndex.read(index)).listing.storedFacts.allSatisfy { $0.state == .unread })
    }

    @Test("An index with any byte changed, cut off or too long is as good as none")
    func damage() throws {
        _ = try library()
        let whole = try FileDescriptor.reading(index).read(1 << 20, at: 0)
        #expect(LibraryIndex.read(index) != nil)
        for position in stride(from: 0, to: whole.count, by: 37) {
            var bytes = whole
            bytes[position] ^= 0x55
            place.write("index", bytes)
            #expect(LibraryIndex.read(index) == nil, "byte \(position)")
            place.write("index", Array(whole.prefix(position)))
            #expect(LibraryIndex.read(index) == nil)
        }
        place.write("index", whole + [0])
        #expect(LibraryIndex.read(index) == nil)
        #expect(try library().fetch().count == 51)
    }

    @Test("An index of another choice of photos hides none that is wanted now, and shows none that is not")
    func choice() throws {
        folder.write("g.gif")
        folder.age()
        func names(_ subfolders: Bool, _ extensions: String...) throws -> Int {
            let library = try PhotoLibrary(
                folders: [folder.path], index: index, includesSubfolders: subfolders, extensions: extensions)
            return library.fetch().count
        }
        #expect(try names(false, "jpg") == 50)
        #expect(try names(true, "jpg", "gif", "png") == 52)
        #expect(try names(true, "png", "jpg") == 51)
        #expect(try names(false, "gif") == 1)
    }

    @Test("A subfolder whose name begins with a mark that combines with the slash is taken from the index")
    func combiningMark() throws {
        folder.makeFolder("\u{301}x")
        folder.write("\u{301}x/p.jpg")
        folder.age()
        #expect(try library().fetch().count == 52)
        #expect(try library().fetch().count == 52)
    }

    @Test("An index of a time from which nothing can be subtracted is as good as none")
    func earliest() throws {
        try LibraryIndex.write(Listing(folders: [], pages: [], taken: .min), choice: 0, to: index)
        #expect(LibraryIndex.read(index) == nil)
    }

    @Test(
        "What a writer has left that was killed is gone after the next start, and what one writes now is not",
        // The second begins with a mark that combines with the slash before it.
        arguments: ["index", "\u{301}index"])
    func leftovers(index: String) async throws {
        let name = "\(TemporaryFile.prefix)0123456789abcdef0123456789abcdef"
        place.write(name)
        let writing = try TemporaryFile.make(in: place.path)
        try writing.write([1], at: 0)
        let library = try PhotoLibrary(folders: [folder.path], index: "\(place.path)/\(index)")
        await library.rescan()
        #expect(access("\(place.path)/\(name)", F_OK) != 0)
        var names = 0
        try Directory.forEachName(in: place.path) { if TemporaryFile.isName($0 ?? "") { names += 1 } }
        #expect(names == 1)
        withExtendedLifetime(writing) {}
    }

    @Test("An index that cannot be written is an error with its path, and no hindrance to the library")
    func unwritable() throws {
        let path = "\(folder.path)/none/index"
        let library = try PhotoLibrary(folders: [folder.path], index: path)
        #expect(library.fetch().count == 51)
        #expect(throws: LibraryError.self) { try library.saveIndex() }
    }
}

extension Listing {
    /// The facts of all photos.
    var storedFacts: [StoredFacts] { pages.flatMap { page in page.records.indices.map { page.facts(at: $0) } } }
}
