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
    /// Runs it, by a program that does nothing but run and measure, with its output thrown away.
    func run(by measure: String) throws -> Run {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ProgramFailure(description: "no pipe") }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([measure] + words).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var identifier: pid_t = 0
        var status: Int32 = 0
        let isStarted = posix_spawn(&identifier, measure, &actions, nil, &arguments, environ) == 0
        close(ends[1])
        var text = [UInt8](repeating: 0, count: 256)
        let count = isStarted ? max(0, read(ends[0], &text, text.count)) : 0
        let figures = String(decoding: text[..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap(
            Double.init)
        guard isStarted, waitpid(identifier, &status, 0) == identifier, status == 0, figures.count == 3 else {
            throw ProgramFailure(description: "\(words.joined(separator: " ")): status \(status)")
        }
        return Run(wall: figures[0], cpu: figures[1], memory: figures[2] * 1024 / 1e6)
    }
}
