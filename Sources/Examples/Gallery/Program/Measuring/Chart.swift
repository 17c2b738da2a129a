/// A picture of a run over time, as an SVG: memory, main-thread time, loads, cells.
enum Chart {
    private static let width = 760.0
    private static let height = 130.0
    /// The beginning of every chart, which hardly another drawing has.
    static let beginning = "<!-- a run of gallery over time -->\n"
    static let end = "</svg>\n"

    @MainActor
    static func writeSamples(_ samples: [Recorder.Sample], to path: String) {
        let lines = samples.map {
            "\($0.time) \($0.memory) \($0.main) \($0.started) \($0.cancelled) \($0.final) \($0.degraded)\n"
        }
        TextFile.write(lines.joined(), to: path)
    }

    /// Draws the samples that a run has written.
    static func svg(samples path: String) -> String {
        let all = (TextFile.read(path) ?? "").split(separator: "\n").map { line in
            line.split(separator: " ").compactMap { Double($0) }
        }.filter { $0.count == 7 }
        // As many as there are points across; of each group the one with the largest frame.
        let group = all.count / Int(width) + 1
        let rows = stride(from: 0, to: all.count, by: group).compactMap { start in
            all[start..<min(all.count, start + group)].max { $0[2] < $1[2] }
        }
        let times = rows.map { $0[0] }
        let panels = [
            panel("resident memory, MB", times, [("", rows.map { $0[1] / 1e6 })]),
            panel("main-thread time a frame, ms", times, [("", rows.map { $0[2] * 1e3 })]),
            panel(
                "loads, in all", times, [("started", rows.map { $0[3] }), ("cancelled", rows.map { $0[4] })]),
            panel(
                "images shown, in all", times, [("final", rows.map { $0[5] }), ("degraded", rows.map { $0[6] })]),
        ]
        let body = panels.enumerated().map { index, panel in
            "<g transform=\"translate(50 \(Double(index) * (height + 40) + 30))\">\(panel)</g>\n"
        }.joined()
        return beginning + """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width + 70) \((height + 40) * 4 + 20)" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(body)\(end)
            """
    }

    private static func panel(_ title: String, _ times: [Double], _ series: [(String, [Double])]) -> String {
        let top = max(1e-9, series.flatMap(\.1).max() ?? 1)
        let last = max(1e-9, times.last ?? 1)
        let colours = ["#2a6fb0", "#c8641e"]
        var parts = [
            "<text x=\"0\" y=\"-8\">\(title)</text>",
            "<path d=\"M0 0V\(height)H\(width)\" fill=\"none\" stroke=\"#888\"/>",
            "<text x=\"-6\" y=\"8\" text-anchor=\"end\">\(number(top))</text>",
            "<text x=\"\(width)\" y=\"\(height + 14)\" text-anchor=\"end\">\(number(last)) s</text>",
        ]
        for (index, (name, values)) in series.enumerated() {
            let points = zip(times, values).map { time, value in
                "\(number(time / last * width)),\(number(height - value / top * height))"
            }.joined(separator: " ")
            parts.append(
                "<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(colours[index % 2])\" stroke-width=\"1.2\"/>")
            if !name.isEmpty {
                parts.append(
                    "<text x=\"\(10 + 90 * index)\" y=\"14\" fill=\"\(colours[index % 2])\">\(name)</text>")
            }
        }
        return parts.joined()
    }

    /// One decimal.
    private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
