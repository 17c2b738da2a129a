/// A choice of photos and their order.
///
///     let newest = PhotoQuery(sortedBy: .modified, ascending: false)
///     let large = PhotoQuery(where: { $0.byteCount > 1 << 20 })
public struct PhotoQuery: Sendable {
    /// The property that photos are sorted by. Photos that are equal in it are sorted by name, then by folder.
    public enum SortKey: Sendable, Hashable {
        /// The file's name, byte by byte.
        case name
        /// The time at which the file's content last changed.
        case modified
        /// The date and time of day at which the picture was taken, by the camera's clock; where the file does not say,
        /// the time at which it last changed. A fetch reads the header of every photo that is not in the index yet.
        case captured
    }

    /// The property that photos are sorted by.
    public var sortKey: SortKey
    /// A Boolean value that determines whether the first photo is the one that comes first by name, or the oldest.
    public var ascending: Bool
    /// A closure that returns whether to include a photo; nil to include every photo. Its result must depend only on the asset.
    public var predicate: (@Sendable (PhotoAsset) -> Bool)?

    /// Creates a query; by default for all photos, the one that changed last first.
    ///
    /// - Parameters:
    ///   - sortKey: The property that photos are sorted by.
    ///   - ascending: A Boolean value that determines whether the oldest, or first by name, comes first.
    ///   - predicate: A closure that returns whether to include a photo; nil to include every photo.
    public init(
        sortedBy sortKey: SortKey = .modified, ascending: Bool = false,
        where predicate: (@Sendable (PhotoAsset) -> Bool)? = nil
    ) {
        self.sortKey = sortKey
        self.ascending = ascending
        self.predicate = predicate
    }
}
