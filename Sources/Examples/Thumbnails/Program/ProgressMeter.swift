/// What is shown of a long run: on a terminal one line that changes, elsewhere a line now and then.
struct ProgressMeter {
    /// Redrawing more often helps nobody.
    private static let pauseOfBar = Duration.milliseconds(100)
    private static let pauseOfLines = Duration.seconds(5)
    private static let clear = "\r\u{1B}[2K"

    let isLive: Bool
    /// Columns of the terminal.
    let width: @Sendable () -> Int
    private var lastShown = Duration.zero
    private var hasBar = false

    init(isLive: Bool, width: @escaping @Sendable () -> Int) {
        self.isLive = isLive
        self.width = width
    }

    /// What to write now, if anything is due.
    ///
    /// - Parameter elapsed: since the run began.
    mutating func text(_ tally: Tally, after elapsed: Duration) -> String? {
        let pause = isLive ? Self.pauseOfBar : Self.pauseOfLines
        guard elapsed - lastShown >= pause, tally.done > 0, tally.wanted > 0 else { return nil }
        lastShown = elapsed
        hasBar = isLive
        let facts = Self.facts(tally, after: elapsed)
        return isLive ? Self.clear + Self.bar(tally, width: width(), facts) : facts + "\n"
    }

    /// What to write when there is no more to show: takes the bar away.
    var end: String { hasBar ? Self.clear : "" }

    private static func facts(_ tally: Tally, after elapsed: Duration) -> String {
        let left = elapsed / tally.done * (tally.wanted - tally.done)
        var text = "\(tally.done) of \(tally.wanted), \(elapsed.rate(of: tally.done)), \(left.asClock) left"
        if tally.failed > 0 { text += ", \(tally.failed) failed" }
        return text
    }

    /// The facts behind a bar as wide as there is room, and nothing that would wrap.
    private static func bar(_ tally: Tally, width: Int, _ facts: String) -> String {
        let columns = min(40, width - facts.count - 4)
        guard columns >= 10 else { return String(facts.prefix(max(0, width - 1))) }
        let filled = columns * tally.done / tally.wanted
        return "[" + String(repeating: "█", count: filled) + String(repeating: "·", count: columns - filled) + "] "
            + facts
    }
}
