import CLibrary
import ImageCodecs

// decode-file PATH [SIDE SPARE]: decodes a file to fit 256 × 256, or a box of that side, under the default limits, in pieces as a pipeline
// reads it, and prints by how many kilobytes that raised the process's peak of memory, how many milliseconds it took, and what came of it.
// With SPARE the system gives it so many kilobytes more than it has when it begins.

/// Kilobytes; of this program alone. (The system's ru_maxrss counts the process it was started from, too.)
func kilobytes(_ fact: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 4096)
    let count = fread(&text, 1, text.count, file)
    let status = String(decoding: text.prefix(count), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix(fact + ":") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

/// Limits the process's memory to what it has and so much more; nil for the limit that it had in the beginning.
func limitMemory(spare: Int?) {
    var limit = rlimit()
    #if canImport(Glibc)
        let kind = __rlimit_resource_t(UInt32(RLIMIT_AS.rawValue))
    #else
        let kind = RLIMIT_AS
    #endif
    getrlimit(kind, &limit)
    limit.rlim_cur = spare.map { rlim_t((kilobytes("VmSize") + $0) << 10) } ?? limit.rlim_max
    setrlimit(kind, &limit)
}

let words = CommandLine.arguments
guard words.count == 2 || words.count == 4, let file = fopen(words[1], "rb") else { exit(2) }
let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
let (side, spare) = words.count == 4 ? (Int(words[2]) ?? 256, Int(words[3])) : (256, nil)
let decoder = ContentDecoder(options: DecodeOptions(as: .fit(PixelSize(width: side, height: side)), previews: true))
// Twice: the first call brings its own code into memory.
_ = kilobytes("VmHWM")
let before = kilobytes("VmHWM")
let start = ContinuousClock.now
if let spare { limitMemory(spare: spare) }
var outcome: String
do throws(DecodeError) {
    while true {
        let count = fread(piece.baseAddress, 1, piece.count, file)
        if count == 0 { break }
        try decoder.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        _ = try decoder.takePreview()
    }
    outcome = "\(try decoder.finish())"
} catch {
    outcome = "\(error)"
}
limitMemory(spare: nil)
let elapsed = start.duration(to: .now)
print(kilobytes("VmHWM") - before, Int(elapsed / .milliseconds(1)), outcome)
