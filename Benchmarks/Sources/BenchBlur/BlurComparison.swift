import BenchPictures
import ChildProcess

/// The blur beside its peer, in all modes and at all sigmas, as a table and as JSON.
struct BlurComparison {
    let program: String
    let json: String
    let scratch: String
    /// An interpreter and its script.
    let peer: [String]?

    private static let sigmas = [0.5, 1, 2, 2.8, 3, 4.2, 5, 10, 20, 50, 100, 200]
    private static let mostTime = 1.5
    private static let mostError = 1.0
    private static let repetitions = 5

    private struct Figures {
        var cpu: Double
        var growth: Int
        var error: Double

        var json: String { "{\"cpu_ms\": \(cpu), \"growth_kb\": \(growth), \"worst_error\": \(error)}" }
    }

    /// - Returns: whether all is within its bounds.
    func run() throws -> Bool {
        var isRight = true
        var rows: [String] = []
        print("mode  sigma   cpu ms  growth MB  error   Pillow ms  growth MB  error   time/Pillow")
        for mode in ["RGB", "L", "RGBA"] {
            let large = BlurPicture(mode: mode, width: 2_000, height: 1_500)
            let small = BlurPicture(mode: mode, width: 300, height: 200)
            try Files.write(large.bytes, to: scratch + "/large.raw", inPlaceOf: "")
            try Files.write(small.bytes, to: scratch + "/small.raw", inPlaceOf: "")
            for sigma in Self.sigmas {
                let own = try figures([program, "--blur"], large, small, sigma)
                let other = try peer.map { try figures($0, large, small, sigma) }
                let ratio = other.map { own.cpu / $0.cpu }
                let isWithin = own.error <= Self.mostError && (ratio ?? 0) <= Self.mostTime
                isRight = isRight && isWithin
                let line =
                    [(mode, 4), ("\(sigma)", 7)].map { pad($0.0, $0.1) }.joined() + columns(own)
                    + (other.map { "  " + columns($0) } ?? "") + (ratio.map { pad(rounded($0, 100), 14) } ?? "")
                print(line + (isWithin ? "" : "  MISSED"))
                rows.append(
                    "{\"mode\": \"\(mode)\", \"sigma\": \(sigma), \"ours\": \(own.json), \"pillow\": \(other?.json ?? "null"), "
                        + "\"is_within\": \(isWithin)}")
            }
        }
        try Files.write(Array("[\n\(rows.joined(separator: ",\n"))\n]\n".utf8), to: json, inPlaceOf: "[\n")
        return isRight
    }

    private func figures(
        _ subject: [String], _ large: BlurPicture, _ small: BlurPicture, _ sigma: Double
    ) throws -> Figures {
        let out = scratch + "/out.raw"
        func words(_ picture: BlurPicture, _ repetitions: Int, _ name: String) -> [String] {
            subject + [
                picture.mode, "\(picture.width)", "\(picture.height)", "\(sigma)", "\(repetitions)", scratch + name,
                out,
            ]
        }
        let printed = try ChildProcess(words(large, Self.repetitions, "/large.raw")).output().split(separator: " ")
        guard printed.count == 4, let cpu = Double(printed[1]), let growth = Int(printed[3].filter(\.isNumber)) else {
            throw ChildProcess.Failure(description: "\(subject) prints \(printed)")
        }
        _ = try ChildProcess(words(small, 1, "/small.raw")).output()
        return Figures(cpu: cpu, growth: growth, error: small.worstError(of: try Files.read(out), sigma: sigma))
    }

    private func columns(_ figures: Figures) -> String {
        pad(rounded(figures.cpu, 10), 9) + pad(rounded(Double(figures.growth) / 1_024, 10), 11)
            + pad(rounded(figures.error, 100), 7)
    }

    private func rounded(_ value: Double, _ parts: Double) -> String { "\((value * parts).rounded() / parts)" }

    private func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
