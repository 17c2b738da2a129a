import CLibrary
import Dispatch
import ImagePipeline

/// The gallery as one writes it first: every photo an object in an array, sorted; each image decoded whole; nothing cancelled; what
/// was loaded stays in a dictionary. Nothing of it is to be copied.
@MainActor
final class NaiveRun {
    private final class Photo {
        let path: String
        let date: CaptureDate?
        var image: Image?

        init(path: String, date: CaptureDate?) {
            (self.path, self.date) = (path, date)
        }
    }

    /// This is stopped before it takes the machine's memory.
    private static let limit = 1 << 30

    private let settings: Settings
    private var photos: [Photo] = []
    private var loading: Set<Int> = []
    private let start = Clocks.now
    private let thumb: Thumb
    private var timer: (any DispatchSourceTimer)?
    private var shownUpTo = 0.0

    init(_ settings: Settings) throws {
        self.settings = settings
        thumb = Thumb(duration: settings.seconds)
        photos = try PhotoLibrary(folders: [settings.folder]).fetch().map {
            Photo(path: $0.path, date: $0.facts?.captureDate)
        }
        photos.sort { ($0.date.map { "\($0)" } ?? "") > ($1.date.map { "\($0)" } ?? "") }
    }

    func begin() {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now(), repeating: .microseconds(16_667))
        timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.frame() } }
        timer.activate()
        self.timer = timer
    }

    private func frame() {
        let time = Clocks.now - start
        let share = thumb.position(at: time).share
        shownUpTo = max(shownUpTo, share)
        let rows = Double(photos.count) / Double(PhotoGrid.columns) - PhotoGrid.viewHeight / PhotoGrid.rowHeight
        let first = Int(max(0, share * rows)) * PhotoGrid.columns
        for position in first..<min(photos.count, first + 7 * PhotoGrid.columns) { load(position) }
        if time > thumb.duration || Clocks.memory > Self.limit { end() }
    }

    private func load(_ position: Int) {
        guard photos[position].image == nil, loading.insert(position).inserted else { return }
        let path = photos[position].path
        Task.detached {
            let image = Self.read(path).flatMap { try? Image.decode($0) }
            await MainActor.run { self.photos[position].image = image }
        }
    }

    private nonisolated static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    private func end() {
        var notes = Notes()
        notes.add("peak memory", Double(Clocks.peakMemory))
        notes.add("seconds", Clocks.now - start)
        notes.add("share", shownUpTo)
        notes.write(settings.notes)
        exit(0)
    }
}
