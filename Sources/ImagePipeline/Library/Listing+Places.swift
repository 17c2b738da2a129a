import Files

extension Listing {
    /// The photos and the subfolders of a folder in which no name has come or gone since; nil for any other.
    func unchanged(_ folder: Folder) -> (photos: Range<Int>, folders: [String])? {
        guard let index = folderIndex(of: folder.path), folders[index] == folder, isSettled(folder) else { return nil }
        let prefix = folder.path + "/"
        // Sorted by their bytes, those below it stand together.
        let first = firstIndex(of: 0..<folders.count) { folders[$0].path.byteOrder(prefix) >= 0 }
        let below = folders[first...].lazy.map(\.path).prefix { $0.utf8.starts(with: prefix.utf8) }.filter {
            let name = $0.utf8.dropFirst(prefix.utf8.count)
            return name.first != UInt8(ascii: ".") && !name.contains(UInt8(ascii: "/"))
        }
        return (photos(inFolder: index), Array(below))
    }

    /// Whether the last change of a folder lay back so far that no later one can have the same time.
    private func isSettled(_ folder: Folder) -> Bool { folder.modified < taken - FolderScan.tick }

    /// The number of folders that need no look the next time if they stay as they are.
    var settledFolders: Int { folders.count(where: isSettled) }

    /// The place of a folder in the list; nil if it is not there.
    func folderIndex(of path: String) -> Int? {
        let index = firstIndex(of: 0..<folders.count) { folders[$0].path.byteOrder(path) >= 0 }
        return index < folders.count && folders[index].path.byteOrder(path) == 0 ? index : nil
    }

    func photos(inFolder folder: Int) -> Range<Int> {
        let first = firstPhoto { page, offset in Int(page.records[offset].folder) >= folder }
        return first..<firstPhoto { page, offset in Int(page.records[offset].folder) > folder }
    }

    /// The folders and names of photos whose files have certain numbers.
    func names(ofFiles numbers: Set<UInt64>) -> [(folder: Int, name: String)] {
        guard !numbers.isEmpty else { return [] }
        return indices.filter { numbers.contains(record(at: $0).number) }
            .map { (Int(record(at: $0).folder), name(of: $0)) }
    }

    /// The place of a photo in the list, or the one that it would have.
    func position(of name: UnsafeRawBufferPointer, in folder: Int) -> (index: Int, isListed: Bool) {
        func order(_ page: ListingPage, _ offset: Int) -> Int {
            let folders = Int(page.records[offset].folder) - folder
            return folders != 0 ? folders : page.withName(at: offset) { $0.order(name) }
        }
        let index = firstPhoto { page, offset in order(page, offset) >= 0 }
        guard index < endIndex else { return (index, false) }
        let (page, offset) = Self.place(of: index)
        return (index, order(pages[page], offset) == 0)
    }

    /// The first photo from which on something holds; the end if it never does.
    private func firstPhoto(where holds: (ListingPage, Int) -> Bool) -> Int {
        let page = firstIndex(of: 0..<pages.count) { holds(pages[$0], pages[$0].records.count - 1) }
        guard page < pages.count else { return endIndex }
        return Self.index(page: page, firstIndex(of: 0..<pages[page].records.count) { holds(pages[page], $0) })
    }

    /// The first index from which on something holds; the end of the range if it never does.
    private func firstIndex(of range: Range<Int>, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
