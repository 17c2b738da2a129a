import Files

/// Makes a listing of photos that come in its order, with pages of another listing where they are as they were.
struct ListingBuilder {
    private let folders: [Listing.Folder]
    /// The largest number of photos on a page. A new page is filled to three quarters, so that photos find room that come later.
    private let limit: Int
    private var pages: ContiguousArray<ListingPage> = []
    /// The photos that lie on no page yet.
    private var records: ContiguousArray<ListingPage.Record> = []
    private var names: ContiguousArray<UInt8> = []
    private var facts: ContiguousArray<StoredFacts> = []
    /// More have no index of 32 bits.
    static let mostPages = 1 << 24

    init(folders: [Listing.Folder], photosPerPage limit: Int = ListingPage.mostPhotos) {
        self.folders = folders
        self.limit = limit
    }

    /// Appends one photo. A name longer than any file system's is left out.
    mutating func append(
        _ record: ListingPage.Record, name: UnsafeRawBufferPointer, facts known: StoredFacts = StoredFacts()
    ) {
        guard let length = UInt8(exactly: name.count), pages.count < Self.mostPages - 1 else { return }
        if records.count == limit { makePage(of: max(1, limit * 3 / 4)) }
        var record = record
        record.nameStart = UInt16(names.count)
        record.nameLength = length
        records.append(record)
        names.append(contentsOf: name)
        facts.append(known)
    }

    /// Appends photos of another listing, under the number that their folder has here; nil if all folders have the same numbers.
    mutating func append(_ range: Range<Int>, of other: Listing, folder: UInt32? = nil) {
        var index = range.lowerBound
        while index < range.upperBound {
            let (number, first) = Listing.place(of: index)
            let page = other.pages[number]
            let end = min(page.records.count, range.upperBound - Listing.index(page: number))
            if first == 0, end == page.records.count, folder == nil || page.records[0].folder == folder {
                append(page)
            } else if first < end {
                append(page, first..<end, folder: folder)
            }
            index = Listing.index(page: number + 1)
        }
    }

    /// Appends the photos of one folder, which came in no order.
    ///
    /// - Parameter known: a listing with pages that may be used again.
    mutating func append(_ found: consuming FoundPhotos, folder: UInt32, known: Listing?) {
        var candidates = candidates(in: known, folder: folder)[...]
        let order = found.order()
        var place = 0
        while place < order.count {
            let photos = order[place...]
            while let page = candidates.first, found.order(photos, page) > 0 { candidates.removeFirst() }
            if let page = candidates.first, found.begins(photos, with: page) {
                append(page)
                place += page.records.count
            } else {
                found.withPhoto(order[place], folder: folder) { append($0, name: $1) }
                place += 1
            }
        }
    }

    consuming func listing(taken: Int64) -> Listing {
        makePage(of: records.count)
        return Listing(folders: folders, pages: pages, taken: taken)
    }

    /// The pages of a listing on which there is nothing but a folder that has the same number there.
    private func candidates(in known: Listing?, folder: UInt32) -> ContiguousArray<ListingPage> {
        guard let known, known.folders.indices.contains(Int(folder)),
            known.folders[Int(folder)].path == folders[Int(folder)].path
        else { return [] }
        let range = known.photos(inFolder: Int(folder))
        let (first, offset) = Listing.place(of: range.lowerBound)
        let end = Listing.place(of: range.upperBound).page
        return ContiguousArray(known.pages[min(end, offset == 0 ? first : first + 1)..<end])
    }

    /// Takes a page over as it is; what is on a small one is copied, so that small ones become fewer.
    private mutating func append(_ page: ListingPage) {
        guard page.records.count >= limit / 4, page.records.count <= limit else {
            return append(page, page.records.indices, folder: nil)
        }
        makePage(of: records.count)
        if pages.count < Self.mostPages { pages.append(page) }
    }

    private mutating func append(_ page: ListingPage, _ offsets: Range<Int>, folder: UInt32?) {
        let known = page.storedFacts
        for offset in offsets {
            var record = page.records[offset]
            if let folder { record.folder = folder }
            page.withName(at: offset) { append(record, name: $0, facts: known.isEmpty ? StoredFacts() : known[offset]) }
        }
    }

    /// Makes a page of the first photos that lie on none.
    private mutating func makePage(of count: Int) {
        guard count > 0 else { return }
        let end = count < records.count ? Int(records[count].nameStart) : names.count
        pages.append(
            ListingPage(
                records: ContiguousArray(records[..<count]), names: ContiguousArray(names[..<end]),
                facts: ContiguousArray(facts[..<count])))
        records.removeFirst(count)
        names.removeFirst(end)
        facts.removeFirst(count)
        for index in records.indices { records[index].nameStart -= UInt16(end) }
    }
}
