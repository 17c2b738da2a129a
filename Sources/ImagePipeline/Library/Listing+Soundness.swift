import Files

extension Listing {
    /// Whether folders and photos are in the order that all lookups rely on, under names that a look can have found. An index may come
    /// from anywhere, its checksum included.
    var isSound: Bool {
        let isInOrder = zip(folders, folders.dropFirst()).allSatisfy { $0.path.byteOrder($1.path) < 0 }
        guard isInOrder, pages.allSatisfy(\.isSound) else { return false }
        return zip(pages, pages.dropFirst()).allSatisfy { page, next in
            let (last, first) = (page.records[page.records.count - 1].folder, next.records[0].folder)
            guard last == first else { return last < first }
            return page.withName(at: page.records.count - 1) { left in next.withName(at: 0) { left.order($0) < 0 } }
        }
    }
}

extension ListingPage {
    fileprivate var isSound: Bool {
        names.withUnsafeBytes { names in
            var last: (folder: UInt32, name: UnsafeRawBufferPointer)?
            for record in records {
                let start = Int(record.nameStart)
                let name = UnsafeRawBufferPointer(rebasing: names[start..<start + Int(record.nameLength)])
                guard record.size >= 0, name.isNameOfPhoto else { return false }
                if let last, last.folder > record.folder || last.folder == record.folder && last.name.order(name) >= 0 {
                    return false
                }
                last = (record.folder, name)
            }
            return true
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether it is the name of one file in a folder, and not hidden.
    fileprivate var isNameOfPhoto: Bool {
        guard let first, first != UInt8(ascii: ".") else { return false }
        var bits: UInt8 = 0
        for byte in self {
            if byte == 0 || byte == UInt8(ascii: "/") { return false }
            bits |= byte
        }
        return bits < 128 || String(validating: self, as: UTF8.self) != nil
    }
}
