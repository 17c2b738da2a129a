import BenchPictures
import ChildProcess
import Glibc
import ImageCodecs

/// All cases with all subjects: measured, printed as one table, and written as JSON.
struct Comparison {
    let program: String
    let floors: String
    let json: String
    let photos: String
    let words: [String]

    private var scratch: String { "\(json).scratch" }

    /// - Returns: whether no figure is beyond its goal.
    func run() throws -> Bool {
        var (rows, isMet) = ([String](), true)
        print(
            "CPU milliseconds of one image in process (least of all), peak memory growth (median), quality beside a float Lanczos."
        )
        print("A figure beyond its goal is marked with an exclamation mark.")
        for entry in try cases() where words.allSatisfy({ entry.name.contains($0) }) {
            let (figures, isGood) = try measure(entry)
            rows += figures
            isMet = isMet && isGood
        }
        try Files.writeTable(rows, to: json)
        return isMet
    }

    private func cases() throws -> [Case] {
        let photos = Photos(in: photos, scratch: scratch)
        let (baseline, progressive) = (try photos.baseline(), try photos.progressive())
        return [
            Case(
                name: "12 MP baseline → 256", file: baseline, side: 256, repetitions: 6,
                goal: .init(floor: 1.10, peer: 0.92, memory: 2, psnr: 54)),
            Case(
                name: "12 MP baseline → 120", file: baseline, side: 120, repetitions: 6,
                goal: .init(floor: 0.70, peer: 0.70, memory: 2, psnr: 50)),
            Case(
                name: "12 MP baseline → 512", file: baseline, side: 512, repetitions: 6,
                goal: .init(floor: 1.20, peer: 0.85, memory: 3, psnr: 54)),
            Case(
                name: "12 MP progressive → 256", file: progressive, side: 256, repetitions: 3, isProgressive: true,
                goal: .init(floor: 0.30, peer: 0.30, memory: 6, psnr: 53)),
            Case(
                name: "12 MP progressive → 120", file: progressive, side: 120, repetitions: 3, isProgressive: true,
                goal: .init(floor: 0.12, peer: 0.12, memory: 2, psnr: 50)),
            Case(
                name: "108 MP progressive → 256", file: try photos.hugeProgressive(), side: 256, repetitions: 1,
                isProgressive: true, goal: .init(floor: 0.12, peer: 0.12, memory: 8, psnr: 50)),
            Case(
                name: "108 MP baseline → 256", file: try photos.huge(), side: 256, repetitions: 2,
                goal: .init(floor: 0.65, peer: 0.65, memory: 2, psnr: 50)),
            Case(
                name: "1200×800 → 256", file: try photos.medium(), side: 256, repetitions: 30,
                goal: .init(floor: 1.7, psnr: 50)),
            Case(
                name: "640×480 → 256", file: try photos.small(), side: 256, repetitions: 60,
                goal: .init(floor: 2.0, peer: 0.5, memory: 2, psnr: 54)),
            Case(
                name: "PNG 12 MP → 256", file: try photos.png(), side: 256, repetitions: 2, rounds: 12, isPNG: true,
                goal: .init(floor: 1.08, peer: 0.95, memory: 4, psnr: 48)),
            Case(
                name: "12 MP progressive → 120, first picture", file: progressive, side: 120, repetitions: 6,
                isFirstPicture: true, goal: .init(floor: 0.12, share: 0.07)),
        ]
    }

    // MARK: Measuring

    private func subjects(of entry: Case) -> [(name: String, words: [String])] {
        let floor = entry.isPNG ? "png-floor" : "jpeg-floor"
        var subjects = [(name: entry.isPNG ? "libpng's rows" : "libjpeg-turbo", words: ["\(floors)/\(floor)"])]
        if entry.isFirstPicture {
            return subjects + [(name: "ImageStreams", words: [program, "--decode", "--first-picture"])]
        }
        subjects.append((name: "ImageStreams", words: [program, "--decode"]))
        if entry.isProgressive {
            subjects.append(
                (name: "ImageStreams, every scan", words: [program, "--decode", "--every-scan"]))
        }
        for (name, peer) in [("libvips", "vips-peer"), ("Pillow", "pillow-peer")]
        where Files.exists("\(floors)/\(peer)") {
            subjects.append((name: name, words: ["\(floors)/\(peer)"]))
        }
        return subjects
    }

