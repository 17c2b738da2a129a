import BenchPictures
import ChildProcess
import Glibc
import ImageCodecs

/// Files that ask for much: the corpora's, most of them damaged, and bombs made here. Each is decoded by a process of its
/// own under the default limits, at full size and to 256, in pieces as a pipeline reads it.
struct Hostile {
    let program: String
    let data: String
    let scratch: String

    /// Milliseconds of processor time and megabytes of growth that no file may take more of.
    private static let mostMilliseconds = 1000.0
    private static let mostMegabytes = 64.0

    private struct Cost {
        let name: String
        let milliseconds: Double
        let megabytes: Double
        let outcome: String

        var isBeyond: Bool { milliseconds > mostMilliseconds || megabytes > mostMegabytes }
        var text: String {
            "\(Self.rounded(milliseconds)) ms, \(Self.rounded(megabytes)) MB: \(name): \(outcome)\(isBeyond ? " !" : "")"
        }

        private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    }

    /// - Returns: whether everything stayed within the limits.
    func run() throws -> Bool {
        mkdir(scratch, 0o755)
        print("\nHostile files, under the default limits: at most 1000 ms and 64 MB each.")
        var isFine = true
        for corpus in ["corpora-jpeg", "corpora-png"] {
            let names = Files.names(in: "\(data)/\(corpus)").filter { $0.hasSuffix("g") }
            for (side, size) in [(0, "full size"), (256, "to 256")] where !names.isEmpty {
                let costs = try names.map { try cost("\(data)/\(corpus)/\($0)", $0, side) }
                isFine = isFine && !costs.contains(where: \.isBeyond)
                let images = costs.filter { $0.outcome.hasPrefix("image") }.count
                print("\(corpus), \(size): \(names.count) files, \(images) images, the others typed errors")
                if let slowest = costs.max(by: { $0.milliseconds < $1.milliseconds }) {
                    print("  slowest    \(slowest.text)")
                }
                if let hungriest = costs.max(by: { $0.megabytes < $1.megabytes }) {
                    print("  hungriest  \(hungriest.text)")
                }
                costs.filter(\.isBeyond).forEach { print("  beyond     \($0.text)") }
            }
        }
        print("bombs, to 256")
        for bomb in try HostileBomb.all() {
            let path = "\(scratch)/bomb-\(getpid())"
            try Files.write(bomb.bytes, to: path)
            let cost = try cost(path, bomb.name, 256)
            unlink(path)
            isFine = isFine && !cost.isBeyond
            print("  \(cost.text)")
        }
        return isFine
    }

    private func cost(_ path: String, _ name: String, _ side: Int) throws -> Cost {
        let text = try ChildProcess([program, "--decode-once", path, "\(side)"]).output()
        let words = text.split(separator: "\n")[0].split(separator: " ", maxSplits: 2)
        guard words.count == 3, let milliseconds = Double(words[0]), let kilobytes = Double(words[1]) else {
            throw ChildProcess.Failure(description: "\(name): \(text)")
        }
        return Cost(
            name: name, milliseconds: milliseconds, megabytes: kilobytes * 1024 / 1e6, outcome: String(words[2]))
    }

    /// The child's part: prints milliseconds of processor time, kilobytes of growth, and what came of it.
    static func decodeOnce(_ path: String, side: Int) throws {
        guard let file = fopen(path, "rb") else { throw ChildProcess.Failure(description: "cannot read \(path)") }
        defer { fclose(file) }
        let target = side > 0 ? PixelSize(width: side, height: side) : nil
        let decoder = ContentDecoder(options: DecodeOptions(as: Rendition(targetSize: target), previews: true))
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        // Twice: the first call brings its own code into memory.
        _ = OwnProcess.peak()
        let (before, start) = (OwnProcess.peak(), OwnProcess.cpu())
        var outcome: String
        do throws(DecodeError) {
            while true {
                let count = fread(&piece, 1, piece.count, file)
                if count == 0 { break }
                try decoder.append(Array(piece[..<count]))
                _ = try decoder.takePreview()
            }
            outcome = "image of \(try decoder.finish())"
        } catch {
            outcome = "\(error)"
        }
        print(OwnProcess.cpu() - start, OwnProcess.peak() - before, outcome)
    }
}
