/// The differences between two results of one query: what a grid has to insert, to delete and to load again.
///
/// A photo that was renamed is removed at its old place and inserted at its new one; so is one that was replaced where its
/// new date gives it another place. A photo that was replaced and keeps its place has changed.
public struct FetchChanges: Sendable {
    /// The result before.
    public let before: FetchResult
    /// The result afterwards.
    public let after: FetchResult
    /// The positions in ``before`` of photos that are gone.
    public let removed: RangeSet<Int>
    /// The positions in ``after`` of photos that are new.
    public let inserted: RangeSet<Int>
    /// The positions in ``after`` of photos whose content changed.
    public let changed: RangeSet<Int>

    /// A Boolean value that indicates whether nothing is different.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }

    /// Returns the position in ``after`` of a photo; nil if it is gone, or if there was none.
    ///
    /// - Parameter position: The position in ``before``.
    public func newPosition(of position: Int) -> Int? {
        guard before.indices.contains(position), !removed.contains(position) else { return nil }
        var result =
            position
            - removed.ranges.reduce(0) { count, range in
                count + range.clamped(to: 0..<position).count
            }
        for range in inserted.ranges where range.lowerBound <= result { result += range.count }
        return result
    }

    /// Compares two results of one query, in one walk through both.
    init(from before: FetchResult, to after: FetchResult) {
        self.before = before
        self.after = after
        var (removed, inserted, changed) = (RangeCollector(), RangeCollector(), RangeCollector())
        var (old, new) = (0, 0)
        while old < before.endIndex || new < after.endIndex {
            let order =
                old == before.endIndex
                ? 1 : new == after.endIndex ? -1 : FetchResult.order(before, old, after, new)
            if order < 0 {
                removed.append(old)
                old += 1
            } else if order > 0 {
                inserted.append(new)
                new += 1
            } else {
                if !FetchResult.isSameContent(before, old, after, new) { changed.append(new) }
                old += 1
                new += 1
            }
        }
        self.removed = removed.ranges
        self.inserted = inserted.ranges
        self.changed = changed.ranges
    }
}

/// Ranges of ascending numbers.
private struct RangeCollector {
    private var closed: [Range<Int>] = []
    private var open: Range<Int>?

    mutating func append(_ number: Int) {
        if let open, open.upperBound == number {
            self.open = open.lowerBound..<number + 1
        } else {
            if let open { closed.append(open) }
            open = number..<number + 1
        }
    }

    var ranges: RangeSet<Int> { RangeSet(closed + (open.map { [$0] } ?? [])) }
}
