import BenchPictures
import ChildProcess
import Glibc

// bench-programs LOAD-IMAGE FLOOR-FOLDER JSON PHOTOS
//
// Thumbnails of 256 pixels as whole processes: load-image beside a C program that does nothing but libjpeg-turbo's decode
// at the same scale, and beside the programs people use, as far as they are installed. Each photo in rounds, each of every
// program in turn; medians. PHOTOS is a folder; what it does not have is made.

/// What is measured of one photo.
struct Comparison {
    let name: String
    let rounds: Int
    /// The floor, an idle process, and those of this package.
    let subjects: [Program]
    let peers: [Program]

    /// - Returns: the table's rows as JSON.
    func run(by measure: String) throws -> [String] {
        // A peer that refuses the photo, or is beyond its own limits, is left out.
        let programs = subjects + peers.filter { (try? $0.run(by: measure)) != nil }
        var runs = programs.map { _ in [Run]() }
        for _ in 0..<rounds {
            for (index, program) in programs.enumerated() { runs[index].append(try program.run(by: measure)) }
        }
        func median(_ index: Int, _ figure: KeyPath<Run, Double>) -> Double {
            runs[index].map { $0[keyPath: figure] }.sorted()[runs[index].count / 2]
        }
        let (floor, idle) = (median(0, \.wall), median(1, \.memory))
        print("\n\(name) → 256, whole processes, medians of \(rounds)")
        print("                                     wall ms      cpu ms     memory MB   above idle   × floor")
        return programs.indices.map { index in
            let (wall, cpu, memory) = (median(index, \.wall), median(index, \.cpu), median(index, \.memory))
            let program = programs[index].name
            let label = program + String(repeating: " ", count: 32 - program.count)
            print(
                "  \(label)\(column(wall))\(column(cpu))\(column(memory))\(column(memory - idle))\(column(wall / floor, 2))"
            )
            return """
                  {"case": "\(name) → 256, whole process", "subject": "\(program)", "ms": \(column(wall, 2)), \
                "cpu_ms": \(column(cpu, 2)), "ratio_to_floor": \(column(wall / floor, 2)), "memory_mb": \(column(memory, 2))}
                """
        }
    }

    private func column(_ value: Double, _ digits: Int = 1) -> String {
        let scale = digits == 1 ? 10.0 : 100.0
        let text = "\((value * scale).rounded() / scale)"
        return String(repeating: " ", count: max(1, 12 - text.count)) + text
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 5 else {
    print("usage: bench-programs LOAD-IMAGE FLOOR-FOLDER JSON PHOTOS")
    exit(2)
}
do {
    let (loadImage, floors, json) = (arguments[1], arguments[2], arguments[3])
    let scratch = "\(json).scratch"
    let photos = Photos(in: arguments[4], scratch: scratch)
    func comparison(_ name: String, _ photo: String, rounds: Int) -> Comparison {
        let subjects = [
            Program(name: "libjpeg-turbo's decode alone", words: ["\(floors)/jpeg-floor", photo, "256"]),
            Program(name: "load-image --do-nothing", words: [loadImage, "--do-nothing"]),
            Program(name: "load-image", words: [loadImage, photo, "--size", "256", "--output", scratch]),
        ]
        return Comparison(
            name: name, rounds: rounds, subjects: subjects,
            peers: Program.peers(photo, floors: floors, output: "\(scratch)/peer.jpg"))
    }
    let comparisons = [
        comparison("12 MP baseline", try photos.baseline(), rounds: 21),
        comparison("12 MP progressive", try photos.progressive(), rounds: 11),
        comparison("1200×800", try photos.medium(), rounds: 21),
        comparison("640×480", try photos.small(), rounds: 21),
        comparison("108 MP baseline", try photos.huge(), rounds: 5),
    ]
    let rows = try comparisons.flatMap { try $0.run(by: "\(floors)/measure") }
    try Files.writeTable(rows, to: json)
} catch {
    print("bench-programs: \(error)")
    exit(1)
}
