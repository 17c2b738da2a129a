import Files
import Synchronization

/// A few hundred photos that follow each other in a listing.
///
/// A page never changes but for facts, which are added as they are read. So listings share the pages in which nothing has happened: a
/// photo that comes or goes costs a page, however long the list is.
final class ListingPage: Sendable {
    struct Record: BitwiseCopyable, Sendable, Equatable {
        var number: UInt64
        var size: Int64
        /// When the content last changed, in nanoseconds since 1970.
        var modified: Int64
        /// When anything about the file last changed, in nanoseconds since 1970: of two files in turn that have one number, size and
        /// time of the content, which anybody may set, this tells them apart.
        var changed: Int64
        /// The place of the folder in the listing's list.
        var folder: UInt32
        /// The offset of the name in the page's names.
        var nameStart: UInt16 = 0
        var nameLength: UInt8 = 0
        /// The number of names that the file has; 255 for more.
        var links: UInt8

        /// A record without a name yet.
        init(number: UInt64, size: Int64, modified: Int64, changed: Int64, links: UInt8, folder: UInt32) {
            (self.number, self.size, self.modified) = (number, size, modified)
            (self.changed, self.links, self.folder) = (changed, links, folder)
        }

        init(_ file: FileFacts, folder: UInt32) {
            self.init(
                number: file.number, size: Int64(file.size), modified: file.modified.nanoseconds,
                changed: file.changed.nanoseconds, links: UInt8(clamping: file.links), folder: folder)
        }

        /// Whether both are the same file, unchanged.
        func isSameContent(as other: Record) -> Bool {
            number == other.number && size == other.size && modified == other.modified && changed == other.changed
        }

        /// Whether the content has changed just before a time, so that a further change may leave no trace: a file system whose clock
        /// ticks seldom gives both one time (FAT has two seconds).
        func isFresh(at time: Int64) -> Bool { modified >= time - FolderScan.tick }
    }

    /// With names of 255 bytes each, so many are within reach of an offset of 16 bits.
    static let mostPhotos = 256

    /// Sorted by folder and name; at least one.
    let records: ContiguousArray<Record>
    let names: ContiguousArray<UInt8>
    /// As long as the records, or empty while no fact is known.
    private let facts: Mutex<ContiguousArray<StoredFacts>>

    /// - Parameter facts: one for each record; if the number is another, none is known.
    init(
        records: ContiguousArray<Record>, names: ContiguousArray<UInt8>, facts: ContiguousArray<StoredFacts> = []
    ) {
        self.records = records
        self.names = names
        let isKnown = facts.count == records.count && facts.contains { $0.state != .unread }
        self.facts = Mutex(isKnown ? facts : [])
    }

    /// Calls with the bytes of a name, which are valid only within the call.
    func withName<Result>(at offset: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let record = records[offset]
        return names.withUnsafeBytes { names in
            let start = Int(record.nameStart)
            return body(UnsafeRawBufferPointer(rebasing: names[start..<start + Int(record.nameLength)]))
        }
    }

    /// The known facts, one for each record; empty while there are none.
    var storedFacts: ContiguousArray<StoredFacts> { facts.withLock { $0 } }

    /// The known facts about one photo.
    func facts(at offset: Int) -> StoredFacts {
        facts.withLock { $0.isEmpty ? StoredFacts() : $0[offset] }
    }

    /// Keeps facts that have been read.
    func note(_ read: [(offset: Int, facts: StoredFacts)]) {
        guard !read.isEmpty else { return }
        facts.withLock { stored in
            if stored.isEmpty { stored = ContiguousArray(repeating: StoredFacts(), count: records.count) }
            for (offset, facts) in read { stored[offset] = facts }
        }
    }
}
