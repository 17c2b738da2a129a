import ImagePipeline

/// A grid of photos in three columns, of which only the cells in view exist. It asks the result for those photos and for no others.
@MainActor
final class PhotoGrid {
    static let columns = 3
    /// Of a phone's screen at scale 3: five rows and a half.
    static let rowHeight = 390.0
    static let viewHeight = 5.5 * rowHeight

    private(set) var result: FetchResult
    /// By position in the result.
    private(set) var visible: [Int: GridCell] = [:]
    private(set) var offset = 0.0

    private var pool: [GridCell] = []
    private let makeCell: @MainActor () -> GridCell

    init(_ result: FetchResult, makeCell: @escaping @MainActor () -> GridCell) {
        self.result = result
        self.makeCell = makeCell
    }

    /// The offset at the end of the last row.
    var largestOffset: Double {
        let rows = (result.count + Self.columns - 1) / Self.columns
        return max(0, Double(rows) * Self.rowHeight - Self.viewHeight)
    }

    /// Shows what is at an offset. While the list flies by, more than an eighth of a screen a frame, nothing is loaded: it would be gone
    /// before it is there.
    func scroll(to offset: Double) {
        let distance = abs(offset - self.offset)
        self.offset = min(max(0, offset), largestOffset)
        layOut()
        if distance <= Self.viewHeight / 8 { for cell in visible.values { cell.load() } }
    }

    /// Inserts, deletes and reloads what is different; the photo at the top keeps its place.
    func apply(_ changes: FetchChanges) {
        result = changes.after
        var moved: [Int: GridCell] = [:]
        let top = visible.keys.min()
        for (position, cell) in visible {
            if let new = changes.newPosition(of: position) {
                moved[new] = cell
                cell.update(result[new])
            } else {
                release(cell)
            }
        }
        visible = moved
        if let top, let new = changes.newPosition(of: top) {
            offset += Double((new - top) / Self.columns) * Self.rowHeight
        }
        scroll(to: offset)
    }

    private func layOut() {
        let first = Int(offset / Self.rowHeight) * Self.columns
        let last = (Int((offset + Self.viewHeight) / Self.rowHeight) + 1) * Self.columns
        let wanted = min(first, result.count)..<min(last, result.count)
        for (position, cell) in visible where !wanted.contains(position) {
            visible[position] = nil
            release(cell)
        }
        for position in wanted where visible[position] == nil {
            let cell = pool.popLast() ?? makeCell()
            visible[position] = cell
            cell.configure(result[position])
        }
    }

    private func release(_ cell: GridCell) {
        cell.prepareForReuse()
        pool.append(cell)
    }
}
