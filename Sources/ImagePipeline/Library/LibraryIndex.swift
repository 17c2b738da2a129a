import CZlib
import Files

/// A listing in a file, so that the next start need not look at every photo. It is read and written page by page.
///
///     0   8  "ISLIBRY" and the format's version, 5
///     8   8  number of folders
///     16  8  number of pages
///     24  8  bytes of folders
///     32  8  number of photos
///     40  8  when the listing was taken
///     48  8  what was looked for (``FolderScan/choice``)
///     56  8  CRC-32 of what follows, and then of all before it
///     64     folders, the table of pages, pages
///
/// The table has three numbers for each page: its records, its facts and its bytes of names, which then follow each other.
/// Numbers are this machine's: an index of another one has no sound magic or checksum, and is as good as none.
enum LibraryIndex {
    private static let headerSize = 64
    private static let magic = UInt64(bigEndian: 0x4953_4C49_4252_5905)

    private struct PageSize: BitwiseCopyable {
        let records, facts, names: UInt32

        var isSound: Bool {
            (1...UInt32(ListingPage.mostPhotos)).contains(records) && (facts == 0 || facts == records)
                && names <= UInt16.max
        }

        var bytes: Int {
            Int(records) * MemoryLayout<Listing.Record>.stride + Int(facts) * MemoryLayout<StoredFacts>.stride
                + Int(names)
        }
    }

    /// - Returns: The listing, and what was looked for; nil where there is no index, or one that is damaged in any way.
    static func read(_ path: String) -> (listing: Listing, choice: UInt64)? {
        guard let file = try? FileDescriptor.reading(path), let size = (try? file.status()).map({ Int($0.st_size) }),
            let header: ContiguousArray<UInt64> = try? file.array(headerSize / 8, at: 0),
            header.count == headerSize / 8,
            header[0] == magic, header[1...3].allSatisfy({ $0 <= UInt64(size) }), header[2] < ListingBuilder.mostPages
        else { return nil }
        var reader = Reader(file, from: headerSize)
        guard
            let text: ContiguousArray<UInt8> = reader.next(
                Int(header[3]), if: { !zip($0, $0.dropFirst()).contains { $0 == (0, 0) } }),
            let folders = folders(text), folders.count == Int(header[1]),
            let table: ContiguousArray<PageSize> = reader.next(Int(header[2]), if: { $0.allSatisfy(\.isSound) }),
            table.reduce(reader.offset, { $0 + $1.bytes }) == size
        else { return nil }
        var pages = ContiguousArray<ListingPage>()
        for size in table {
            guard let page = reader.page(size, folders: folders.count) else { return nil }
            pages.append(page)
        }
        let listing = Listing(folders: folders, pages: pages, taken: Int64(bitPattern: header[5]))
        // A tick is subtracted from the time later on.
        guard reader.checksum(and: header.dropLast()) == header[7], listing.count == header[4], listing.taken >= 0,
            listing.isSound
        else { return nil }
        return (listing, header[6])
    }

    /// Reads values one after the other, and adds up their checksum.
    private struct Reader: ~Copyable {
        private let file: FileDescriptor
        private(set) var offset: Int
        private(set) var checksum: UInt64 = 0

        init(_ file: consuming FileDescriptor, from offset: Int) {
            self.file = file
            self.offset = offset
        }

        /// - Parameter isSound: Called with one part after the other: a file may say, and have the size for it, that more follows than there
        ///   is on the disk, or is memory for.
        mutating func next<Element: BitwiseCopyable>(
            _ count: Int, if isSound: (ContiguousArray<Element>) -> Bool = { _ in true }
        ) -> ContiguousArray<Element>? {
            var values = ContiguousArray<Element>()
            while values.count < count {
                let size = min(count - values.count, 1 << 16)
                guard let part: ContiguousArray<Element> = try? file.array(size, at: offset), part.count == size,
                    isSound(part)
                else { return nil }
                offset += size * MemoryLayout<Element>.stride
                part.withUnsafeBytes { checksum = $0.checksum(from: checksum) }
                values += part
            }
            return values
        }

        func checksum(and header: ContiguousArray<UInt64>.SubSequence) -> UInt64 {
            header.withUnsafeBytes { $0.checksum(from: checksum) }
        }

