import BenchPictures
import Glibc

/// The quality table for people: decibels by ratio, what each kind comes to, and what is not as it should be.
struct QualityReport {
    let results: [QualityResult]
    /// Their names.
    let peers: [String]

    private let kinds = ["photo"] + DrawnPicture.allCases.map(\.rawValue)

    /// Prints it.
    /// - Returns: whether nothing is wrong.
    func printed() -> Bool {
        defer { fflush(nil) }
        printRatios()
        printKinds()
        let times = results.compactMap(\.times)
        if !times.isEmpty {
            let (ours, before) = (times.reduce(0) { $0 + $1.ours }, times.reduce(0) { $0 + $1.before })
            let most = times.map { $0.ours / $0.before }.max() ?? 1
            print(
                "\nTime: \(QualityResult.rounded(ours / before, 1000)) of the other build's, \(QualityResult.rounded(most, 1000)) at most."
            )
        }
        let faulty = results.filter { !$0.faults.isEmpty }
        for result in faulty { print("! \(result.name): \(summary(result)): \(result.faults.joined(separator: ", "))") }
        print(faulty.isEmpty ? "Nothing is less than it should be." : "\(faulty.count) are less than they should be.")
        return faulty.isEmpty
    }

    private func summary(_ result: QualityResult) -> String {
        ([result.ours] + peers.compactMap { result.peers[$0] } + [result.before].compactMap { $0 })
            .map { "\(QualityResult.rounded($0.psnr, 10))" }.joined(separator: " / ")
    }

    private func printRatios() {
        let heads = ["ImageStreams"] + peers + (results.contains { $0.before != nil } ? ["before"] : [])
        print("\nPSNR of 4:2:0, quality 90, sequential: \(heads.joined(separator: " / "))")
        print(pad("ratio", 7) + kinds.map { pad($0, 28) }.joined())
        for ratio in QualityCell.ratios {
            let row = kinds.map { kind in
                results.first {
                    $0.cell.ratio == ratio && $0.cell.file.kind == kind && $0.cell.file.sampling == .half
                        && $0.cell.file.quality == 90 && !$0.cell.file.isProgressive
                }
            }
            guard row.contains(where: { $0 != nil }) else { continue }
            print(pad("\(ratio)", 7) + row.map { pad($0.map(summary) ?? "", 28) }.joined())
        }
    }

    private func printKinds() {
        print("\nOf all samplings, qualities, sequential and progressive:")
        print(
            pad("", 12)
                + ["thumbnails", "least dB", "least SSIM", "least beyond the better peer"].map { pad($0, 14) }.joined())
        for kind in kinds {
            let own = results.filter { $0.cell.file.kind == kind }
            guard let least = own.map(\.ours.psnr).min() else { continue }
            let columns = [
                "\(own.count)", "\(QualityResult.rounded(least, 10))",
                own.compactMap(\.ours.ssim).min().map { "\(QualityResult.rounded($0, 1e4))" } ?? "–",
                own.compactMap(\.margin).min().map { "\(QualityResult.rounded($0, 10))" } ?? "–",
            ]
            print(pad(kind, 12) + columns.map { pad($0, 14) }.joined())
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
