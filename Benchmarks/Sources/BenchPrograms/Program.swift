#if canImport(Glibc)
    import Glibc
#endif

/// A whole process to measure: what it is called in the table, and its words.
struct Program {
    let name: String
    let words: [String]
}

/// What one run of a process took.
struct Run {
    /// Milliseconds from start to end.
    let wall: Double
    /// Milliseconds of processor time, its own and the system's for it.
    let cpu: Double
    /// The most memory it had resident, in megabytes (10⁶ bytes).
    let memory: Double
}

struct ProgramFailure: Error, CustomStringConvertible {
    let description: String
}

extension Program {
    /// Runs it with its output thrown away.
    func run() throws -> Run {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var identifier: pid_t = 0
        var status: Int32 = 0
        var usage = rusage()
        let start = ContinuousClock.now
        guard posix_spawnp(&identifier, words[0], &actions, nil, &arguments, environ) == 0,
            wait4(identifier, &status, 0, &usage) == identifier, status == 0
        else {
            throw ProgramFailure(description: "\(words.joined(separator: " ")): status \(status)")
        }
        return Run(
            wall: milliseconds(ContinuousClock.now - start),
            cpu: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
            memory: Double(usage.ru_maxrss) * 1024 / 1e6)
    }
}

private func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
}

private func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
}
