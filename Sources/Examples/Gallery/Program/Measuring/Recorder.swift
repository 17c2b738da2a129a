import ImagePipeline
import PhotoGenerator

/// Counts what cells show, reads each image's number back from its pixels, and takes a sample of everything each frame.
/// The time that this takes is measured, and is no part of the frame's.
@MainActor
final class Recorder {
    /// The points that a chart is drawn of.
    struct Sample: Sendable {
        var time, memory, main: Double
        var started, cancelled, final, degraded: Int
    }

    /// The images of one load that a cell has shown.
    private struct Shown {
        let load: Int
        var degraded: Double?
        var final: Double?
        var number: Int?
    }

    private(set) var samples: [Sample] = []
    private(set) var (started, cancelled, degraded, wrong, old, empty, failed) = (0, 0, 0, 0, 0, 0, 0)
    private(set) var finals: [Provenance: Int] = [:]
    /// Of the cells in view at each stop, in seconds, from the moment of rest, or from the one at which the cell got its photo.
    private(set) var (restDegraded, restFinal): ([Double], [Double]) = ([], [])

    private let shape: PixelSize
    private var shown: [ObjectIdentifier: Shown] = [:]
    private var stop: (number: Int, since: Double)?
    private let start = Clocks.now
    private var main = 0.0
    private var own = 0.0

    init(shape: PixelSize) { self.shape = shape }

    /// The number of times that an image of the kind was shown.
    var finalCount: Int { finals.values.reduce(0, +) }

    /// Runs a part of the program that occupies the main queue.
    func onMain(_ work: () -> Void) {
        let (start, before) = (Clocks.thread, own)
        work()
        main += Clocks.thread - start - (own - before)
    }

    /// Runs what is no part of the program that is measured.
    func aside(_ work: () -> Void) {
        let start = Clocks.thread
        work()
        own += Clocks.thread - start
    }

    /// To be called whenever a cell shows something.
    func note(_ cell: GridCell) {
        aside {
            let id = ObjectIdentifier(cell)
            switch cell.content.state {
            case .placeholder: begin(cell, id)
            case .empty:
                if let last = shown.removeValue(forKey: id), last.final == nil { cancelled += 1 }
            case .degraded:
                begin(cell, id)
                degraded += 1
                check(cell, id)
                if shown[id]?.degraded == nil { shown[id]?.degraded = Clocks.now }
            case .final(let provenance):
                begin(cell, id)
                finals[provenance, default: 0] += 1
                check(cell, id)
                shown[id]?.final = Clocks.now
            case .failed: failed += 1
            }
        }
    }

    /// Notes a load when it first shows something: a placeholder, or what has come in its place.
    private func begin(_ cell: GridCell, _ id: ObjectIdentifier) {
        guard shown[id]?.load != cell.loadCount else { return }
        if let last = shown[id], last.final == nil { cancelled += 1 }
        started += 1
        shown[id] = Shown(load: cell.loadCount)
    }

    private func check(_ cell: GridCell, _ id: ObjectIdentifier) {
        shown[id]?.number = cell.content.image.flatMap { IdentityStrip(in: $0, ofShape: shape)?.number }
        if shown[id]?.number != cell.asset.flatMap({ PhotoFolder.number(in: $0.name) }) { wrong += 1 }
    }

    /// To be called before anything is moved.
    ///
    /// - Parameter stop: The number of the stop that the thumb has come to; nil while it moves.
    func thumbIs(at stop: Int?, _ grid: PhotoGrid) {
        guard self.stop?.number != stop else { return }
        if let last = self.stop { aside { judge(grid, since: last.since) } }
        self.stop = stop.map { ($0, Clocks.now) }
    }

    /// To be called at the end of each frame.
    func frame(_ grid: PhotoGrid) {
        let now = Clocks.now
        let memory = samples.count % 6 == 0 ? Double(Clocks.memory) : samples.last?.memory ?? 0
        samples.append(
            Sample(
                time: now - start, memory: memory, main: main, started: started, cancelled: cancelled,
                final: finalCount, degraded: degraded))
        for (position, cell) in grid.visible {
            // A cell shows the photo that the list has there, and nothing of one before.
            if cell.asset != grid.result[position] { old += 1 }
            if let image = cell.content.image, image.width > 0, shown[ObjectIdentifier(cell)]?.number == nil {
                old += 1
            }
        }
        main = 0
    }

    /// Whether every cell in view has its final image, or has none because its file has just gone.
    func isAtRest(_ grid: PhotoGrid) -> Bool { grid.visible.values.allSatisfy(\.content.isOver) }

    /// At the end: what has no image then will not get one.
    func countEmpty(_ grid: PhotoGrid) {
        empty = grid.visible.values.filter { !$0.content.isOver }.count
    }

    /// At the end of a stop: how long each cell waited, or has waited so far.
    private func judge(_ grid: PhotoGrid, since rest: Double) {
        for cell in grid.visible.values {
            if case .failed = cell.content.state { continue }
            let id = ObjectIdentifier(cell)
            let from = max(rest, Clocks.now - cell.secondsHere)
            let final = shown[id]?.final ?? Clocks.now
            restFinal.append(max(0, final - from))
            restDegraded.append(max(0, min(final, shown[id]?.degraded ?? final) - from))
        }
    }
}
