import CLibrary
import ImageCodecs

// decode-file PATH: decodes a file to fit 256 × 256 under the default limits, in pieces as a pipeline reads it, and prints
// by how many kilobytes that raised the process's peak of memory, how many milliseconds it took, and what came of it.

/// Kilobytes; of this program alone. (The system's ru_maxrss counts the process it was started from, too.)
func peak() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 4096)
    let count = fread(&text, 1, text.count, file)
    let status = String(decoding: text.prefix(count), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

guard CommandLine.arguments.count == 2, let file = fopen(CommandLine.arguments[1], "rb") else { exit(2) }
var piece = [UInt8](repeating: 0, count: 64 << 10)
let decoder = ContentDecoder(options: DecodeOptions(as: .fit(PixelSize(width: 256, height: 256)), previews: true))
// Twice: the first call brings its own code into memory.
_ = peak()
let before = peak()
let start = ContinuousClock.now
var outcome: String
do throws(DecodeError) {
    while true {
        let count = fread(&piece, 1, piece.count, file)
        if count == 0 { break }
        try decoder.append(Array(piece[..<count]))
        _ = try decoder.takePreview()
    }
    outcome = "\(try decoder.finish())"
} catch {
    outcome = "\(error)"
}
let elapsed = start.duration(to: .now)
print(peak() - before, Int(elapsed / .milliseconds(1)), outcome)
