extension Duration {
    var asSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }

    /// `0:07`, `12:45`, `3:00:00`.
    var asClock: String {
        let seconds = Int(asSeconds.rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }

    /// `31.4/s` for so many in this time.
    func rate(of count: Int) -> String {
        let tenths = Int((10 * Double(count) / max(asSeconds, 0.001)).rounded())
        return "\(tenths / 10).\(tenths % 10)/s"
    }
}
