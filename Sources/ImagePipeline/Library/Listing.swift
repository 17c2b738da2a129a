import Files

/// All photos of a library at one time, sorted by folder and name, in pages. What changes on disk makes a new one, which shares with the old
/// one all pages in which nothing has changed.
///
/// The index of a photo is its page's number times 256 plus its place there. So indices ascend in the listing's order, with gaps.
final class Listing: Sendable {
    typealias Record = ListingPage.Record

    struct Folder: Sendable, Equatable {
        let path: String
        let device: UInt64
        let number: UInt64
        /// The time at which a name was last added to it or taken from it, in nanoseconds since 1970.
        let modified: Int64
        /// When anything about it last changed, in nanoseconds since 1970: whoever copies or unpacks folders sets the time above to what
        /// it was elsewhere, and nobody this one.
        let changed: Int64

        /// By the bytes of paths: two that are written differently are two.
        static func == (left: Folder, right: Folder) -> Bool {
            (left.device, left.number, left.modified, left.changed)
                == (right.device, right.number, right.modified, right.changed)
                && left.path.byteOrder(right.path) == 0
        }
    }

    /// Sorted by path.
    let folders: [Folder]
    let pages: ContiguousArray<ListingPage>
    /// The number of photos.
    let count: Int
    /// The time at which the listing was begun, in nanoseconds since 1970.
    let taken: Int64

    init(folders: [Folder] = [], pages: ContiguousArray<ListingPage> = [], taken: Int64 = 0) {
        self.folders = folders
        self.pages = pages
        self.taken = taken
        count = pages.reduce(0) { $0 + $1.records.count }
    }

    /// This listing, found unchanged at another time; nothing is copied.
    func taken(at time: Int64) -> Listing { Listing(folders: folders, pages: pages, taken: time) }

    /// Whether both have the same pages of the same folders: then nothing is different.
    func isSame(as other: Listing) -> Bool {
        folders == other.folders && pages.elementsEqual(other.pages, by: ===)
    }

    // MARK: Photos

    /// The index behind all others.
    var endIndex: Int { Self.index(page: pages.count) }

    /// The indices of all photos.
    var indices: some Sequence<Int> {
        pages.indices.lazy.flatMap { [pages] page in
            pages[page].records.indices.lazy.map { Self.index(page: page, $0) }
        }
    }

    static func index(page: Int, _ offset: Int = 0) -> Int { page * ListingPage.mostPhotos + offset }

    /// The page that a photo is on, and its place there.
    static func place(of index: Int) -> (page: Int, offset: Int) {
        (index / ListingPage.mostPhotos, index % ListingPage.mostPhotos)
    }

    func record(at index: Int) -> Record {
        let (page, offset) = Self.place(of: index)
        return pages[page].records[offset]
    }

    func name(of index: Int) -> String {
        withName(of: index) { String(decoding: $0, as: UTF8.self) }
    }

    func withName<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let (page, offset) = Self.place(of: index)
        return pages[page].withName(at: offset, body)
    }

    func folder(of index: Int) -> Folder { folders[Int(record(at: index).folder)] }

    func path(of index: Int) -> String { "\(folder(of: index).path)/\(name(of: index))" }
}