    private func measure(_ entry: Case) throws -> (rows: [String], isMet: Bool) {
        let subjects = subjects(of: entry)
        let out = "\(scratch)/out.ppm"
        var reference: Reference?
        if !entry.isFirstPicture {
            reference = Reference(
                try Image.decode(Files.read(entry.file), options: DecodeOptions(limits: .unlimited)).converted(
                    to: .rgb8),
                side: entry.side)
        }
        var results = subjects.map { _ in Measured() }
        for round in 0..<entry.rounds {
            for (index, subject) in subjects.enumerated() {
                let isOurs = subject.words[0] == program
                let words =
                    subject.words.prefix(isOurs ? 2 : 1)
                    + [entry.file, "\(entry.side)", "\(entry.repetitions)", out]
                    + subject.words.dropFirst(2)
                unlink(out)
                let figures = Self.figures(try ChildProcess(Array(words)).output())
                results[index].milliseconds = min(results[index].milliseconds, figures["cpu_ms"] ?? .infinity)
                results[index].growths.append((figures["growth_kb"] ?? 0) * 1024 / 1e6)
                results[index].share = figures["share"] ?? 1
                if round == 0, let reference, Files.exists(out) {
                    let image = try Files.readPPM(out)
                    results[index].psnr = Quality.psnr(image, reference)
                    results[index].ssim = Quality.ssim(image, reference)
                }
            }
        }
        let peers = zip(subjects, results).filter { $0.0.name == "libvips" || $0.0.name == "Pillow" }
        let best = peers.map(\.1.milliseconds).min()
        return report(entry, zip(subjects.map(\.name), results).map { ($0, $1) }, floor: results[0].milliseconds, best)
    }

    /// Words of which every other one is a number: "cpu_ms 3.1 growth_kb 500".
    private static func figures(_ text: String) -> [String: Double] {
        let words = text.split { $0 == " " || $0 == "\n" }
        var figures: [String: Double] = [:]
        for index in words.indices.dropLast() {
            if let value = Double(words[index + 1]) { figures[String(words[index])] = value }
        }
        return figures
    }

    // MARK: Reporting

    private func report(
        _ entry: Case, _ results: [(name: String, measured: Measured)], floor: Double, _ best: Double?
    ) -> (rows: [String], isMet: Bool) {
        defer { fflush(nil) }
        let heads = ["ms", "× floor", "× best peer", "MB", "PSNR", "SSIM"].map { Self.right($0) }.joined()
        print("\n\(Self.left(entry.name))\(heads)")
        var (rows, isMet) = ([String](), true)
        for (name, measured) in results {
            let goal = name == "ImageStreams" ? entry.goal : nil
            let ratio = measured.milliseconds / floor
            let peerRatio = best.map { measured.milliseconds / $0 }
            let columns = [
                Self.text(measured.milliseconds, 2),
                Self.text(ratio, 2, isBeyond: goal.map { ratio > $0.floor }),
                Self.text(peerRatio, 2, isBeyond: goal?.peer.map { (peerRatio ?? 0) > $0 }),
                Self.text(measured.megabytes, 1, isBeyond: goal?.memory.map { measured.megabytes > $0 }),
                Self.text(measured.psnr, 1, isBeyond: goal?.psnr.map { (measured.psnr ?? 0) < $0 }),
                Self.text(measured.ssim, 4),
            ]
            print("\(Self.left("  " + name))\(columns.map { Self.right($0) }.joined())")
            isMet = isMet && !columns.contains { $0.hasSuffix("!") }
            if let share = goal?.share {
                let percent = Self.text(measured.share * 100, 1, isBeyond: measured.share > share)
                print("    shown by \(percent) % of the bytes")
                isMet = isMet && measured.share <= share
            }
            let fields: [(String, Double?, Int)] = [
                ("ms", measured.milliseconds, 3), ("ratio_to_floor", ratio, 3), ("ratio_to_best_peer", peerRatio, 3),
                ("memory_mb", measured.megabytes, 2), ("psnr", measured.psnr, 2), ("ssim", measured.ssim, 5),
            ]
            let values = fields.map { "\"\($0)\": \($1 == nil ? "null" : Self.text($1, $2))" }
            rows.append("  {\"case\": \"\(entry.name)\", \"subject\": \"\(name)\", \(values.joined(separator: ", "))}")
        }
        return (rows, isMet)
    }

    private static func text(_ value: Double?, _ digits: Int, isBeyond: Bool? = nil) -> String {
        guard let value else { return "–" }
        let scale = pow(10.0, Double(digits))
        return "\((value * scale).rounded() / scale)\(isBeyond == true ? "!" : "")"
    }

    private static func left(_ text: String) -> String {
        text + String(repeating: " ", count: max(1, 40 - text.count))
    }

    private static func right(_ text: String) -> String {
        String(repeating: " ", count: max(1, 12 - text.count)) + text
    }
}
