import ArgumentParser
import CommandOutput
import ImageCodecs

/// The program: thumbnails of all photos in directories.
@main
struct Thumbnails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnails",
        abstract: "Makes a thumbnail of every photo in directories and those below them.",
        discussion: """
            Thumbnails lie as the photos do: DIR/2024/a.jpg becomes OUTPUT/2024/a.jpg, and 2024/a.png becomes \
            2024/a.png.jpg, so that no two photos share one. With several directories, each gets a folder of its name.

            A run that was stopped, even killed, is taken up by the next: what is there, whole and newer than its photo is \
            left as it is. A thumbnail is there as a whole or not at all. Other settings than the last run's make \
            all of them anew. Hidden files and links to directories are passed over.

            Originals are safe: an output that is, contains or lies in an input is refused, whatever names and links lead \
            to it, and a file is replaced only if an earlier run made it and nobody has changed it since, which a record in \
            the output tells (.thumbnails). An empty file counts as made by an earlier run if that and the file are from \
            before the machine was started: a power failure leaves such. A photo whose thumbnail has something else in its way fails.

            The exit status is 0 if every photo has its thumbnail, 1 if some failed, 2 if there was nothing to begin with.
            """)

    @Argument(help: ArgumentHelp("Where the photos are.", valueName: "dir"))
    var directories: [String]

    @Option(help: "The side of the square that thumbnails fit in, in pixels.")
    var size = 256

    @Flag(help: "Fill the square with the middle of the photo. What is smaller is never enlarged.")
    var fill = false

    @Option(help: ArgumentHelp("Where thumbnails are written; made if missing.", valueName: "dir"))
    var output: String

    @Option(help: "What thumbnails are written as: jpeg or png.")
    var format = OutputFormat.jpeg

    @Option(help: "Of JPEG, 1 to 100.")
    var quality = 85

    @Flag(
        help:
            "Decode every pixel of a JPEG before it is reduced: for text, line art and halftones. Takes up to four times as long."
    )
    var exact = false

    @Flag(
        help: "Decode every scan of progressive JPEGs: those too that hardly show, and what is damaged in them."
    )
    var everyScan = false

    @Option(
        help: ArgumentHelp(
            "Whether a damaged photo, or one that was cut off, gets a thumbnail of what is left of it: refuse or show.",
            discussion: """
                Shown ones are named, and counted. A photo that is still being copied looks like one that was cut off, and its \
                thumbnail would stay: they are refused unless asked for.
                """, valueName: "refuse|show"))
    var damaged = DamagedPhotos.refuse

    @Option(help: "Photos under way at once; as many as there are processors unless given.")
    var jobs = Machine.processors

    @Option(help: ArgumentHelp("Where the counts of the run are written as JSON.", valueName: "file"))
    var json: String?

    func validate() throws {
        try Arguments.requireText()
        guard (1...16_384).contains(size) else { throw ValidationError("--size must be from 1 to 16384.") }
        guard (1...100).contains(quality) else { throw ValidationError("--quality must be from 1 to 100.") }
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 1024.") }
        guard !directories.isEmpty else { throw ValidationError("Name a directory.") }
    }

    func run() async throws {
        let settings = ThumbnailSettings(
            size: size, fills: fill, format: format, quality: quality, isExact: exact,
            everyScan: everyScan, damaged: damaged.policy)
        do {
            let work = try Survey(of: directories, output: output, settings: settings)
            let tally = await Batch(work: work, settings: settings, jobs: jobs).run()
            let isWritten = json.map { tally.figures.write(to: $0) } ?? true
            if tally.failed > 0 || !isWritten { throw ExitCode(1) }
        } catch let error as SurveyError {
            Console.error("\(error)")
            throw ExitCode(2)
        }
    }
}

/// The treatment of damaged photos, as it is asked for.
enum DamagedPhotos: String, CaseIterable, ExpressibleByArgument {
    case refuse, show

    var policy: DamagePolicy { self == .show ? .show : .refuse }
}
