import Glibc

/// The resources that the running process has used so far.
public enum OwnProcess {
    /// Milliseconds of processor time, all threads together.
    public static func cpu() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Double(now.tv_sec) * 1e3 + Double(now.tv_nsec) / 1e6
    }

    /// The most memory ever resident, in kilobytes, from /proc: getrusage's figure is that of the parent at least.
    public static func peak() -> Int {
        var text = [UInt8](repeating: 0, count: 4096)
        let file = open("/proc/self/status", O_RDONLY)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let count = max(0, read(file, &text, text.count))
        let lines = String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return 0 }
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
