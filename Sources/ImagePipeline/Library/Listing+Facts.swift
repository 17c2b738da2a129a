import Files

extension Listing {
    /// The known facts about a photo, if its file is still the one that is listed; read from its header where it is not known.
    func facts(of index: Int) -> StoredFacts? {
        let (page, offset) = Self.place(of: index)
        let known = pages[page].facts(at: offset)
        let path = path(of: index)
        if known.isRead, let file = FileFacts(at: path), isListed(file, at: index) { return known }
        guard let (read, file) = StoredFacts.read(path) else { return nil }
        if isListed(file, at: index) { pages[page].note([(offset, read)]) }
        return read
    }

    /// Reads the headers of all photos of which nothing is known, and of those that could not be read.
    func readAllFacts() {
        for (number, page) in pages.enumerated() {
            let known = page.storedFacts
            page.note(
                page.records.indices.compactMap { offset in
                    let index = Self.index(page: number, offset)
                    guard known.isEmpty || !known[offset].isRead else { return nil }
                    guard let (facts, file) = StoredFacts.read(path(of: index)), isListed(file, at: index) else {
                        return (offset, .failed)
                    }
                    return (offset, facts)
                })
        }
    }

    /// Whether a header was wanted that could not be read.
    var lacksFacts: Bool {
        pages.contains { page in page.storedFacts.contains { $0.state == .failed } }
    }

    /// Takes over what is known of the same files in another listing, but for those that had just changed then. Pages that both have
    /// bring their facts along.
    func adoptFacts(of other: Listing) {
        guard other.pages.contains(where: { !$0.storedFacts.isEmpty }) else { return }
        let shared = Set(other.pages.lazy.map { ObjectIdentifier($0) })
        for (number, page) in pages.enumerated() where !shared.contains(ObjectIdentifier(page)) {
            page.note(
                page.records.indices.compactMap { offset in
                    let index = Self.index(page: number, offset)
                    let own = record(at: index)
                    guard !page.facts(at: offset).isRead, !own.isFresh(at: other.taken),
                        let theirs = other.index(ofPhotoAt: index, of: self),
                        other.record(at: theirs).isSameContent(as: own)
                    else { return nil }
                    let (theirPage, theirOffset) = Self.place(of: theirs)
                    let facts = other.pages[theirPage].facts(at: theirOffset)
                    return facts.isRead ? (offset, facts) : nil
                })
        }
    }

    /// The index here of the photo that another listing has at a place.
    private func index(ofPhotoAt index: Int, of other: Listing) -> Int? {
        guard let folder = folderIndex(of: other.folder(of: index).path) else { return nil }
        let place = other.withName(of: index) { position(of: $0, in: folder) }
        return place.isListed ? place.index : nil
    }

    private func isListed(_ file: FileFacts, at index: Int) -> Bool {
        let record = record(at: index)
        return file.device == folders[Int(record.folder)].device
            && record.isSameContent(as: Record(file, folder: record.folder))
    }
}
