import BenchPictures
import ChildProcess
import ImagePipeline

#if canImport(Glibc)
    import Glibc
#endif

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
            targetSize: PixelSize(width: target, height: target), limits: leavesOutScans ? .safe : .unlimited,
            previews: isFirstPicture, leavesOutScans: leavesOutScans)
        // Twice: the first call brings its own code into memory.
        _ = Self.peak()
        let before = Self.peak()
        var least = Double.infinity
        var result: Image?
        var share = 1.0
        for _ in 0..<max(1, Int(words[2]) ?? 1) {
            let start = Self.cpu()
            if isFirstPicture {
                (result, share) = try Self.firstPicture(bytes, options)
            } else {
                result = try Image.decode(bytes, options: options)
            }
            least = min(least, Self.cpu() - start)
        }
        let growth = Self.peak() - before
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

    /// Milliseconds of processor time so far, all threads together.
    static func cpu() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
    }

    /// The most memory ever resident, in kilobytes, from /proc: getrusage's figure is that of the parent at least.
    static func peak() -> Int {
        var text = [UInt8](repeating: 0, count: 4096)
        let file = open("/proc/self/status", O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let count = max(0, Glibc.read(file, &text, text.count))
        let lines = String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return 0 }
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
