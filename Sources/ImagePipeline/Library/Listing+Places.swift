import Files

extension Listing {
    /// The photos and the subfolders of a folder in which no name has come or gone since; nil for any other.
    func unchanged(_ folder: Folder) -> (photos: Range<Int>, folders: [String])? {
        guard let index = folderIndex(of: folder.path), folders[index] == folder,
            folder.modified < taken - FolderScan.tick
        else { return nil }
        let prefix = folder.path + "/"
        let below = folders.lazy.map(\.path).filter {
            $0.hasPrefix(prefix) && !$0.utf8.dropFirst(prefix.utf8.count).contains(UInt8(ascii: "/"))
        }
        return (photos(inFolder: index), Array(below))
    }

    /// The place of a folder in the list; nil if it is not there.
    func folderIndex(of path: String) -> Int? {
        let index = firstIndex(of: 0..<folders.count) { folders[$0].path.byteOrder(path) >= 0 }
        return index < folders.count && folders[index].path.byteOrder(path) == 0 ? index : nil
    }

    func photos(inFolder folder: Int) -> Range<Int> {
        let first = firstIndex(of: 0..<records.count) { Int(records[$0].folder) >= folder }
        return first..<firstIndex(of: first..<records.count) { Int(records[$0].folder) > folder }
    }

    /// The place of a photo in the list, or the one that it would have.
    func position(of name: String, in folder: Int) -> (index: Int, isListed: Bool) {
        var name = name
        return name.withUTF8 { bytes in
            let wanted = UnsafeRawBufferPointer(bytes)
            let range = photos(inFolder: folder)
            let index = firstIndex(of: range) { withName(of: $0) { $0.order(wanted) } >= 0 }
            return (index, index < range.upperBound && withName(of: index) { $0.order(wanted) } == 0)
        }
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
