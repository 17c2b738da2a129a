import Figures
import PhotoGenerator

/// The options of the program.
struct Settings: Sendable {
    enum Mode: String, Sendable {
        /// Makes photos, runs the others, and judges.
        case all
        case list, gallery, naive
    }

    var mode = Mode.all
    var photos = 300
    var isLarge = false
    /// As high as a row: pixels that no cell shows are not asked for.
    var tile = Int(PhotoGrid.rowHeight)
    var seconds = 8.0
    /// Whether what the clock on the wall says is judged, too.
    var isJudgedByTime = false
    var folder = ""
    var index: String?
    var notes = ""
    var film: String?
    var chart: String?

    static let usage = """
        usage: gallery [--photos N] [--seconds S] [--large] [--tile SIDE] [--folder DIR] [--film DIR] [--chart FILE.svg] [--json FILE]

        Scrolls through a gallery of photos that it makes itself, while others are added and deleted, and through a naive one beside it.
        --photos N     how many; 300 without it. With it, times are judged, too.
        --seconds S    how long the recorded thumb takes
        --large        photos of 2.4 megapixels
        --tile SIDE    the side of a cell in pixels; 390 without it
        --folder DIR   where the photos are kept for another run; what else is there stays as it is
        --film DIR     writes frames as PNG into a folder that is empty or new
        --chart FILE   draws what the run took over time
        --json FILE    writes the figures; as the chart, only in place of those of an earlier run
        The exit status is 0 only if every figure meets its goal.
        """

    var size: NumberedPhotos.Size { isLarge ? .large : .small }

    /// nil for arguments that make no sense.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--large" {
                isLarge = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--mode": mode = Mode(rawValue: value) ?? .all
            case "--photos":
                guard let count = Int(value), (1...500_000).contains(count) else { return nil }
                photos = count
                isJudgedByTime = true
            case "--seconds":
                guard let number = Double(value), (1...3600).contains(number) else { return nil }
                seconds = number
            case "--tile":
                guard let side = Int(value), (64...2048).contains(side) else { return nil }
                tile = side
            case "--folder": folder = value
            case "--index": index = value
            case "--notes": notes = value
            case "--film": film = value
            case "--chart": chart = value
            // Figures reads it.
            case "--json": break
            default: return nil
            }
        }
    }

    /// The arguments that make a child process of the program do the same.
    var arguments: [String] {
        ["--mode", mode.rawValue, "--seconds", "\(seconds)", "--tile", "\(tile)", "--folder", folder, "--notes", notes]
            + (isLarge ? ["--large"] : []) + (index.map { ["--index", $0] } ?? [])
            + (film.map { ["--film", $0] } ?? [])
    }

    /// These settings for a run in a process of its own, whose notes go to a folder.
    func run(_ mode: Mode, _ scratch: ScratchFolder, index: String? = nil) -> Settings {
        var settings = self
        settings.mode = mode
        settings.index = index
        settings.notes = "\(scratch.path)/\(mode.rawValue)"
        return settings
    }
}
