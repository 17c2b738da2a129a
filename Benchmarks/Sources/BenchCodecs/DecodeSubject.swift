import BenchPictures
import ChildProcess
import ImageCodecs

/// This library as a subject: one file decoded to one size, again and again.
struct DecodeSubject {
    private let words: [String]

    /// - Parameter words: FILE TARGET REPETITIONS OUT.ppm, and perhaps an option.
    init(words: [String]) {
        self.words = words
    }

    func run() throws {
        let bytes = try Files.read(words[0])
        let target = Int(words[1]) ?? 0
        let option = words.count > 4 ? words[4] : ""
        let isFirstPicture = option == "--first-picture"
        let leavesOutScans = option != "--every-scan"
        // Whole, a progressive file of 108 megapixels is beyond the default limits.
        let options = DecodeOptions(
            as: Rendition(targetSize: PixelSize(width: target, height: target), leavesOutScans: leavesOutScans),
            limits: leavesOutScans ? .safe : .unlimited, previews: isFirstPicture)
        // Twice: the first call brings its own code into memory.
        _ = OwnProcess.peak()
        let before = OwnProcess.peak()
        var least = Double.infinity
        var result: Image?
        var share = 1.0
        for _ in 0..<max(1, Int(words[2]) ?? 1) {
            // Memory is that of one picture.
            result = nil
            let start = OwnProcess.cpu()
            if isFirstPicture {
                (result, share) = try Self.firstPicture(bytes, options)
            } else {
                result = try Image.decode(bytes, options: options)
            }
            least = min(least, OwnProcess.cpu() - start)
        }
        let growth = OwnProcess.peak() - before
        print("cpu_ms \(least) growth_kb \(growth) share \(share)")
        if let result { try Files.writePPM(result, to: words[3]) }
    }

    /// The first degraded image, and the share of the file's bytes that had come by then.
    private static func firstPicture(_ bytes: [UInt8], _ options: DecodeOptions) throws -> (Image?, Double) {
        let decoder = ContentDecoder(options: options)
        return try bytes.withUnsafeBytes { buffer in
            var at = 0
            while at < buffer.count {
                let end = min(buffer.count, at + 16_384)
                try decoder.append(UnsafeRawBufferPointer(rebasing: buffer[at..<end]))
                at = end
                if let preview = try decoder.takePreview() {
                    return (preview.image, Double(at) / Double(buffer.count))
                }
            }
            return (nil, 1)
        }
    }
}
