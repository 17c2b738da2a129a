import Files

/// Makes a listing of photos that come in its order.
struct ListingBuilder {
    private let folders: [Listing.Folder]
    private var records: ContiguousArray<Listing.Record> = []
    private var names: ContiguousArray<UInt8> = []

    init(folders: [Listing.Folder]) {
        self.folders = folders
    }

    /// Makes room for a listing that is about as long as another one.
    mutating func reserve(for listing: Listing, more: Int) {
        records.reserveCapacity(listing.records.count + more)
        names.reserveCapacity(listing.names.count + more * 32)
    }

    /// Appends one photo. A name longer than any file system's, or beyond what the buffer can number, is left out.
    mutating func append(_ record: Listing.Record, name: UnsafeRawBufferPointer) {
        guard let start = UInt32(exactly: names.count), let length = UInt8(exactly: name.count) else { return }
        var record = record
        record.nameStart = start
        record.nameLength = length
        records.append(record)
        names.append(contentsOf: name)
    }

    /// Appends photos of another listing, under the number that their folder has here.
    mutating func append(_ range: Range<Int>, of other: Listing, folder: UInt32? = nil) {
        other.names.withUnsafeBytes { names in
            for index in range {
                var record = other.records[index]
                let start = Int(record.nameStart)
                if let folder { record.folder = folder }
                append(record, name: UnsafeRawBufferPointer(rebasing: names[start..<start + Int(record.nameLength)]))
            }
        }
    }

    /// Appends the photos of one folder, which came in no order.
    mutating func append(_ found: consuming FoundPhotos, folder: UInt32) {
        found.sort(folder: folder)
        // A single folder may have all photos there are, in memory that need not be there twice.
        if records.isEmpty {
            (records, names) = (found.records, found.names)
            return
        }
        let foundNames = found.names
        foundNames.withUnsafeBytes { names in
            for record in found.records {
                let start = Int(record.nameStart)
                append(record, name: UnsafeRawBufferPointer(rebasing: names[start..<start + Int(record.nameLength)]))
            }
        }
    }

    consuming func listing(taken: Int64) -> Listing {
        Listing(folders: folders, records: records, names: names, taken: taken)
    }
}

/// The photos of one folder in the order in which the system names them.
struct FoundPhotos {
    var records: ContiguousArray<Listing.Record> = []
    var names: ContiguousArray<UInt8> = []

    mutating func append(_ file: FileFacts, name: UnsafeRawBufferPointer) {
        guard let start = UInt32(exactly: names.count), let length = UInt8(exactly: name.count) else { return }
        var record = Listing.Record(file, folder: 0)
        record.nameStart = start
        record.nameLength = length
        records.append(record)
        names.append(contentsOf: name)
    }

    /// Sorts them by name; the names themselves stay where they are.
    mutating func sort(folder: UInt32) {
        let names = names
        names.withUnsafeBytes { names in
            func name(_ record: Listing.Record) -> UnsafeRawBufferPointer {
                let start = Int(record.nameStart)
                return UnsafeRawBufferPointer(rebasing: names[start..<start + Int(record.nameLength)])
            }
            records.sort { name($0).order(name($1)) < 0 }
        }
        for index in records.indices { records[index].folder = folder }
    }
}
