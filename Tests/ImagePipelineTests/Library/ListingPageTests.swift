import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("Pages of a listing")
struct ListingPageTests {
    let folder = PhotoFolder()

    private func scan(photosPerPage: Int = 8) -> FolderScan {
        FolderScan(
            roots: [folder.path], includesSubfolders: true, extensions: [Array("jpg".utf8)],
            photosPerPage: photosPerPage)
    }

    private func write(_ numbers: some Sequence<Int>) {
        for number in numbers { folder.write("\(1000 + number).jpg", bytes: 3, changed: number) }
    }

    private func place(_ number: Int) -> FolderScan.Place {
        FolderScan.Place(folder: folder.path, name: "\(1000 + number).jpg")
    }

    @Test("A photo that comes or goes costs the page that it is on; all others are shared")
    func shared() throws {
        write(0..<120)
        let before = scan().look().listing
        folder.remove("1050.jpg")
        folder.replace("1007.jpg", bytes: 9, changed: 500)
        let after = try #require(scan().updating(before, at: [place(50), place(7)]))
        #expect(after.count == 119)
        #expect(sharedPages(before, after) == before.pages.count - 2)
    }

    @Test("Another look at all files shares the pages on which nothing is different")
    func rescan() throws {
        write(0..<120)
        let before = scan().look().listing
        #expect(sharedPages(before, scan().look(since: before).listing) == before.pages.count)
        folder.remove("1050.jpg")
        let after = scan().look(since: before).listing
        #expect(after.count == 119)
        #expect(sharedPages(before, after) == before.pages.count - 1)
    }

    @Test("Pages stay between a quarter full and full, but for those between two full ones, whatever comes and goes")
    func sizes() throws {
        try forAll(
            "sizes of pages", Gen<[Int]> { choices in (0..<60).map { _ in choices.int(in: 0...199) } }, cases: 30
        ) { numbers in
            let folder = PhotoFolder()
            let scan = FolderScan(
                roots: [folder.path], includesSubfolders: true, extensions: [Array("jpg".utf8)], photosPerPage: 8)
            var listing = scan.look().listing
            var there: Set<Int> = []
            for number in numbers {
                let name = "\(1000 + number).jpg"
                if there.remove(number) != nil {
                    folder.remove(name)
                } else {
                    there.insert(number)
                    folder.write(name, changed: number)
                }
                guard let next = scan.updating(listing, at: [FolderScan.Place(folder: folder.path, name: name)]) else {
                    throw Disproof("the folder is not known")
                }
                listing = next
                let names = listing.indices.map { listing.name(of: $0) }
                guard names == there.sorted().map({ "\(1000 + $0).jpg" }) else { throw Disproof("listed: \(names)") }
                let counts = listing.pages.map(\.records.count)
                guard counts.allSatisfy({ (1...8).contains($0) }) else { throw Disproof("pages of \(counts)") }
                guard zip(counts, counts.dropFirst()).allSatisfy({ $0 >= 2 || $1 >= 2 }) else {
                    throw Disproof("small pages side by side: \(counts)")
                }
            }
        }
    }

    @Test("Facts go with their photo to another page, and to another listing")
    func facts() throws {
        write(0..<20)
        let before = scan().look().listing
        before.readAllFacts()
        folder.write("1004a.jpg", changed: 1)
        let place = FolderScan.Place(folder: folder.path, name: "1004a.jpg")
        let updated = try #require(scan().updating(before, at: [place]))
        #expect(updated.storedFacts.filter { $0.state == .unread }.count == 1)
        let other = scan(photosPerPage: 16).look().listing
        other.adoptFacts(of: updated)
        #expect(other.storedFacts.filter { $0.state == .unread }.count == 1)
    }

    @Test("An index has the pages as they were")
    func index() throws {
        write(0..<120)
        let listing = scan().look().listing
        try LibraryIndex.write(listing, choice: 0, to: "\(folder.path)/.index")
        let read = try #require(LibraryIndex.read("\(folder.path)/.index")).listing
        #expect(read.pages.map(\.records) == listing.pages.map(\.records))
        #expect(read.pages.map(\.names) == listing.pages.map(\.names))
        #expect(sharedPages(read, scan().look(since: read).listing) == read.pages.count)
    }

    private func sharedPages(_ one: Listing, _ other: Listing) -> Int {
        let known = Set(one.pages.map { ObjectIdentifier($0) })
        return other.pages.count { known.contains(ObjectIdentifier($0)) }
    }
}
