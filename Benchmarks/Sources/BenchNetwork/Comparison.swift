import ChildProcess
import Glibc

/// All cases with all subjects: measured, printed as one table, written as JSON, and judged.
struct Comparison {
    let program: String
    let json: String
    let scratch: String
    let floor: String
    let plan: Plan

    /// The most that this library may take: processor time beside libcurl alone, and megabytes above a process that does nothing
    /// with 6 loads at once.
    private static let goals = (cpu: 1.2, memory: 6.0)
    private static let floorName = "libcurl alone"
    private static let ownName = "ImageStreams"

    private struct Subject {
        let name: String
        let words: [String]
        /// The peak memory of the program when it does nothing, in megabytes.
        var idle = 0.0
    }

    /// - Returns: Whether every goal is met.
    func run() throws -> Bool {
        let server = try Server(in: scratch, bodies: Set(plan.cases.map(\.bodyBytes)).sorted())
        defer { server.stop() }
        var subjects = [
            Subject(name: Self.floorName, words: [floor]), Subject(name: Self.ownName, words: [program, "--load"]),
        ]
        subjects += plan.peers.map { Subject(name: $0.name, words: [$0.program]) }
        for index in subjects.indices {
            subjects[index].idle = try figures(of: subjects[index], server, "/", 0, 1, .plain, 0).memory
        }
        print(
            "Least wall and processor milliseconds, most memory above a process that does nothing in MB, connections.")
        print("A figure beyond its goal is marked with an exclamation mark.")
        var rows: [String] = []
        var isGood = true
        for entry in plan.cases {
            let measured = try measure(entry, subjects, server)
            guard let floor = measured.first ?? nil else { continue }
            print("\n\(entry.name)")
            for (subject, figures) in zip(subjects, measured) {
                guard let figures else {
                    print("  \(subject.name) cannot do this")
                    continue
                }
                let missed = subject.name == Self.ownName ? misses(figures, entry, floor: floor) : []
                isGood = isGood && missed.isEmpty
                print(line(subject.name, figures, beside: floor, missed))
                rows.append(
                    "  {\"case\": \"\(entry.name)\", \"subject\": \"\(subject.name)\", \"wall_ms\": \(figures.wall.short), "
                        + "\"cpu_ms\": \(figures.cpu.short), \"memory_mb\": \(figures.memory.short), "
                        + "\"connections\": \(figures.connections)}")
            }
        }
        guard let file = fopen(json, "w") else { throw ChildProcess.Failure(description: "cannot write \(json)") }
        fputs("[\n\(rows.joined(separator: ",\n"))\n]\n", file)
        fclose(file)
        return isGood
    }

    /// - Returns: The figures of each subject; nil of a peer that cannot do this.
    private func measure(_ entry: Plan.Case, _ subjects: [Subject], _ server: Server) throws -> [Figures?] {
        var all: [Figures?] = subjects.map { _ in Figures() }
        for _ in 0..<plan.rounds {
            for (index, subject) in subjects.enumerated() {
                let opened = try server.acceptedConnections()
                guard
                    var new = try? figures(
                        of: subject, server, entry.path, entry.count, entry.atOnce, entry.way, entry.bodyBytes)
                else {
                    let isPeer = index > 1
                    guard isPeer else { throw ChildProcess.Failure(description: "\(subject.name): \(entry.name)") }
                    all[index] = nil
                    continue
                }
                // The question itself takes one.
                new.connections = try server.acceptedConnections() - opened - 1
                new.memory -= subject.idle
                all[index]?.add(new)
            }
        }
        return all
    }

    /// Runs a subject once.
    private func figures(
        of subject: Subject, _ server: Server, _ path: String, _ count: Int, _ atOnce: Int, _ way: Plan.Way,
        _ bytes: Int
    ) throws -> Figures {
        let words = [
            "\(server.base(way))\(path)", "\(count)", "\(atOnce)", way == .http2 ? "http2" : "http1",
            server.authorityFile, "\(bytes)",
        ]
        let text = try ChildProcess(subject.words + words).output()
        let numbers = text.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
        guard numbers.count == 3 else { throw ChildProcess.Failure(description: "\(subject.name) said \(text)") }
        return Figures(wall: numbers[0], cpu: numbers[1], memory: numbers[2] / 1_024)
    }

    private func misses(_ figures: Figures, _ entry: Plan.Case, floor: Figures) -> Set<String> {
        var missed: Set<String> = []
        if figures.cpu > Self.goals.cpu * floor.cpu { missed.insert("cpu") }
        if entry.atOnce == 6, figures.memory > Self.goals.memory { missed.insert("memory") }
        if figures.connections > entry.atOnce { missed.insert("connections") }
        return missed
    }

    private func line(_ name: String, _ figures: Figures, beside floor: Figures, _ missed: Set<String>) -> String {
        func mark(_ figure: String) -> String { missed.contains(figure) ? "!" : " " }
        let columns = [
            "\(figures.wall.short)", "\(figures.cpu.short)", "× \((figures.cpu / floor.cpu).short)\(mark("cpu"))",
            "\(figures.memory.short) MB\(mark("memory"))", "\(figures.connections)\(mark("connections"))",
        ]
        return columns.reduce("  \(name)".padded(to: 20)) {
            $0 + String(repeating: " ", count: max(0, 13 - $1.count)) + $1
        }
    }
}

/// The cost of a subject: of several rounds the least time, which others on the machine have disturbed least, and the most of
/// all else.
struct Figures {
    var wall = Double.infinity
    var cpu = Double.infinity
    var memory = 0.0
    var connections = 0

    mutating func add(_ other: Figures) {
        wall = min(wall, other.wall)
        cpu = min(cpu, other.cpu)
        memory = max(memory, other.memory)
        connections = max(connections, other.connections)
    }
}

extension Double {
    /// With two digits behind the point.
    fileprivate var short: String {
        let hundredths = Int((self * 100).rounded())
        let digits = "\(abs(hundredths) % 100)"
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits.count < 2 ? "0" : "")\(digits)"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
