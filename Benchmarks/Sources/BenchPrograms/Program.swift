import ChildProcess

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

extension Program {
    /// Runs it, by a program that does nothing but run and measure, with its output thrown away.
    func run(by measure: String) throws -> Run {
        let figures = try ChildProcess([measure] + words).output()
            .split { $0 == " " || $0 == "\n" }.compactMap(Double.init)
        guard figures.count == 3 else {
            throw ChildProcess.Failure(description: "\(words.joined(separator: " ")): no figures")
        }
        return Run(wall: figures[0], cpu: figures[1], memory: figures[2] * 1024 / 1e6)
    }
}
