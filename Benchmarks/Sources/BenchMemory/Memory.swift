import CAllocations
import Glibc

/// The memory of this process. Known on Linux with the GNU C library only.
enum Memory {
    /// The bytes that have been allocated and not been freed.
    static var allocated: Int { bytes_allocated() }

    /// The most that has been resident since `resetPeak()`, in kilobytes.
    static var peak: Int { status("VmHWM:") }

    /// The resident size in kilobytes.
    static var resident: Int { status("VmRSS:") }

    /// Begins to measure the peak anew.
    static func resetPeak() {
        give_back_free_memory()
        #if canImport(Glibc)
            guard let file = fopen("/proc/self/clear_refs", "w") else { return }
            fputs("5", file)
            fclose(file)
        #endif
    }

    private static func status(_ name: String) -> Int {
        #if canImport(Glibc)
            guard let file = fopen("/proc/self/status", "r") else { return 0 }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, Int32(line.count), file) != nil {
                let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                    .split(whereSeparator: \.isWhitespace)
                if words.count > 1, words[0] == name { return Int(words[1]) ?? 0 }
            }
        #endif
        return 0
    }
}
