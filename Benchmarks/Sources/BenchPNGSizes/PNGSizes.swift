import BenchPictures
import ChildProcess
import Figures
import Glibc
import ImageCodecs

/// All pictures written in all ways: measured, printed as one table, and written as JSON.
struct PNGSizes {
    let json: String
    let data: String
    let script: String

    init(json: String, data: String, script: String) {
        self.json = json
        self.data = data
        self.script = script
    }

    private enum Way: String, CaseIterable {
        case reduced6 = "ours 6"
        case plain6 = "not reduced 6"
        case pillow6 = "Pillow 6"
        case reduced9 = "ours 9"
        case plain9 = "not reduced 9"
        case pillow9 = "Pillow 9"
        case optimized = "Pillow optimize"
        case pngcrush, optipng, zopflipng
    }

    private typealias Sizes = [Way: Int]

    /// - Returns: whether every promise was kept.
    func run() throws -> Bool {
        // A folder of its own each time: there nothing can be somebody else's.
        let scratch = try ScratchFolder("png-sizes")
        defer { withExtendedLifetime(scratch) {} }
        return try run(scratch.path)
    }

    private func run(_ scratch: String) throws -> Bool {
        var all: [(group: String, name: String, sizes: Sizes, milliseconds: [Double])] = []
        var files: [String] = []
        for (group, pictures) in try SizedPicture.groups(data: data) {
            for picture in pictures {
                let path = "\(scratch)/\(all.count).png"
                let (sizes, times) = try measure(picture, path)
                all.append((group, picture.name, sizes, times))
                files.append(picture.source ?? path)
            }
        }
        for (index, sizes) in try pillow(files).enumerated() { all[index].sizes.merge(sizes) { $1 } }
        let groups = all.reduce(into: [String]()) { if !$0.contains($1.group) { $0.append($1.group) } }
        print(row("", Way.allCases.map(\.rawValue) + ["time", "not reduced"]))
        for group in groups { report(group, all.filter { $0.group == group }.map { ($0.sizes, $0.milliseconds) }) }
        let total = report("all", all.map { ($0.sizes, $0.milliseconds) })
        try write(all.map { ("\($0.group)/\($0.name)", $0.sizes) })

        var isKept = true
        for (reduced, plain) in [(Way.reduced6, Way.plain6), (.reduced9, .plain9)] {
            for file in all where file.sizes[reduced, default: 0] > file.sizes[plain, default: 0] {
                print("\(file.group)/\(file.name): \(reduced.rawValue) is larger than \(plain.rawValue)")
                isKept = false
            }
        }
        for (ours, theirs) in [(Way.reduced6, Way.pillow6), (.reduced9, .optimized)] {
            guard let ours = total[ours], let limit = total[theirs], ours > limit else { continue }
            print("All of ours, \(ours), are larger than \(theirs.rawValue)'s, \(limit)")
            isKept = false
        }
        return isKept
    }

    // MARK: Measuring

    /// - Parameter path: where the picture is kept, not reduced.
    /// - Returns: sizes, and how long it took at level 6, reduced and not, in milliseconds of processor time.
    private func measure(_ picture: SizedPicture, _ path: String) throws -> (Sizes, [Double]) {
        var sizes: Sizes = [:]
        var times: [Double] = []
        for (level, reduced, plain) in [(6, Way.reduced6, Way.plain6), (9, .reduced9, .plain9)] {
            for (way, isReduced) in [(reduced, true), (plain, false)] {
                let start = DecodeOptions.threadTime()
                let file = try picture.image.encoded(as: .png(level: level, reduced: isReduced))
                if level == 6 { times.append((DecodeOptions.threadTime() - start) / .milliseconds(1)) }
                sizes[way] = file.count
                if way == .plain9 { try Files.write(file, to: path) }
            }
        }
        let made = "\(path).made.png"
        var programs = [
            (Way.pngcrush, ["pngcrush", "-s", "-reduce", path, made]),
            (.optipng, ["optipng", "-quiet", "-o2", "-clobber", path, "-out", made]),
        ]
        // A minute for each megapixel.
        if picture.image.width * picture.image.height <= 20_000 {
            programs.append((.zopflipng, ["zopflipng", "-y", path, made]))
        }
        for (way, words) in programs {
            unlink(made)
            guard (try? ChildProcess(words).output()) != nil, let file = try? Files.read(made) else { continue }
            sizes[way] = file.count
        }
        return (sizes, times)
    }

    /// Pillow's results for files, from one process; none where it is not installed.
    private func pillow(_ files: [String]) throws -> [Sizes] {
        let search = "import importlib.util, sys; sys.exit(importlib.util.find_spec('PIL') is None)"
        let python = ["python3", "/usr/bin/python3"].first { (try? ChildProcess([$0, "-c", search]).output()) != nil }
        guard let python else { return [] }
        let lines = try ChildProcess([python, script] + files).output().split(separator: "\n")
        return lines.map { line in
            let counts = line.split(separator: " ").compactMap { Int($0) }
            return Sizes(zip([Way.pillow6, .pillow9, .optimized], counts)) { $1 }
        }
    }

    // MARK: Reporting

    @discardableResult
    private func report(_ name: String, _ rows: [(sizes: Sizes, milliseconds: [Double])]) -> Sizes {
        var sums: Sizes = [:]
        for way in Way.allCases {
            let counts = rows.compactMap { $0.sizes[way] }
            // A sum of fewer files would be no sum to compare.
            if counts.count == rows.count { sums[way] = counts.reduce(0, +) }
        }
        let times = (0..<2).map { index in rows.reduce(0) { $0 + $1.milliseconds[index] } }
        let cells = Way.allCases.map { sums[$0].map(String.init) ?? "–" } + times.map { "\(Int($0.rounded())) ms" }
        print(row("\(name) (\(rows.count))", cells))
        return sums
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return name + String(repeating: " ", count: max(1, 20 - name.count))
            + cells.map { padded($0, 16) }.joined()
    }

    private func write(_ rows: [(name: String, sizes: Sizes)]) throws {
        let objects = rows.map { name, sizes in
            let fields = Way.allCases.compactMap { way in sizes[way].map { "\"\(way.rawValue)\": \($0)" } }
            return "{\"name\": \"\(name)\", \(fields.joined(separator: ", "))}"
        }
        try Files.write(Array("[\n\(objects.joined(separator: ",\n"))\n]\n".utf8), to: json, inPlaceOf: "[\n")
    }
}
