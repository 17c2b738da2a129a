import BenchPictures
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

extension Program {
    /// Those that are installed, each with what makes it decode at a scale near the target, and filter with Lanczos.
    static func peers(_ photo: String, floors: String, output: String) -> [Program] {
        var programs: [Program] = []
        func add(_ name: String, _ candidates: [String], _ words: [String]) {
            let paths = candidates.flatMap { name in
                name.contains("/") ? [name] : ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
            }
            guard let path = paths.first(where: Files.exists) else { return }
            programs.append(Program(name: name, words: [path] + words))
        }
        add("vipsthumbnail", ["vipsthumbnail"], [photo, "--size", "256", "-o", output])
        // draft and reducing_gap.
        add("Pillow", ["\(floors)/pillow-peer"], [photo, "256", "1", output])
        add(
            "ImageMagick", ["magick", "convert-im6.q16", "convert"],
            ["-define", "jpeg:size=512x512", photo, "-auto-orient", "-filter", "Lanczos", "-resize", "256x256", output])
        add(
            "GraphicsMagick", ["gm"],
            ["convert", "-size", "512x512", photo, "-auto-orient", "-filter", "Lanczos", "-resize", "256x256", output])
        return programs
    }
}
