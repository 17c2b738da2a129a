import Files

/// The photos of one folder in the order in which the system names them.
struct FoundPhotos {
    private struct Photo: BitwiseCopyable {
        let number: UInt64
        let size: Int64
        let modified: Int64
        let changed: Int64
        let nameStart: UInt32
        let nameLength: UInt8
        let links: UInt8
    }

    private var photos: ContiguousArray<Photo> = []
    private var names: ContiguousArray<UInt8> = []

    /// Appends a photo. A name longer than any file system's, or beyond what the buffer can number, is left out.
    mutating func append(_ file: FileFacts, name: UnsafeRawBufferPointer) {
        guard let start = UInt32(exactly: names.count), let length = UInt8(exactly: name.count) else { return }
        photos.append(
            Photo(
                number: file.number, size: Int64(file.size), modified: file.modified.nanoseconds,
                changed: file.changed.nanoseconds, nameStart: start, nameLength: length,
                links: UInt8(clamping: file.links)))
        names.append(contentsOf: name)
    }

    /// The photos' numbers, sorted by name.
    func order() -> ContiguousArray<UInt32> {
        var order = ContiguousArray(photos.indices.lazy.map { UInt32($0) })
        photos.withUnsafeBufferPointer { photos in
            names.withUnsafeBytes { names in
                order.sort { Self.name(photos[Int($0)], names).order(Self.name(photos[Int($1)], names)) < 0 }
            }
        }
        return order
    }

    /// Calls with a photo as a listing has it; the name is valid only within the call.
    func withPhoto<Result>(
        _ number: UInt32, folder: UInt32, _ body: (ListingPage.Record, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let photo = photos[Int(number)]
        let record = ListingPage.Record(
            number: photo.number, size: photo.size, modified: photo.modified, changed: photo.changed,
            links: photo.links, folder: folder)
        return names.withUnsafeBytes { body(record, Self.name(photo, $0)) }
    }

    /// The order of the first of some photos and the first of a page of their folder; 0 for one name.
    func order(_ numbers: ContiguousArray<UInt32>.SubSequence, _ page: ListingPage) -> Int {
        numbers.first.map { compare($0, page, 0).order } ?? -1
    }

    /// Whether some photos begin with all that are on a page of their folder, unchanged.
    func begins(_ numbers: ContiguousArray<UInt32>.SubSequence, with page: ListingPage) -> Bool {
        numbers.count >= page.records.count
            && zip(numbers, page.records.indices).allSatisfy { compare($0, page, $1) == (0, true) }
    }

    private func compare(_ number: UInt32, _ page: ListingPage, _ offset: Int) -> (order: Int, isSameContent: Bool) {
        let theirs = page.records[offset]
        return withPhoto(number, folder: theirs.folder) { record, name in
            (page.withName(at: offset) { name.order($0) }, record.isSameContent(as: theirs))
        }
    }

    private static func name(_ photo: Photo, _ names: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = Int(photo.nameStart)
        return UnsafeRawBufferPointer(rebasing: names[start..<start + Int(photo.nameLength)])
    }
}
