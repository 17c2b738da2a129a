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

    /// A look at all folders.
    struct Look {
        var listing: Listing
        /// The folders that could not be read, and why.
        var faults: [LibraryError] = []
        /// The first of them that is of a root.
        var rootFault: LibraryError?
        /// Whether one of them may be readable a moment later though nothing happens to it.
        var isPassing = false
    }

    private enum Content {
        case found(FoundPhotos)
        case known(Range<Int>)

        var isKnown: Bool { if case .known = self { true } else { false } }
    }

    /// Lists all photos.
    ///
    /// A folder that is not there, or must not be read, has no photos. One that the system cannot read for another reason, such as too
    /// many open files, has those that it had before.
    ///
    /// - Parameters:
    ///   - known: An older listing, whose pages are used again where nothing is different.
    ///   - isTrusted: Whether folders in which no name has come or gone since are taken from it without a look at their files.
    func look(since known: Listing? = nil, trusting isTrusted: Bool = false) -> Look {
        let taken = Duration.sinceEpoch.nanoseconds
        var contents: [(folder: Listing.Folder, content: Content)] = []
        var look = Look(listing: Listing())
        var seen: Set<FolderNumber> = []
        var waiting = Array(roots.reversed())
        // By path: a folder made since may have the number of one that is gone.
        var kept: Set<Int> = []
        while let path = waiting.popLast() {
            do throws(SystemError) {
                let folder = try Listing.Folder(at: path)
                // A folder may be named twice, or lie in another one that is.
                guard seen.insert(FolderNumber(folder)).inserted else { continue }
                if isTrusted, let known, let (range, folders) = known.unchanged(folder) {
                    contents.append((folder, .known(range)))
                    if includesSubfolders { waiting += folders }
                    continue
                }
                let found = try read(path)
                contents.append((folder, .found(found.photos)))
                if includesSubfolders { waiting += found.folders }
                if let reason = found.fault { look.faults.append(.folder(path: path, reason: "\(reason)")) }
            } catch {
                let fault = LibraryError.folder(path: path, reason: "\(error)")
                let isRoot = roots.contains(path)
                if isRoot, look.rootFault == nil { look.rootFault = fault }
                // A subfolder may have gone since its name was read.
                if isRoot || !error.tellsOfNothing { look.faults.append(fault) }
                guard !error.isFinal else { continue }
                look.isPassing = true
                guard let known else { continue }
                for index in known.folders.indices where known.folders[index].lies(in: path) {
                    guard kept.insert(index).inserted else { continue }
                    contents.append((known.folders[index], .known(known.photos(inFolder: index))))
                }
            }
        }
        contents.sort { $0.folder.path.byteOrder($1.folder.path) < 0 }
        if let known, contents.allSatisfy(\.content.isKnown), contents.map(\.folder) == known.folders {
            look.listing = known.taken(at: taken)
        } else {
            look.listing = build(contents, known: known, taken: taken)
        }
        return look
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

    /// - Returns: Also why the first of those photos that may not be looked at is left out.
    private func read(
        _ path: String
    ) throws(SystemError) -> (photos: FoundPhotos, folders: [String], fault: SystemError?) {
        var photos = FoundPhotos()
        var folders: [String] = []
        var fault: SystemError?
        try Directory.forEachEntry(in: path) { entry in
            if entry.isDirectory {
                if entry.name.first != UInt8(ascii: ".") {
                    folders.append("\(path)/\(String(decoding: entry.name, as: UTF8.self))")
                }
            } else if isPhoto(entry.name) {
                // No call takes the path of a longer one, though its name can be read.
                if path.utf8.count + 1 + entry.name.count >= Int(PATH_MAX) {
                    fault = fault ?? SystemError("path", code: ENAMETOOLONG)
                } else if let file = entry.facts {
                    if file.isRegular { photos.append(file, name: entry.name) }
                } else if errno != ENOENT, fault == nil {
                    fault = SystemError("fstatat")
                }
            }
        }
        return (photos, folders, fault)
    }

    /// A name that may be a photo's, and the file that stands under it now.
    private struct Touched {
        let folder: Int
        let name: String
        let file: FileFacts?

        init(_ name: String, in folder: Int, of listing: Listing) {
            (self.name, self.folder) = (name, folder)
            file = FileFacts(at: "\(listing.folders[folder].path)/\(name)").flatMap { $0.isRegular ? $0 : nil }
        }
    }

    /// Returns a listing in which photos at some places are as they are on disk now; nil if a place is in no folder of it.
    ///
    /// A file of several names is looked at under all of them: the system tells of the one that it was opened by.
    func updating(_ listing: Listing, at places: Set<Place>) -> Listing? {
        let taken = Duration.sinceEpoch.nanoseconds
        var touched: [Touched] = []
        var linked: Set<UInt64> = []
        for place in places {
            guard let folder = listing.folderIndex(of: place.folder) else { return nil }
            var name = place.name
            let old = name.withUTF8 { bytes -> Listing.Record? in
                let position = listing.position(of: UnsafeRawBufferPointer(bytes), in: folder)
                return position.isListed ? listing.record(at: position.index) : nil
            }
            let now = Touched(name, in: folder, of: listing)
            if let old, old.links > 1 { linked.insert(old.number) }
            // A file may be written to under a name that is no photo's, and be one under another.
            if let file = now.file, file.links > 1 { linked.insert(file.number) }
            if isPhoto(name) { touched.append(now) }
        }
        for (folder, name) in listing.names(ofFiles: linked)
        where !places.contains(Place(folder: listing.folders[folder].path, name: name)) {
            touched.append(Touched(name, in: folder, of: listing))
        }
        touched.sort { $0.folder != $1.folder ? $0.folder < $1.folder : $0.name.byteOrder($1.name) < 0 }
        var builder = ListingBuilder(folders: listing.folders, photosPerPage: photosPerPage)
        var start = 0
        var differs = false
        for item in touched {
            let folder = item.folder
            let record = item.file.map { Listing.Record($0, folder: UInt32(folder)) }
            var name = item.name
            name.withUTF8 { bytes in
                let name = UnsafeRawBufferPointer(bytes)
                let position = listing.position(of: name, in: folder)
                builder.append(start..<position.index, of: listing)
                start = position.index + (position.isListed ? 1 : 0)
                let isSame =
                    position.isListed
                    ? record?.isSameContent(as: listing.record(at: position.index)) ?? false : record == nil
                // Facts of a photo that has just changed may be older than its last change.
                if !isSame || record?.isFresh(at: taken) == true { differs = true }
                if let record { builder.append(record, name: name) }
            }
        }
        guard differs else { return listing }
        builder.append(start..<listing.endIndex, of: listing)
        return builder.listing(taken: taken)
    }

    /// Whether a name is a photo's.
    func isPhoto(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { isPhoto(UnsafeRawBufferPointer($0)) }
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

extension SystemError {
    /// Whether a folder is not there.
    fileprivate var tellsOfNothing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether it tells how things are with a folder, and not how they are with the system.
    fileprivate var isFinal: Bool { tellsOfNothing || [EACCES, EPERM, ELOOP, ENAMETOOLONG].contains(code) }
}

extension Listing.Folder {
    /// Whether it is a folder, or somewhere below it.
    func lies(in root: String) -> Bool {
        path.utf8.starts(with: root.utf8)
            && (path.utf8.count == root.utf8.count || path.utf8.dropFirst(root.utf8.count).first == UInt8(ascii: "/"))
    }

    /// The folder that a path leads to, through links too.
    init(at path: String) throws(SystemError) {
        var status = stat()
        // The system would take what is in front of a NUL for the path.
        guard !path.utf8.contains(0) else { throw SystemError("stat", code: ENOENT) }
        guard stat(path, &status) == 0 else { throw SystemError("stat") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError("stat", code: ENOTDIR) }
        let facts = FileFacts(status)
        self.init(
            path: path, device: facts.device, number: facts.number, modified: facts.modified.nanoseconds,
            changed: facts.changed.nanoseconds)
    }
}
