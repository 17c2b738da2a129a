/// Photos of a library in an order: their number is known, and each is looked up when it is asked for.
///
/// It takes 4 bytes a photo beside the library's listing, 12 if it is sorted by date of capture, and does not change: what
/// happens on disk afterwards makes a new one, which ``PhotoLibrary/changes(of:)`` delivers with the differences.
public struct FetchResult: Sendable, RandomAccessCollection {
    /// The query that the photos match.
    public let query: PhotoQuery
    let listing: Listing
    /// Indices in the listing.
    private let order: ContiguousArray<UInt32>
    /// The photos' dates of capture, in this order; empty unless they are sorted by them.
    private let captured: ContiguousArray<Int64>

    private struct Row: BitwiseCopyable {
        let date: Int64
        let index: UInt32
    }

    /// - Parameter older: A result of the same query, whose order is kept for all pages that its listing shares with this one, if their
    ///   photos have the dates still that they had: only what lies on others is looked at and sorted.
    init(_ listing: Listing, _ query: PhotoQuery, after older: FetchResult? = nil) {
        self.query = query
        self.listing = listing
        if query.sortKey == .captured { listing.readAllFacts() }
        let settled = older?.settledPages() ?? []
        var rows = Self.rows(of: listing, query, apartFrom: settled)
        func precedes(_ first: Row, _ second: Row) -> Bool {
            if first.date != second.date { return (first.date < second.date) == query.ascending }
            let names = Listing.orderByName(listing, Int(first.index), listing, Int(second.index))
            return query.ascending ? names < 0 : names > 0
        }
        // A listing is sorted by name within each folder.
        if query.sortKey != .name || listing.folders.count > 1 {
            rows.sort(by: precedes)
        } else if !query.ascending {
            rows.reverse()
        }
        var order = ContiguousArray<UInt32>()
        var captured = ContiguousArray<Int64>()
        order.reserveCapacity((older?.count ?? 0) + rows.count)
        func append(_ row: Row) {
            order.append(row.index)
            if query.sortKey == .captured { captured.append(row.date) }
        }
        var rest = rows[...]
        older?.forEachRow(in: listing, on: settled) { row in
            while let first = rest.first, precedes(first, row) {
                append(first)
                rest.removeFirst()
            }
            append(row)
        }
        rest.forEach(append)
        (self.order, self.captured) = (order, captured)
    }

    /// The photos that match, in the listing's order, each with the date that it is sorted by.
    ///
    /// - Parameter known: The pages that are left out.
    private static func rows(
        of listing: Listing, _ query: PhotoQuery, apartFrom known: Set<ObjectIdentifier>
    ) -> ContiguousArray<Row> {
        var rows = ContiguousArray<Row>()
        if known.isEmpty, query.predicate == nil { rows.reserveCapacity(listing.count) }
        for (number, page) in listing.pages.enumerated() where !known.contains(ObjectIdentifier(page)) {
            let facts = query.sortKey == .captured ? page.storedFacts : []
            for (offset, record) in page.records.enumerated() {
                let index = Listing.index(page: number, offset)
                guard query.predicate?(PhotoAsset(listing: listing, index: index)) ?? true else { continue }
                let date: Int64 =
                    switch query.sortKey {
                    case .name: 0
                    case .modified: record.modified
                    case .captured: captureDate(record, facts, offset)
                    }
                rows.append(Row(date: date, index: UInt32(index)))
            }
        }
        return rows
    }

    private static func captureDate(
        _ record: Listing.Record, _ facts: ContiguousArray<StoredFacts>, _ offset: Int
    ) -> Int64 {
        (facts.isEmpty ? nil : facts[offset].date) ?? record.modified
    }

    /// The pages whose photos have the dates still that this order is by: where a header could not be read at first, it may be known by
    /// now.
    private func settledPages() -> Set<ObjectIdentifier> {
        var settled = Set(listing.pages.map { ObjectIdentifier($0) })
        guard !captured.isEmpty else { return settled }
        let facts = listing.pages.map(\.storedFacts)
        for position in order.indices {
            let (page, offset) = Listing.place(of: Int(order[position]))
            let records = listing.pages[page].records
            if Self.captureDate(records[offset], facts[page], offset) != captured[position] {
                settled.remove(ObjectIdentifier(listing.pages[page]))
            }
        }
        return settled
    }

    /// Calls with each photo of this result that lies on certain pages of another listing too, in this order, with its index there.
    private func forEachRow(in other: Listing, on settled: Set<ObjectIdentifier>, _ body: (Row) -> Void) {
        let numbers = Dictionary(other.pages.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
        let pages = listing.pages.map { page in
            settled.contains(ObjectIdentifier(page)) ? numbers[ObjectIdentifier(page)] : nil
        }
        for position in order.indices {
            let (page, offset) = Listing.place(of: Int(order[position]))
            guard let number = pages[page] else { continue }
            let date = query.sortKey == .name ? 0 : date(at: position)
            body(Row(date: date, index: UInt32(Listing.index(page: number, offset))))
        }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { order.count }

    /// The photo at a place in the order, which is looked up when it is asked for.
    ///
    /// - Parameter position: The place, from 0.
    public subscript(position: Int) -> PhotoAsset {
        PhotoAsset(listing: listing, index: Int(order[position]))
    }

    /// The time that a photo has its place by, in nanoseconds since 1970; that of its last change where the order is by name.
    func date(at position: Int) -> Int64 {
        captured.isEmpty ? listing.record(at: Int(order[position])).modified : captured[position]
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
        first.listing.record(at: Int(first.order[one])).isSameContent(
            as: second.listing.record(at: Int(second.order[other])))
    }
}
