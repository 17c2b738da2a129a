import BenchPictures
import ChildProcess
import ImagePipeline

#if canImport(Glibc)
    import Glibc
#endif

// bench-programs LOAD-IMAGE FLOOR-FOLDER JSON [PHOTO]
//
// A thumbnail of 256 pixels as a whole process: load-image beside a C program that does nothing but libjpeg-turbo's
// decode at the same scale, and beside vipsthumbnail. Twenty-one rounds, each of every program in turn; medians.

func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
}

func column(_ value: Double, _ digits: Int = 1) -> String {
    let scale = digits == 1 ? 10.0 : 100.0
    let text = "\((value * scale).rounded() / scale)"
    return String(repeating: " ", count: max(1, 12 - text.count)) + text
}

func writePhoto(to path: String) throws {
    guard let file = fopen(path, "wb") else { throw ChildProcess.Failure(description: "cannot write \(path)") }
    defer { fclose(file) }
    let encoded = try Pictures.invented().encoded(as: .jpeg(quality: 90))
    guard fwrite(encoded, 1, encoded.count, file) == encoded.count else {
        throw ChildProcess.Failure(description: "cannot write \(path)")
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
    print("usage: bench-programs LOAD-IMAGE FLOOR-FOLDER JSON [PHOTO]")
    exit(2)
}
do {
    let scratch = "\(arguments[3]).scratch"
    mkdir(scratch, 0o755)
    let photo = arguments.count > 4 ? arguments[4] : "\(scratch)/photo.jpg"
    if arguments.count <= 4 { try writePhoto(to: photo) }
    let measure = "\(arguments[2])/measure"
    let programs = [
        Program(name: "libjpeg-turbo's decode alone", words: ["\(arguments[2])/jpeg-floor", photo, "256"]),
        Program(name: "load-image --do-nothing", words: [arguments[1], "--do-nothing"]),
        Program(name: "load-image", words: [arguments[1], photo, "--size", "256", "--output", scratch]),
        Program(name: "vipsthumbnail", words: ["vipsthumbnail", photo, "--size", "256", "-o", "\(scratch)/vips.jpg"]),
    ]
    var runs = programs.map { _ in [Run]() }
    for program in programs { _ = try program.run(by: measure) }
    for _ in 0..<21 {
        for (index, program) in programs.enumerated() { runs[index].append(try program.run(by: measure)) }
    }
    let floor = median(runs[0].map(\.wall))
    let base = median(runs[1].map(\.memory))
    print("\n\(photo) → 256, whole processes, medians of 21")
    print("                                     wall ms      cpu ms     memory MB   above idle   × floor")
    var rows: [String] = []
    for (program, runs) in zip(programs, runs) {
        let (wall, cpu, memory) = (median(runs.map(\.wall)), median(runs.map(\.cpu)), median(runs.map(\.memory)))
        let name = program.name + String(repeating: " ", count: 32 - program.name.count)
        print(
            "  \(name)\(column(wall))\(column(cpu))\(column(memory))\(column(memory - base))\(column(wall / floor, 2))")
        rows.append(
            """
              {"case": "12 MP baseline → 256, whole process", "subject": "\(program.name)", "ms": \(column(wall, 2)), \
            "cpu_ms": \(column(cpu, 2)), "ratio_to_floor": \(column(wall / floor, 2)), "memory_mb": \(column(memory, 2))}
            """)
    }
    guard let file = fopen(arguments[3], "w") else {
        throw ChildProcess.Failure(description: "cannot write \(arguments[3])")
    }
    fputs("[\n\(rows.joined(separator: ",\n"))\n]\n", file)
    fclose(file)
} catch {
    print("bench-programs: \(error)")
    exit(1)
}
