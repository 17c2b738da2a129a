import BenchPictures
import ChildProcess
import ImageCodecs

/// This library as a subject: one picture blurred again and again.
struct BlurSubject {
    let words: [String]

    func run() throws {
        guard let format = BlurPicture.formats[words[0]], let width = Int(words[1]), let height = Int(words[2]),
            let sigma = Double(words[3]), let repetitions = Int(words[4]),
            let picture = Image(
                size: PixelSize(width: width, height: height), format: format, bytes: try Files.read(words[5]))
        else { throw ChildProcess.Failure(description: "no such picture: \(words)") }
        // Twice: the first call brings its own code into memory.
        _ = OwnProcess.peak()
        let before = OwnProcess.peak()
        var least = Double.infinity
        var blurred = picture
        for _ in 0..<max(1, repetitions) {
            // One result at a time is held.
            blurred = picture
            let start = OwnProcess.cpu()
            blurred = Processors.Blur(sigma: sigma).process(picture)
            least = min(least, OwnProcess.cpu() - start)
        }
        print("cpu_ms \(least) growth_kb \(OwnProcess.peak() - before)")
        try Files.write(blurred.bytes, to: words[6], inPlaceOf: "")
    }
}
