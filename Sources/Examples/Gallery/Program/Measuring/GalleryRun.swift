import CLibrary
import Dispatch
import ImagePipeline
import Streams

/// One scroll through the gallery, in a process of its own.
@MainActor
final class GalleryRun {
    private let settings: Settings
    private let library: PhotoLibrary
    private let grid: PhotoGrid
    private let recorder: Recorder
    private let film: Film?
    private let thumb: Thumb
    private var notes = Notes()
    private var changeCount = 0
    private var subscriptions: Set<AnyCancellable> = []
    private let start = Clocks.now
    /// The longest time to wait for the last cells, in seconds.
    private static let patience = 20.0

    init(_ settings: Settings) throws {
        self.settings = settings
        let before = (time: Clocks.now, memory: Clocks.memory, peak: Clocks.peakMemory)
        library = try PhotoLibrary(folders: [settings.folder], index: settings.index)
        let result = library.fetch(PhotoQuery(sortedBy: .modified))
        notes.add("listing seconds", Clocks.now - before.time)
        notes.add("listing memory", Double(max(Clocks.peakMemory, before.memory) - before.memory))
        notes.add("photos", Double(result.count))
        if settings.mode == .list { throw RunIsOver(notes: notes) }

        let pipeline = ImageLoader.standard(
            memory: MemoryCache(costLimit: 1 << 20), decoders: ImageDecoders([MeteredJPEGDecoder.self]))
        let recorder = Recorder(shape: settings.size.pixels)
        self.recorder = recorder
        film = settings.film.map { Film(folder: $0) }
        thumb = Thumb(duration: settings.seconds)
        let tile = PixelSize(width: settings.tile, height: settings.tile)
        grid = PhotoGrid(result) {
            GridCell(source: pipeline, rendition: .fit(tile)) { recorder.note($0) }
        }
    }

    /// Scrolls at 60 Hz on the main queue, applies what happens to the files, and ends the process.
    func begin() {
        // One at a time: while the main queue is busy the library joins what happens into one difference.
        let changes = library.changes(of: grid.result).subscribe(on: DispatchQueue(label: "changes"))
        let following = Task { [weak self] in
            for await changes in changes.values { self?.apply(changes) }
        }
        AnyCancellable { following.cancel() }.store(in: &subscriptions)
        let queue = DispatchQueue.main
        let frame = queue.schedule(
            after: queue.now, interval: .microseconds(16_667), tolerance: .zero, options: nil
        ) { [weak self] in MainActor.assumeIsolated { self?.frame() } }
        AnyCancellable(frame).store(in: &subscriptions)
    }

    private func apply(_ changes: FetchChanges) {
        recorder.onMain { grid.apply(changes) }
        changeCount += 1
    }

    private func frame() {
        let time = Clocks.now - start
        let (share, stop) = thumb.position(at: time)
        // At rest the photo at the top keeps its place, whatever is added above it.
        let offset = stop == nil ? share * grid.largestOffset : grid.offset
        recorder.thumbIs(at: stop, grid)
        recorder.onMain { grid.scroll(to: offset, at: time) }
        recorder.frame(grid)
        if let film { recorder.aside { film.frame(grid, time: time, stop: stop) } }
        if time > thumb.duration, recorder.isAtRest(grid) || time > thumb.duration + Self.patience { end() }
    }

    private func end() {
        notes.add("peak memory", Double(Clocks.peakMemory))
        notes.add("file pages", Double(Clocks.filePages))
        let frames = recorder.samples.dropFirst(10).map(\.main).sorted()
        notes.add("frames", Double(frames.count))
        notes.add("main p99", frames.isEmpty ? 0 : frames[frames.count * 99 / 100])
        notes.add("main worst", frames.last ?? 0)
        notes.add("started", Double(recorder.started))
        notes.add("cancelled", Double(recorder.cancelled))
        notes.add("from memory", Double(recorder.finals[.memory] ?? 0))
        notes.add("from files", Double(recorder.finals[.file] ?? 0))
        notes.add("degraded", Double(recorder.degraded))
        notes.add("failed", Double(recorder.failed))
        notes.add("wrong", Double(recorder.wrong))
        notes.add("old", Double(recorder.old))
        recorder.countEmpty(grid)
        notes.add("empty", Double(recorder.empty))
        notes.add("changes", Double(changeCount))
        notes.add("rest degraded", recorder.restDegraded.max() ?? 0)
        notes.add("rest final", recorder.restFinal.max() ?? 0)
        notes.add("wasted decoding", wasted)
        notes.write(settings.notes)
        Chart.writeSamples(recorder.samples, to: settings.notes + ".samples")
        exit(0)
    }

    /// The share of the processor time of decoding that went to images that no cell showed.
    private var wasted: Double {
        let done = MeteredJPEGDecoder.finished.amount
        let (previews, given) = (MeteredJPEGDecoder.previews.amount, MeteredJPEGDecoder.abandoned.amount)
        func unseen(_ made: (count: Int, seconds: Double), _ shown: Int) -> Double {
            made.count == 0 ? 0 : made.seconds * Double(made.count - min(made.count, shown)) / Double(made.count)
        }
        let lost = unseen(done, recorder.finals[.file] ?? 0) + unseen(previews, recorder.degraded) + given.seconds
        return lost / max(1e-9, done.seconds + previews.seconds + given.seconds)
    }
}

/// The end of a run that only lists.
struct RunIsOver: Error {
    let notes: Notes
}

extension MeteredJPEGDecoder.Total {
    var amount: (count: Int, seconds: Double) {
        (count.load(ordering: .relaxed), Double(nanoseconds.load(ordering: .relaxed)) / 1e9)
    }
}
