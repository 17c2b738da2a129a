import Files
import Synchronization

/// All photos of a library at one time: fixed-size records, sorted by folder and name, and one buffer of names. It never
/// changes but for facts, which are added as they are read; what changes on disk makes a new one.
final class Listing: Sendable {
    struct Folder: Sendable, Equatable {
        let path: String
        let device: UInt64
        let number: UInt64
        /// The time at which a name was last added to it or taken from it, in nanoseconds since 1970.
        let modified: Int64
    }

    struct Record: BitwiseCopyable, Sendable, Equatable {
        var number: UInt64
        var size: Int64
        /// In nanoseconds since 1970.
        var modified: Int64
        /// The offset of the name in the buffer.
        var nameStart: UInt32
        var folder: UInt32
        var nameLength: UInt8

        /// Whether both are the same file, unchanged.
        func isSameContent(as other: Record) -> Bool {
            number == other.number && size == other.size && modified == other.modified
        }
    }

    /// Sorted by path.
    let folders: [Folder]
    let records: ContiguousArray<Record>
    let names: ContiguousArray<UInt8>
    /// The time at which the listing was begun, in nanoseconds since 1970.
    let taken: Int64
    /// As long as the records, or empty while no fact is known.
    private let facts: Mutex<ContiguousArray<StoredFacts>>

    init(
        folders: [Folder] = [], records: ContiguousArray<Record> = [], names: ContiguousArray<UInt8> = [],
        facts: ContiguousArray<StoredFacts> = [], taken: Int64 = 0
    ) {
        self.folders = folders
        self.records = records
        self.names = names
        self.taken = taken
        self.facts = Mutex(facts.count == records.count ? facts : [])
    }

    /// This listing, found unchanged at another time; nothing is copied.
    func taken(at time: Int64) -> Listing {
        Listing(folders: folders, records: records, names: names, facts: storedFacts, taken: time)
    }

    func name(of index: Int) -> String {
        withName(of: index) { String(decoding: $0, as: UTF8.self) }
    }

    func withName<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let record = records[index]
        return names.withUnsafeBytes { names in
            let start = Int(record.nameStart)
            return body(UnsafeRawBufferPointer(rebasing: names[start..<start + Int(record.nameLength)]))
        }
    }

    func path(of index: Int) -> String { "\(folders[Int(records[index].folder)].path)/\(name(of: index))" }

    // MARK: Facts

    /// The known facts, one for each record; empty while there are none.
    var storedFacts: ContiguousArray<StoredFacts> { facts.withLock { $0 } }

    /// The known facts about a photo, if its file is still the one that is listed; read from its header where it is not known.
    func facts(of index: Int) -> StoredFacts? {
        let known = facts.withLock { $0.isEmpty ? StoredFacts() : $0[index] }
        let path = path(of: index)
        if known.state != .unread, let file = FileFacts(at: path), isListed(file, at: index) { return known }
        guard let (read, file) = StoredFacts.read(path) else { return nil }
        if isListed(file, at: index) { note([(index, read)]) }
        return read
    }

    /// Reads the headers of all photos of which nothing is known.
    func readAllFacts() {
        let known = storedFacts
        var read: [(Int, StoredFacts)] = []
        for index in records.indices where known.isEmpty || known[index].state == .unread {
            guard let (facts, file) = StoredFacts.read(path(of: index)), isListed(file, at: index) else { continue }
            read.append((index, facts))
        }
        note(read)
    }

    /// Takes over what is known of the same files in another listing.
    func adoptFacts(of other: Listing) {
        let known = other.storedFacts
        // A listing taken over whole has its facts.
        guard !known.isEmpty, storedFacts.isEmpty else { return }
        var adopted: [(Int, StoredFacts)] = []
        var theirs = 0
        for index in records.indices {
            while theirs < other.records.count, Listing.orderByPlace(other, theirs, self, index) < 0 { theirs += 1 }
            guard theirs < other.records.count else { break }
            if known[theirs].state != .unread, Listing.orderByPlace(other, theirs, self, index) == 0,
                records[index].isSameContent(as: other.records[theirs])
            {
                adopted.append((index, known[theirs]))
            }
        }
        note(adopted)
    }

    private func note(_ facts: [(Int, StoredFacts)]) {
        guard !facts.isEmpty else { return }
        self.facts.withLock { stored in
            if stored.isEmpty { stored = ContiguousArray(repeating: StoredFacts(), count: records.count) }
            for (index, facts) in facts { stored[index] = facts }
        }
    }

    private func isListed(_ file: FileFacts, at index: Int) -> Bool {
        let record = records[index]
        return file.device == folders[Int(record.folder)].device
            && record.isSameContent(as: Record(file, folder: record.folder))
    }
}

extension Listing.Record {
    /// A record without a name yet.
    init(_ file: FileFacts, folder: UInt32) {
        self.init(
            number: file.number, size: Int64(file.size), modified: file.modified.nanoseconds, nameStart: 0,
            folder: folder, nameLength: 0)
    }
}

extension Duration {
    /// Whole nanoseconds; the nearest that there is of what no file system holds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product + attoseconds / 1_000_000_000
    }
}
