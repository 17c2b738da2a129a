import CZlib
import Files

/// A listing in a file, so that the next start need not look at every photo.
///
///     0   8  "ISLIBRY" and the format's version, 1
///     8   8  number of folders
///     16  8  number of photos
///     24  8  bytes of names
///     32  8  bytes of folders
///     40  8  when the listing was taken
///     48  8  CRC-32 of what follows
///     56     records, facts, names, folders
///
/// Numbers are this machine's: an index of another one has no sound magic or checksum, and is as good as none.
enum LibraryIndex {
    private static let headerSize = 56
    private static let magic = UInt64(bigEndian: 0x4953_4C49_4252_5901)
    /// More photos than names have numbers for are not kept in an index.
    private static let mostPhotos = UInt64(UInt32.max)

    /// - Returns: nil where there is no index, or one that is damaged in any way.
    static func read(_ path: String) -> Listing? {
        guard let file = try? FileDescriptor.reading(path), let size = (try? file.status()).map({ Int($0.st_size) }),
            let header: ContiguousArray<UInt64> = try? file.array(headerSize / 8, at: 0), header.count == 7,
            header[0] == magic,
            header[1...2].allSatisfy({ $0 <= mostPhotos }), header[3...4].allSatisfy({ $0 <= UInt64(size) })
        else { return nil }
        let (folderCount, count) = (Int(header[1]), Int(header[2]))
        let recordBytes = count * MemoryLayout<Listing.Record>.stride
        let factBytes = count * MemoryLayout<StoredFacts>.stride
        let (nameBytes, folderBytes) = (Int(header[3]), Int(header[4]))
        guard size == headerSize + recordBytes + factBytes + nameBytes + folderBytes else { return nil }
        var offset = headerSize
        var checksum: UInt = 0
        func next<Element: BitwiseCopyable>(_ count: Int) -> ContiguousArray<Element>? {
            guard let bytes: ContiguousArray<Element> = try? file.array(count, at: offset), bytes.count == count else {
                return nil
            }
            offset += count * MemoryLayout<Element>.stride
            bytes.withUnsafeBytes { checksum = $0.checksum(from: checksum) }
            return bytes
        }
        guard let records: ContiguousArray<Listing.Record> = next(count),
            let facts: ContiguousArray<StoredFacts> = next(count),
            let names: ContiguousArray<UInt8> = next(nameBytes),
            let folderText: ContiguousArray<UInt8> = next(folderBytes),
            checksum == UInt(truncatingIfNeeded: header[6]),
            let folders = folders(folderText), folders.count == folderCount,
            records.allSatisfy({
                Int($0.nameStart) + Int($0.nameLength) <= names.count && Int($0.folder) < folders.count
            })
        else { return nil }
        return Listing(
            folders: folders, records: records, names: names,
            facts: facts.contains { $0.state != .unread } ? facts : [],
            taken: Int64(truncatingIfNeeded: header[5]))
    }

    static func write(_ listing: Listing, to path: String) throws(SystemError) {
        var facts = listing.storedFacts
        if facts.isEmpty { facts = ContiguousArray(repeating: StoredFacts(), count: listing.records.count) }
        // A change within one tick of a file system's clock is not seen in the file's time.
        for index in facts.indices where listing.records[index].modified >= listing.taken - FolderScan.tick {
            facts[index] = StoredFacts()
        }
        let folders = text(listing.folders)
        var header: [UInt64] = [
            magic, UInt64(listing.folders.count), UInt64(listing.records.count), UInt64(listing.names.count),
            UInt64(folders.count), UInt64(bitPattern: listing.taken), 0,
        ]
        var checksum: UInt = 0
        listing.records.withUnsafeBytes { checksum = $0.checksum(from: checksum) }
        facts.withUnsafeBytes { checksum = $0.checksum(from: checksum) }
        listing.names.withUnsafeBytes { checksum = $0.checksum(from: checksum) }
        folders.withUnsafeBytes { checksum = $0.checksum(from: checksum) }
        header[6] = UInt64(checksum)
        let file = try TemporaryFile.make(in: directory(of: path))
        var offset = 0
        try append(ContiguousArray(header), to: file, at: &offset)
        try append(listing.records, to: file, at: &offset)
        try append(facts, to: file, at: &offset)
        try append(listing.names, to: file, at: &offset)
        try append(folders, to: file, at: &offset)
        try file.publish(as: path, time: .sinceEpoch)
    }

    private static func append<Element: BitwiseCopyable>(
        _ elements: ContiguousArray<Element>, to file: borrowing TemporaryFile, at offset: inout Int
    ) throws(SystemError) {
        let written = elements.withUnsafeBytes { bytes -> Result<Int, SystemError> in
            do throws(SystemError) {
                try file.write(bytes, at: offset)
                return .success(bytes.count)
            } catch {
                return .failure(error)
            }
        }
        offset += try written.get()
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Three numbers and a path each, ended by a NUL, which no path has.
    private static func text(_ folders: [Listing.Folder]) -> ContiguousArray<UInt8> {
        ContiguousArray(
            folders.flatMap { folder in
                Array("\(folder.device) \(folder.number) \(folder.modified) \(folder.path)".utf8) + [0]
            })
    }

    private static func folders(_ text: ContiguousArray<UInt8>) -> [Listing.Folder]? {
        var folders: [Listing.Folder] = []
        for line in text.split(separator: 0, omittingEmptySubsequences: true) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            let texts = words.map { String(decoding: $0, as: UTF8.self) }
            guard texts.count == 4, let device = UInt64(texts[0]), let number = UInt64(texts[1]),
                let modified = Int64(texts[2])
            else { return nil }
            folders.append(Listing.Folder(path: texts[3], device: device, number: number, modified: modified))
        }
        return folders
    }
}

extension UnsafeRawBufferPointer {
    /// Goes on with a CRC-32.
    fileprivate func checksum(from start: UInt) -> UInt {
        // Without bytes zlib gives the start of all checksums.
        isEmpty ? start : crc32_z(start, bindMemory(to: UInt8.self).baseAddress, count)
    }
}
