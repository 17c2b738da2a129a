/// How many photos have their thumbnails, and which have not.
struct Tally: Sendable {
    /// Photos to make thumbnails of in this run.
    let wanted: Int
    /// Thumbnails that were there before.
    let existing: Int
    private(set) var made = 0
    private(set) var failures: [Failure]
    /// Failures of the survey, which are no part of `wanted`.
    private let unreadable: Int

    init(_ work: Survey) {
        self.init(wanted: work.photos.count, existing: work.existing, failures: work.failures)
    }

    init(wanted: Int, existing: Int, failures: [Failure] = []) {
        self.wanted = wanted
        self.existing = existing
        self.failures = failures
        unreadable = failures.count
    }

    var failed: Int { failures.count }

    /// Photos of this run that are done with.
    var done: Int { made + failed - unreadable }

    /// - Parameter outcome: what went wrong with one photo, or nothing.
    mutating func add(_ outcome: Failure?) {
        if let outcome { failures.append(outcome) } else { made += 1 }
    }

    var beginning: String {
        "\(wanted + existing) photos, \(existing) with a thumbnail already, \(wanted) to do"
    }

    func summary(after duration: Duration) -> String {
        let text = "\(made) made, \(existing) there already, \(failed) failed"
        return made > 0 ? "\(text), in \(duration.asClock), \(duration.rate(of: made))" : text
    }
}
