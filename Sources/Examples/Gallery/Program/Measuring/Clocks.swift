import CLibrary

/// The resources that this process and its threads have used, as the system says.
enum Clocks {
    /// Seconds of some clock that goes on evenly.
    static var now: Double { seconds(CLOCK_MONOTONIC) }
    /// Processor time of this thread, in seconds.
    static var thread: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }

    /// Memory that is resident, in bytes.
    static var memory: Int { status("VmRSS:") }
    /// The largest that it has been.
    static var peakMemory: Int { status("VmHWM:") }
    /// The part of what is resident that are pages of the program's and its libraries' files.
    static var filePages: Int { status("RssFile:") }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// A line of /proc/self/status, in KB; 0 where there is none.
    private static func status(_ name: String) -> Int {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let text = String(
            unsafeUninitializedCapacity: 4096,
            initializingUTF8With: { max(0, read(file, $0.baseAddress, $0.count)) })
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return 0 }
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
            .map { $0 << 10 } ?? 0
    }
}
