import Files

/// A photo of a library: a place in a listing, from which everything else is looked up when it is asked for.
///
/// It keeps the whole listing that it is from: what holds assets for long, such as a cell, takes them anew from
/// ``FetchChanges/after`` when something has changed.
public struct PhotoAsset: Sendable {
    let listing: Listing
    let index: Int

    /// The name of the file.
    public var name: String { listing.name(of: index) }
    /// The folder that the file is in.
    public var folder: String { listing.folder(of: index).path }
    /// The path of the file.
    public var path: String { listing.path(of: index) }
    /// The size of the file in bytes.
    public var byteCount: Int { Int(listing.record(at: index).size) }
    /// The time at which the file's content last changed, since 1970.
    public var modified: Duration { .nanoseconds(listing.record(at: index).modified) }

    /// A text that tells this content of the file from any other: ``ImageRequest/version``. It stands for the file's number, its size, and
    /// the times at which its content, and anything about it, last changed.
    ///
    /// Two contents of one size have one version if both were written within a tick of the file system's clock: some nanoseconds
    /// with Linux 6.13 and newer on its own file systems, 4 ms before, 2 s on FAT.
    public var version: String {
        let record = listing.record(at: index)
        return FileSource.version(
            number: record.number, size: Int(record.size), modified: record.modified, changed: record.changed)
    }

    /// The facts that the file's header states: from the index if the file is the one they were read from, else from its
    /// first kilobytes, which blocks. Nil where the file is no picture, or not there any more.
    public var facts: PhotoFacts? { listing.facts(of: index)?.facts }

    /// Returns a request for the photo's image.
    ///
    ///     slot.load(asset.request(as: .fill(tile)))
    ///
    /// A photo that was replaced under its name has another key: no cache shows the old one. Nor is the new one loaded for the asset of the
    /// old: if the file is another than the one that was listed, or becomes one while it is read, the load fails with
    /// ``LoadError/fileChanged(path:)``. The asset that has the new one is in the next ``FetchChanges/after``, or
    /// in a fetch after ``PhotoLibrary/rescan()``.
    ///
    /// - Parameter rendition: The form in which the image is wanted.
    public func request(as rendition: Rendition) -> ImageRequest {
        var request = ImageRequest(.file(path), as: rendition)
        request.expect(fileOfVersion: version)
        return request
    }
}

extension PhotoAsset: Hashable {
    /// Two assets are equal if they are the same content of a file of the same path.
    public static func == (lhs: PhotoAsset, rhs: PhotoAsset) -> Bool {
        let (left, right) = (lhs.listing.record(at: lhs.index), rhs.listing.record(at: rhs.index))
        return left.isSameContent(as: right)
            && Listing.orderByName(lhs.listing, lhs.index, rhs.listing, rhs.index) == 0
    }

    public func hash(into hasher: inout Hasher) {
        let record = listing.record(at: index)
        hasher.combine(record.number)
        hasher.combine(record.modified)
    }
}
