import ImageCodecs

/// The result of a cell of the quality table.
struct QualityResult {
    struct Figures {
        let psnr: Double
        let ssim: Double?

        var json: String {
            "{\"psnr\": \(QualityResult.rounded(psnr, 100)), \"ssim\": \(ssim.map { "\(QualityResult.rounded($0, 1e5))" } ?? "null")}"
        }
    }

    let cell: QualityCell
    let size: PixelSize
    var ours = Figures(psnr: 0, ssim: nil)
    var peers: [String: Figures] = [:]
    var before: Figures?
    /// Milliseconds of processor time.
    var times: (ours: Double, before: Double)?

    init(cell: QualityCell, size: PixelSize) {
        self.cell = cell
        self.size = size
    }

    /// Decibels beyond the better peer.
    var margin: Double? { peers.values.map(\.psnr).max().map { ours.psnr - $0 } }

    /// The fault that was found in it.
    var faults: [String] {
        var faults: [String] = []
        if let margin, margin < QualityTable.leastMargin {
            faults.append("\(Self.rounded(margin, 10)) dB of the better peer")
        }
        if cell.file.picture == nil, ours.psnr < QualityTable.leastOfPhotos { faults.append("a photo") }
        if let times, times.ours > times.before * QualityTable.mostTime {
            faults.append("\(Self.rounded(times.ours / times.before, 1000)) of the time before")
        }
        return faults
    }

    var name: String { cell.name }

    var json: String {
        let file = cell.file
        var fields = [
            "\"case\": \"\(name)\"", "\"picture\": \"\(file.kind)\"", "\"sampling\": \"\(file.sampling.rawValue)\"",
            "\"quality\": \(file.quality)", "\"progressive\": \(file.isProgressive)", "\"ratio\": \(cell.ratio)",
            "\"width\": \(size.width)", "\"height\": \(size.height)", "\"ImageStreams\": \(ours.json)",
        ]
        fields += peers.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.json)" }
        if let before { fields.append("\"before\": \(before.json)") }
        if let times {
            fields.append(
                "\"ms\": \(Self.rounded(times.ours, 1000)), \"ms_before\": \(Self.rounded(times.before, 1000))")
        }
        return "  {\(fields.joined(separator: ", "))}"
    }

    static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }
}
