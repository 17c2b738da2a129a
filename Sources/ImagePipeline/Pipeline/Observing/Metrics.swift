/// The counts and times of a pipeline up to a moment, by stage. Their description is a table.
public struct Metrics: Sendable, CustomStringConvertible {
    /// The counts and times of one stage.
    public struct Stage: Sendable {
        /// The number of loads that have entered the stage.
        public private(set) var begun = 0
        /// The number of loads that have completed, by the place that they came from.
        public private(set) var finished: [Provenance: Int] = [:]
        /// The number of loads that have left it with an image that is damaged; they count as finished.
        public private(set) var damaged = 0
        /// The number of loads that have failed.
        public private(set) var failed = 0
        /// The number of loads that were cancelled, or left early as they had enough.
        public private(set) var cancelled = 0
        /// The number of bytes received.
        public private(set) var bytes = 0
        /// The number of degraded images.
        public private(set) var previews = 0
        /// The times from the beginning to the first bytes, or to the first image.
        public private(set) var first = Timings()
        /// The durations of completed loads, from the beginning to the end.
        public private(set) var whole = Timings()

        /// The number of loads that are in the stage now.
        public var active: Int { begun - finished.values.reduce(0, +) - failed - cancelled }

        mutating func begin() {
            begun += 1
        }

        mutating func end(_ record: StageRecord) {
            bytes += record.received
            previews += record.previews
            if let moment = record.first { first.add(moment - record.began) }
            switch record.ending {
            case .finished, nil:
                finished[record.provenance ?? .data, default: 0] += 1
                if record.damage != nil { damaged += 1 }
                if let duration = record.duration { whole.add(duration) }
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            }
        }
    }

    private var stages = [Stage](repeating: Stage(), count: LoadStage.allCases.count)

    /// Creates metrics in which nothing has been counted.
    public init() {}

    /// The counts and times of a stage.
    ///
    /// - Parameter stage: The stage.
    public internal(set) subscript(stage: LoadStage) -> Stage {
        get { stages[stage.rawValue] }
        set { stages[stage.rawValue] = newValue }
    }

    /// The number of requests that joined a load under way, of images: where the pipeline counts them (``Source/coalesced(in:)``).
    public internal(set) var shared = 0

    public var description: String {
        let head = [
            "stage", "begun", "active", "done", "failed", "left", "bytes", "previews", "first", "half", "99 %",
            "longest",
        ]
        let rows = LoadStage.allCases.map { name -> [String] in
            let stage = self[name]
            return [
                name.name, "\(stage.begun)", "\(stage.active)", "\(stage.finished.values.reduce(0, +))",
                "\(stage.failed)",
                "\(stage.cancelled)", "\(stage.bytes)", "\(stage.previews)",
            ]
                + [stage.first.share(0.5), stage.whole.share(0.5), stage.whole.share(0.99), stage.whole.longest].map {
                    $0?.short ?? "-"
                }
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + rows).map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            .joined(separator: "  ")
        }
        let places = self[.request].finished.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.value) from \($0.key.rawValue)" }
        let others = [(shared, "shared a load"), (self[.request].damaged, "damaged")]
        let summary = (places + others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }).joined(separator: ", ")
        return (lines + (summary.isEmpty ? [] : [summary])).joined(separator: "\n")
    }
}

/// Durations, counted in steps of a fifth.
public struct Timings: Sendable {
    /// The number of durations.
    public private(set) var count = 0
    /// The sum of all durations.
    public private(set) var total = Duration.zero
    /// The longest duration; nil before the first.
    public private(set) var longest: Duration?
    private var counts = [Int](repeating: 0, count: Self.steps)

    /// Creates timings without any duration.
    public init() {}

    /// Adds a duration.
    ///
    /// - Parameter duration: The duration.
    public mutating func add(_ duration: Duration) {
        count += 1
        total += duration
        longest = max(longest ?? duration, duration)
        counts[Self.step(of: duration)] += 1
    }

    /// Returns the duration within which a share of all stayed, too large by a fifth at most; nil before the first.
    ///
    /// - Parameter share: The share, from 0 to 1: 0.5 for the median.
    public func share(_ share: Double) -> Duration? {
        guard let longest else { return nil }
        var left = max(1, Int((Double(count) * min(1, max(0, share))).rounded(.up)))
        for (step, number) in counts.enumerated() {
            left -= number
            // The last step has no end.
            if left <= 0 { return step == Self.steps - 1 ? longest : min(longest, Self.end(of: step)) }
        }
        return longest
    }

    /// Quarters of powers of two of a nanosecond, rounded up.
    private static func step(of duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        guard nanoseconds > 1 else { return 0 }
        let quarter = quarters.firstIndex { nanoseconds.significand <= $0 } ?? 4
        return min(steps - 1, Int(nanoseconds.exponent) * 4 + quarter)
    }

    /// A clock counts whole nanoseconds: a step's last one is its end.
    private static func end(of step: Int) -> Duration {
        .nanoseconds(Int64(quarters[step % 4] * Double(1 << (step / 4))))
    }

    /// The last one is for all that is longer than ten days.
    private static let steps = 200
    private static let quarters = [1, 1.189_207_115_002_721, 1.414_213_562_373_095, 1.681_792_830_507_429]
}
