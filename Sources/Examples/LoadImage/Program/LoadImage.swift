import ArgumentParser
import CommandOutput
import ImagePipeline

/// The program: loads what it is told to, or shows on pictures of its own how loading works.
@main
struct LoadImage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load-image",
        abstract: "Loads images from URLs or files, at the size asked for, and writes them.",
        discussion: """
            Images that arrive slowly are shown as they arrive; each result says where it came from: memory, disk, \
            network or a file. Without a URL or path, a demonstration runs on pictures made by the program itself, \
            served by a web server inside it: it needs no network and no file, and writes a contact sheet of what \
            happened.

            A file takes the place only of one that an earlier run has written, which a record in the output tells \
            (.load-image): any other stays as it is, and that image fails.

            The exit status is 0 only if everything was loaded and written.
            """)

    @Argument(help: ArgumentHelp("What to load: http or https URLs, or paths of files.", valueName: "url-or-path"))
    var inputs: [String] = []

    @Option(help: "The side of the square that results are to fit in, in pixels.")
    var size = 256

    @Option(help: ArgumentHelp("Where results are written; made if missing.", valueName: "directory"))
    var output = "demo-output"

    @Option(help: "What results are written as: jpeg or png.")
    var format = OutputFormat.jpeg

    @Option(
        help: ArgumentHelp(
            "Where original files are kept between runs; without it, nothing is kept.", valueName: "directory"))
    var cache: String?

    @Option(help: ArgumentHelp("Where the demonstration's figures are written as JSON.", valueName: "file"))
    var json: String?

    @Flag(help: .hidden)
    var doNothing = false

    func validate() throws {
        try Arguments.requireText()
        guard (1...16_384).contains(size) else { throw ValidationError("--size must be from 1 to 16384.") }
        guard json == nil || inputs.isEmpty else {
            throw ValidationError("--json is for the demonstration, which takes no URL and no path.")
        }
    }

    func run() async throws {
        // A process that has loaded the same libraries: the base for measuring memory.
        if doNothing { return }
        var files = InputPlaces()
        for input in inputs {
            if let file = FileIdentity(input) { files.add(file: file) }
        }
        let directory = try OutputDirectory(output, record: ".load-image", apartFrom: files)
        let box = PixelSize(width: size, height: size)
        if inputs.isEmpty {
            let figures = try await Demonstration(output: directory, box: box).run()
            let isWritten = json.map { figures.write(to: $0) } ?? true
            guard isWritten, figures.hold else { throw ExitCode.failure }
        } else {
            let batch = Batch(inputs: inputs, box: box, output: directory, format: format, cache: cache)
            guard try await batch.run() else { throw ExitCode.failure }
        }
    }
}
