import Files

/// Finds the photos in folders.
struct FolderScan: Sendable {
    /// A name in a folder in which something has happened.
    struct Place: Hashable, Sendable {
        let folder: String
        let name: String

        /// By their bytes: a file system has two files of names that are one text, written differently.
        static func == (left: Place, right: Place) -> Bool {
            left.name.byteOrder(right.name) == 0 && left.folder.byteOrder(right.folder) == 0
        }
    }

    let roots: [String]
    let includesSubfolders: Bool
    /// In lower case, without the dot.
    let extensions: [[UInt8]]
    /// The largest number of photos on a page of a listing.
    var photosPerPage = ListingPage.mostPhotos

    /// A time that a file system gives twice, because its clock ticks this seldom, does not tell two contents apart (FAT has
    /// two seconds).
    static let tick: Int64 = 2_000_000_000

    /// A number for the endings that photos have and for whether subfolders count: FNV-1a over both.
    var choice: UInt64 {
        let text = extensions.map { $0 + [0] }.sorted { $0.lexicographicallyPrecedes($1) }.joined()
        return ([includesSubfolders ? 1 : 0] + text).reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
    }

    private enum Content {
        case found(FoundPhotos)
        case known(Range<Int>)

        var isKnown: Bool { if case .known = self { true } else { false } }
    }

    /// Lists all photos.
    ///
    /// - Parameters:
    ///   - known: An older listing, whose pages are used again where nothing is different.
    ///   - isTrusted: Whether folders in which no name has come or gone since are taken from it without a look at their files.
    ///   - keepsUnreadable: Whether a root that cannot be read, with what lies below it, is taken from it as well: the others are looked at
    ///     all the same.
    func listing(
        since known: Listing? = nil, trusting isTrusted: Bool = false, keepsUnreadable: Bool = false
    ) throws(LibraryError) -> Listing {
        let taken = Duration.sinceEpoch.nanoseconds
        var contents: [(folder: Listing.Folder, content: Content)] = []
        var seen: Set<FolderNumber> = []
        var waiting = Array(roots.reversed())
        // By path: a folder made since may have the number of one that is gone.
        var kept: Set<Int> = []
        func keep(_ root: String) -> Bool {
            guard keepsUnreadable, let known else { return false }
            for index in known.folders.indices where known.folders[index].lies(in: root) {
                guard kept.insert(index).inserted else { continue }
                contents.append((known.folders[index], .known(known.photos(inFolder: index))))
            }
            return true
        }
        while let path = waiting.popLast() {
            guard let folder = Listing.Folder(at: path) else {
                let error = SystemError("stat")
                if roots.contains(path), !keep(path) { throw .folder(path: path, reason: "\(error)") }
                continue
            }
            // A folder may be named twice, or lie in another one that is.
            guard seen.insert(FolderNumber(folder)).inserted else { continue }
            if isTrusted, let known, let (range, folders) = known.unchanged(folder) {
                contents.append((folder, .known(range)))
                if includesSubfolders { waiting += folders }
                continue
            }
            do throws(SystemError) {
                let (photos, folders) = try read(path)
                contents.append((folder, .found(photos)))
                if includesSubfolders { waiting += folders }
            } catch {
                seen.remove(FolderNumber(folder))
                if roots.contains(path), !keep(path) { throw .folder(path: path, reason: "\(error)") }
            }
        }
        contents.sort { $0.folder.path.byteOrder($1.folder.path) < 0 }
        if let known, contents.allSatisfy(\.content.isKnown), contents.map(\.folder) == known.folders {
            return known.taken(at: taken)
        }
        return build(contents, known: known, taken: taken)
    }

    private func build(
        _ contents: consuming [(folder: Listing.Folder, content: Content)], known: Listing?, taken: Int64
    ) -> Listing {
        let folders = contents.map(\.folder)
        var builder = ListingBuilder(folders: folders, photosPerPage: photosPerPage)
        // Each is let go of when it is through: the photos of one folder may be all there are.
        contents.reverse()
        while let (_, content) = contents.popLast() {
            let folder = UInt32(folders.count - 1 - contents.count)
            switch content {
            case .found(let photos): builder.append(photos, folder: folder, known: known)
            case .known(let range): if let known { builder.append(range, of: known, folder: folder) }
            }
        }
        return builder.listing(taken: taken)
    }

    private func read(_ path: String) throws(SystemError) -> (photos: FoundPhotos, folders: [String]) {
        var photos = FoundPhotos()
        var folders: [String] = []
        try Directory.forEachEntry(in: path) { entry in
            if entry.isDirectory {
                if entry.name.first != UInt8(ascii: ".") {
                    folders.append("\(path)/\(String(decoding: entry.name, as: UTF8.self))")
                }
            } else if isPhoto(entry.name), let file = entry.facts, file.isRegular {
                photos.append(file, name: entry.name)
            }
        }
        return (photos, folders)
    }

    /// Returns a listing in which photos at some places are as they are on disk now; nil if a place is in no folder of it.
    func updating(_ listing: Listing, at places: some Sequence<Place>) -> Listing? {
        let taken = Duration.sinceEpoch.nanoseconds
        var touched: [(folder: Int, name: String)] = []
        for place in places {
            guard let folder = listing.folderIndex(of: place.folder) else { return nil }
            var name = place.name
            if name.withUTF8({ isPhoto(UnsafeRawBufferPointer($0)) }) { touched.append((folder, name)) }
        }
        touched.sort { $0.folder != $1.folder ? $0.folder < $1.folder : $0.name.byteOrder($1.name) < 0 }
        var builder = ListingBuilder(folders: listing.folders, photosPerPage: photosPerPage)
        var start = 0
        var differs = false
        for (folder, name) in touched {
            var name = name
            let file = FileFacts(at: "\(listing.folders[folder].path)/\(name)").flatMap { $0.isRegular ? $0 : nil }
            let record = file.map { Listing.Record($0, folder: UInt32(folder)) }
            name.withUTF8 { bytes in
                let name = UnsafeRawBufferPointer(bytes)
                let position = listing.position(of: name, in: folder)
                builder.append(start..<position.index, of: listing)
                start = position.index + (position.isListed ? 1 : 0)
                let isSame =
                    position.isListed
                    ? record?.isSameContent(as: listing.record(at: position.index)) ?? false : record == nil
                if !isSame { differs = true }
                if let record { builder.append(record, name: name) }
            }
        }
        guard differs else { return listing }
        builder.append(start..<listing.endIndex, of: listing)
        return builder.listing(taken: taken)
    }

    private func isPhoto(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.first != UInt8(ascii: "."), let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = name[(dot + 1)...]
        return extensions.contains { known in
            known.count == ending.count && zip(known, ending).allSatisfy { $0 == ($1 &- 65 < 26 ? $1 | 32 : $1) }
        }
    }
}

/// The identity of a folder.
private struct FolderNumber: Hashable {
    let device: UInt64
    let number: UInt64

    init(_ folder: Listing.Folder) {
        (device, number) = (folder.device, folder.number)
    }
}

extension Listing.Folder {
    /// Whether it is a folder, or somewhere below it.
    func lies(in root: String) -> Bool {
        path.utf8.starts(with: root.utf8)
            && (path.utf8.count == root.utf8.count || path.utf8.dropFirst(root.utf8.count).first == UInt8(ascii: "/"))
    }

    /// The folder that a path leads to, through links too; nil where there is none.
    init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        let facts = FileFacts(status)
        self.init(path: path, device: facts.device, number: facts.number, modified: facts.modified.nanoseconds)
    }
}
