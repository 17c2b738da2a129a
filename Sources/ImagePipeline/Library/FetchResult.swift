/// Photos of a library in an order: their number is known, and each is looked up when it is asked for.
///
/// It takes 4 bytes a photo beside the library's listing, 12 if it is sorted by date of capture, and does not change: what
/// happens on disk afterwards makes a new one, which ``PhotoLibrary/changes(of:)`` delivers with the differences.
public struct FetchResult: Sendable, RandomAccessCollection {
    /// The query that the photos match.
    public let query: PhotoQuery
    let listing: Listing
    private let order: ContiguousArray<UInt32>
    /// By the index in the listing; empty unless they are dates of capture.
    private let captured: ContiguousArray<Int64>

    init(_ listing: Listing, _ query: PhotoQuery) {
        self.query = query
        self.listing = listing
        if query.sortKey == .captured {
            listing.readAllFacts()
            let facts = listing.storedFacts
            captured = ContiguousArray(
                listing.records.indices.lazy.map { index in
                    (facts.isEmpty ? nil : facts[index].date) ?? listing.records[index].modified
                })
        } else {
            captured = []
        }
        order = Self.order(of: listing, query, captured)
    }

    private static func order(
        of listing: Listing, _ query: PhotoQuery, _ captured: ContiguousArray<Int64>
    ) -> ContiguousArray<UInt32> {
        var order = ContiguousArray<UInt32>()
        if query.predicate == nil { order.reserveCapacity(listing.records.count) }
        for index in listing.records.indices
        where query.predicate?(PhotoAsset(listing: listing, index: index)) ?? true {
            order.append(UInt32(index))
        }
        func sort(by date: (Int) -> Int64) {
            order.sort { first, second in
                let (one, other) = (Int(first), Int(second))
                let (left, right) = (date(one), date(other))
                return left != right ? left < right : Listing.orderByName(listing, one, listing, other) < 0
            }
        }
        listing.records.withUnsafeBufferPointer { records in
            switch query.sortKey {
            // The listing is sorted by name within each folder.
            case .name where listing.folders.count <= 1: break
            case .name: sort { _ in 0 }
            case .modified: sort { records[$0].modified }
            case .captured: captured.withUnsafeBufferPointer { captured in sort { captured[$0] } }
            }
        }
        if !query.ascending { order.reverse() }
        return order
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { order.count }

    public subscript(position: Int) -> PhotoAsset {
        PhotoAsset(listing: listing, index: Int(order[position]))
    }

    /// The time that a photo has its place by, in nanoseconds since 1970; that of its last change where the order is by name.
    func date(at position: Int) -> Int64 {
        let index = Int(order[position])
        return captured.isEmpty ? listing.records[index].modified : captured[index]
    }

    /// Compares places in two results of one query: negative where the first comes first, 0 for the same file.
    static func order(_ first: FetchResult, _ one: Int, _ second: FetchResult, _ other: Int) -> Int {
        var order = 0
        if first.query.sortKey != .name {
            let (left, right) = (first.date(at: one), second.date(at: other))
            order = left < right ? -1 : left > right ? 1 : 0
        }
        if order == 0 {
            order = Listing.orderByName(
                first.listing, Int(first.order[one]), second.listing, Int(second.order[other]))
        }
        return first.query.ascending ? order : -order
    }

    /// Whether the same file, at these places, has the same content.
    static func isSameContent(_ first: FetchResult, _ one: Int, _ second: FetchResult, _ other: Int) -> Bool {
        first.listing.records[Int(first.order[one])].isSameContent(
            as: second.listing.records[Int(second.order[other])])
    }
}
