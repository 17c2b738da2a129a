import ImagePipeline

/// A grid of photos in three columns, of which only the cells in view exist. It asks the result for those photos and for no others.
@MainActor
final class PhotoGrid {
    static let columns = 3
    /// Of a phone's screen at scale 3: five rows and a half.
    nonisolated static let rowHeight = 390.0
    nonisolated static let viewHeight = 5.5 * rowHeight

    private(set) var result: FetchResult
    /// By position in the result.
    private(set) var visible: [Int: GridCell] = [:]
    private(set) var offset = 0.0

    /// In pixels a second, as the last two offsets have it.
    private var velocity = 0.0
    private var lastTime = 0.0
    private var loadTime = LoadTime()
    private var pool: [GridCell] = []
    private let makeCell: @MainActor () -> GridCell
    /// The part of a frame that goes to the beginning of loads, in seconds: what is left comes with the next frame.
    private static let share = 0.0004

    init(_ result: FetchResult, makeCell: @escaping @MainActor () -> GridCell) {
        self.result = result
        self.makeCell = makeCell
    }

    /// The offset at the end of the last row.
    var largestOffset: Double {
        let rows = (result.count + Self.columns - 1) / Self.columns
        return max(0, Double(rows) * Self.rowHeight - Self.viewHeight)
    }

    /// Shows what is at an offset.
    ///
    /// - Parameter time: The seconds since some moment.
    func scroll(to offset: Double, at time: Double) {
        let target = min(max(0, offset), largestOffset)
        velocity = time > lastTime ? (target - self.offset) / (time - lastTime) : 0
        (self.offset, lastTime) = (target, time)
        layOut()
        load()
    }

    /// Loads what will be in view for long enough, the middle of the screen first. While the list flies by that is nothing: it would be gone
    /// before it is there.
    private func load() {
        let start = ContinuousClock.now
        let middle = offset + Self.viewHeight / 2
        func distance(_ position: Int) -> Double {
            abs((Double(position / Self.columns) + 0.5) * Self.rowHeight - middle)
        }
        let waiting = visible.filter { $0.value.isWaiting && secondsInView($0.key) > loadTime.seconds }
        for (_, cell) in waiting.sorted(by: { distance($0.key) < distance($1.key) }) {
            cell.load()
            if start.duration(to: .now) > .seconds(Self.share) { return }
        }
    }

    /// Learns how long loads take.
    func noteLoad(seconds: Double, isWhole: Bool) { loadTime.note(seconds, isWhole: isWhole) }

    /// The time for which a photo stays in view, if the list goes on as it does.
    private func secondsInView(_ position: Int) -> Double {
        let top = Double(position / Self.columns) * Self.rowHeight
        if velocity > 0 { return (top + Self.rowHeight - offset) / velocity }
        return velocity < 0 ? (top - offset - Self.viewHeight) / velocity : .infinity
    }

    /// Inserts, deletes and reloads what is different; the photo at the top keeps its place. Loads begin with the next frame, which has time
    /// for them.
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
        offset = min(offset, largestOffset)
        layOut()
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
        if let load = cell.loadSeconds { noteLoad(seconds: load.seconds, isWhole: load.isWhole) }
        cell.prepareForReuse()
        pool.append(cell)
    }
}
