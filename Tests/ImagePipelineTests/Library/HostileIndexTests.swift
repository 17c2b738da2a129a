import Files
import Testing

@testable import ImagePipeline

@Suite("An index that somebody else has made, its checksum included")
struct HostileIndexTests {
    let folder = PhotoFolder()
    let place = PhotoFolder()
    var index: String { "\(place.path)/index" }

    private func listing(
        _ names: [String], inFolders numbers: [UInt32]? = nil, of paths: [String] = ["a", "b"], size: Int64 = 1
    ) -> Listing {
        var (records, bytes) = (ContiguousArray<Listing.Record>(), ContiguousArray<UInt8>())
        for (place, name) in names.enumerated() {
            var record = Listing.Record(
                number: 1, size: size, modified: 1, changed: 1, links: 1, folder: numbers?[place] ?? 0)
            (record.nameStart, record.nameLength) = (UInt16(bytes.count), UInt8(name.utf8.count))
            records.append(record)
            bytes += name.utf8
        }
        let folders = paths.map { Listing.Folder(path: $0, device: 1, number: 2, modified: 3, changed: 4) }
        return Listing(folders: folders, pages: [ListingPage(records: records, names: bytes)], taken: 5)
    }

    private func isRead(_ listing: Listing) throws -> Bool {
        try LibraryIndex.write(listing, choice: 0, to: index)
        return LibraryIndex.read(index) != nil
    }

    @Test("With photos or folders in another order than that of names it is as good as none")
    func order() throws {
        #expect(try isRead(listing(["1.jpg", "2.jpg"])))
        #expect(try !isRead(listing(["2.jpg", "1.jpg"])))
        #expect(try !isRead(listing(["1.jpg", "1.jpg"])))
        #expect(try isRead(listing(["1.jpg", "1.jpg"], inFolders: [0, 1])))
        #expect(try !isRead(listing(["1.jpg", "1.jpg"], inFolders: [1, 0])))
        #expect(try !isRead(listing(["1.jpg"], of: ["b", "a"])))
        #expect(try !isRead(listing(["1.jpg"], of: ["a", "a"])))
        let (one, two) = (listing(["1.jpg"]), listing(["2.jpg"]))
        #expect(try isRead(Listing(folders: one.folders, pages: one.pages + two.pages, taken: 5)))
        #expect(try !isRead(Listing(folders: one.folders, pages: two.pages + one.pages, taken: 5)))
    }

    @Test("With names that no file of a folder has, or sizes that none has, it is as good as none")
    func names() throws {
        for name in ["../a.jpg", "a/b.jpg", "", ".hidden.jpg", "nul\0.jpg"] {
            #expect(try !isRead(listing([name])), "\(name)")
        }
        #expect(try !isRead(listing(["a.jpg"], size: -1)))
    }

    @Test("With the size of one that no disk holds it is as good as none, and takes no such memory")
    func sparse() throws {
        try LibraryIndex.write(listing(["a.jpg"]), choice: 0, to: index)
        let whole = try FileDescriptor.reading(index).read(1 << 16, at: 0)
        for field in [16, 24] {
            var bytes = whole
            // Of 2^23 pages, or 2^40 bytes of folders.
            let number: [UInt8] = [0, 0, field == 16 ? 128 : 0, 0, 0, field == 24 ? 1 : 0, 0, 0]
            bytes.replaceSubrange(field..<field + 8, with: number)
            place.write("index", bytes)
            #expect(truncate(index, 1 << 41) == 0)
            #expect(LibraryIndex.read(index) == nil)
        }
    }

    @Test("With a folder that leads out, or is hidden, it adds nothing to what is listed")
    func ways() throws {
        folder.makeFolder("root")
        folder.makeFolder("root/.hidden")
        folder.write("root/.hidden/a.jpg")
        folder.write("b.jpg")
        let root = "\(folder.path)/root"
        let known = try Listing.Folder(at: root)
        let ways = [root + "/..", root + "/.hidden"].map {
            Listing.Folder(path: $0, device: 1, number: 2, modified: 3, changed: 4)
        }
        let scan = FolderScan(roots: [root], includesSubfolders: true, extensions: [Array("jpg".utf8)])
        try LibraryIndex.write(
            Listing(folders: [known] + ways, pages: [], taken: .max), choice: scan.choice, to: index)
        #expect(LibraryIndex.read(index) != nil)
        #expect(try PhotoLibrary(folders: [root], index: index, extensions: ["jpg"]).fetch().isEmpty)
    }

    @Test("With a date of capture that has no day a photo has none")
    func date() {
        for seconds in [Int64.min + 1, .min + 100_000, .max] {
            let facts = withUnsafeBytes(of: (seconds, UInt32(0), UInt32(1), UInt32(1), Int16.min, UInt8(1), UInt8(1))) {
                $0.loadUnaligned(as: StoredFacts.self)
            }
            #expect(facts.facts?.captureDate == nil)
            #expect(facts.facts?.size == PixelSize(width: 1, height: 1))
        }
    }
}