        mutating func page(_ size: PageSize, folders: Int) -> ListingPage? {
            guard let records: ContiguousArray<Listing.Record> = next(Int(size.records)),
                let facts: ContiguousArray<StoredFacts> = next(Int(size.facts)),
                let names: ContiguousArray<UInt8> = next(Int(size.names)),
                records.allSatisfy({
                    Int($0.nameStart) + Int($0.nameLength) <= names.count && Int($0.folder) < folders
                })
            else { return nil }
            return ListingPage(records: records, names: names, facts: facts)
        }
    }

    static func write(_ listing: Listing, choice: UInt64, to path: String) throws(SystemError) {
        let folders = text(listing.folders)
        var table = ContiguousArray<PageSize>()
        for page in listing.pages {
            table.append(
                PageSize(
                    records: UInt32(page.records.count), facts: UInt32(facts(of: page, in: listing).count),
                    names: UInt32(page.names.count)))
        }
        let file = try TemporaryFile.make(in: Directory.holding(path))
        var (offset, checksum) = (headerSize, UInt64(0))
        try append(folders, to: file, at: &offset, &checksum)
        try append(table, to: file, at: &offset, &checksum)
        for (page, size) in zip(listing.pages, table) {
            // Some may have become known since the table was made.
            let facts = facts(of: page, in: listing)
            try append(page.records, to: file, at: &offset, &checksum)
            try append(ContiguousArray(facts.prefix(Int(size.facts))), to: file, at: &offset, &checksum)
            try append(page.names, to: file, at: &offset, &checksum)
        }
        var header: ContiguousArray<UInt64> = [
            magic, UInt64(listing.folders.count), UInt64(table.count), UInt64(folders.count), UInt64(listing.count),
            UInt64(bitPattern: listing.taken), choice,
        ]
        header.append(header.withUnsafeBytes { $0.checksum(from: checksum) })
        var (start, unused) = (0, UInt64(0))
        try append(header, to: file, at: &start, &unused)
        try file.publish(as: path, time: .sinceEpoch)
    }

    /// Removes what writers have left that were killed before they were through.
    static func sweep(beside path: String) {
        let directory = Directory.holding(path)
        try? Directory.forEachName(in: directory) { name in
            if let name, TemporaryFile.isName(name) { TemporaryFile.removeIfAbandoned("\(directory)/\(name)") }
        }
    }

    /// The facts that are kept: none of a photo that changed just before the listing was taken.
    private static func facts(of page: ListingPage, in listing: Listing) -> ContiguousArray<StoredFacts> {
        var facts = page.storedFacts
        for index in facts.indices where !facts[index].isRead || page.records[index].isFresh(at: listing.taken) {
            facts[index] = StoredFacts()
        }
        return facts
    }

    private static func append<Element: BitwiseCopyable>(
        _ values: ContiguousArray<Element>, to file: borrowing TemporaryFile, at offset: inout Int,
        _ checksum: inout UInt64
    ) throws(SystemError) {
        let written = values.withUnsafeBytes { bytes -> Result<Int, SystemError> in
            do throws(SystemError) {
                try file.write(bytes, at: offset)
                checksum = bytes.checksum(from: checksum)
                return .success(bytes.count)
            } catch {
                return .failure(error)
            }
        }
        offset += try written.get()
    }

    /// Four numbers and a path each, ended by a NUL, which no path has.
    private static func text(_ folders: [Listing.Folder]) -> ContiguousArray<UInt8> {
        ContiguousArray(
            folders.flatMap { folder in
                let numbers = "\(folder.device) \(folder.number) \(folder.modified) \(folder.changed)"
                return Array("\(numbers) \(folder.path)".utf8) + [0]
            })
    }

    private static func folders(_ text: ContiguousArray<UInt8>) -> [Listing.Folder]? {
        var folders: [Listing.Folder] = []
        for line in text.split(separator: 0, omittingEmptySubsequences: true) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 4)
            let texts = words.map { String(decoding: $0, as: UTF8.self) }
            guard texts.count == 5, let device = UInt64(texts[0]), let number = UInt64(texts[1]),
                let modified = Int64(texts[2]), let changed = Int64(texts[3])
            else { return nil }
            folders.append(
                Listing.Folder(path: texts[4], device: device, number: number, modified: modified, changed: changed))
        }
        return folders
    }
}

extension UnsafeRawBufferPointer {
    /// Goes on with a CRC-32.
    fileprivate func checksum(from start: UInt64) -> UInt64 {
        // Without bytes zlib gives the start of all checksums.
        isEmpty ? start : UInt64(crc32_z(UInt(start), bindMemory(to: UInt8.self).baseAddress, count))
    }
}
