import BenchPictures
import ChildProcess
import Glibc
import ImageCodecs

/// Thumbnails beside what they should be, at many ratios, of pictures of many kinds, stored in many ways: ours, Pillow's and
/// libvips', and those of another build of this program, whose time is measured too.
struct QualityTable {
    let program: String
    let floors: String
    let json: String
    let photos: String
    let isQuick: Bool
    /// Another build of this program, or `nil`.
    let before: String?
    /// Words that the names of the cells have, all of them.
    let words: [String]

    /// How much less than the better peer's a thumbnail may have, in decibels, and the least that one of a photo has.
    static let leastMargin = -0.5
    static let leastOfPhotos = 50.0
    /// The longest time allowed, as a multiple of the other build's.
    static let mostTime = 1.03

    private static let size = PixelSize(width: 1637, height: 1229)
    private var scratch: String { "\(json).scratch" }

    /// - Returns: whether all of it is as it should be.
    func run() throws -> Bool {
        let cells = QualityCell.all(isQuick: isQuick).filter { cell in words.allSatisfy(cell.name.contains) }
        guard !cells.isEmpty else {
            throw ChildProcess.Failure(description: "no thumbnail has all of \(words) in its name")
        }
        print("\(cells.count) thumbnails, beside a full decode reduced by a Lanczos filter in double precision.")
        try makeFiles(cells)
        let sides = cells.map { Int((Double(Self.size.width) / $0.ratio).rounded()) }
        let peers = try thumbnailsOfPeers(cells, sides)
        var results: [QualityResult] = []
        var references: (file: QualityFile, image: Image)?
        for index in cells.indices {
            let cell = cells[index]
            let path = path(cell.file)
            if references?.file != cell.file {
                let image = try Image.decode(Files.read(path), options: DecodeOptions(limits: .unlimited))
                references = (cell.file, image.converted(to: .rgb8))
            }
            guard let full = references?.image else { continue }
            let reference = Reference(full, side: sides[index])
            var result = QualityResult(cell: cell, size: reference.size)
            let out = "\(scratch)/out.ppm"
            result.ours = try decode(program, path, sides[index], out, 1).figures(reference)
            for peer in peers {
                result.peers[peer.name] = try figures("\(scratch)/\(peer.name)-\(index).ppm", reference)
            }
            if let before {
                result.before = try decode(before, path, sides[index], out, 1).figures(reference)
                result.times = try times(before, path, sides[index], out)
            }
            results.append(result)
        }
        try Files.writeTable(results.map(\.json), to: json)
        return QualityReport(results: results, peers: peers.map(\.name)).printed()
    }

    private func path(_ file: QualityFile) -> String {
        "\(scratch)/\(file.name.map { $0 == " " || $0 == ":" ? "-" : "\($0)" }.joined()).jpg"
    }

    /// Draws the pictures, and writes them as the cells want them.
    private func makeFiles(_ cells: [QualityCell]) throws {
        mkdir(scratch, 0o755)
        var drawn: Set<String> = []
        for file in Set(cells.map(\.file)) {
            let picture = "\(scratch)/\(file.kind).ppm"
            if drawn.insert(file.kind).inserted {
                let image =
                    try file.picture?.image(Self.size)
                    ?? Image.decode(Files.read(Photos(in: photos, scratch: scratch).baseline())).resized(to: Self.size)
                try Files.writePPM(image, to: picture)
            }
            let words =
                ["\(floors)/jpeg-writer", picture, path(file), file.sampling.factors, "\(file.quality)"]
                + (file.isProgressive ? ["progressive"] : [])
            _ = try ChildProcess(words).output()
        }
    }

    // MARK: Subjects

    private func thumbnailsOfPeers(_ cells: [QualityCell], _ sides: [Int]) throws -> [(name: String, program: String)] {
        let peers = [
            (name: "Pillow", program: "\(floors)/pillow-peer"), (name: "libvips", program: "\(floors)/vips-peer"),
        ]
        .filter { Files.exists($0.program) }
        for peer in peers {
            let lines = cells.indices.map { index in
                let size = Self.size.fitted(in: PixelSize(width: sides[index], height: sides[index]))
                return
                    "\(path(cells[index].file))\t\(size.width)\t\(size.height)\t\(scratch)/\(peer.name)-\(index).ppm\n"
            }
            let list = "\(scratch)/\(peer.name).list"
            unlink(list)
            try Files.write(Array(lines.joined().utf8), to: list)
            _ = try ChildProcess([peer.program, "--list", list]).output()
        }
        return peers
    }

    private struct Decoded {
        let milliseconds: Double
        let out: String

        func figures(_ reference: Reference) throws -> QualityResult.Figures {
            try QualityTable.figures(out, reference)
        }
    }

    private static func figures(_ path: String, _ reference: Reference) throws -> QualityResult.Figures {
        defer { unlink(path) }
        let image = try Files.readPPM(path)
        guard let psnr = Quality.psnr(image, reference) else {
            throw ChildProcess.Failure(description: "\(path) is \(image.size), not \(reference.size)")
        }
        return QualityResult.Figures(psnr: psnr, ssim: Quality.ssim(image, reference))
    }

    private func figures(_ path: String, _ reference: Reference) throws -> QualityResult.Figures {
        try Self.figures(path, reference)
    }

    private func decode(
        _ program: String, _ path: String, _ side: Int, _ out: String, _ repetitions: Int
    ) throws -> Decoded {
        let text = try ChildProcess([program, "--decode", path, "\(side)", "\(repetitions)", out]).output()
        let words = text.split(separator: " ")
        guard words.count > 1, let milliseconds = Double(words[1]) else {
            throw ChildProcess.Failure(description: "\(program) says \(text)")
        }
        return Decoded(milliseconds: milliseconds, out: out)
    }

    /// The least processor time of each build. They take turns, until the new one is not slower than it may be, or it is certain that
    /// it is: whoever else runs on the machine only makes a turn slower.
    private func times(
        _ before: String, _ path: String, _ side: Int, _ out: String
    ) throws -> (ours: Double, before: Double) {
        var least = (ours: Double.infinity, before: Double.infinity)
        for round in 0..<8 {
            least.ours = min(least.ours, try decode(program, path, side, out, 5).milliseconds)
            least.before = min(least.before, try decode(before, path, side, out, 5).milliseconds)
            if round > 0, least.ours <= least.before * Self.mostTime { break }
        }
        return least
    }
}
