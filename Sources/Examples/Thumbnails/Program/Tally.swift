import Figures

/// The outcome for a photo.
enum ThumbnailOutcome: Sendable {
    /// It has its thumbnail, though it may be damaged.
    case made(damage: Failure?)
    case failed(Failure)
}

/// How many photos have their thumbnails, and which have not.
struct Tally: Sendable {
    /// Photos to make thumbnails of in this run.
    let wanted: Int
    /// Thumbnails that were there before.
    let existing: Int
    private(set) var made = 0
    private(set) var failures: [Failure]
    /// Photos that have thumbnails in spite of this.
    private(set) var damages: [Failure] = []
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

    mutating func add(_ outcome: ThumbnailOutcome) {
        switch outcome {
        case .made(let damage):
            made += 1
            if let damage { damages.append(damage) }
        case .failed(let failure): failures.append(failure)
        }
    }

    var figures: Figures {
        var figures = Figures()
        figures.add(
            Figure("photos", wanted + existing),
            Figure("thumbnails there already", existing),
            Figure("thumbnails made", made),
            Figure("of damaged photos", damages.count),
            Figure("failed", failed, "", .exactly(0)))
        return figures
    }

    var beginning: String {
        "\(wanted + existing) photos, \(existing) with a thumbnail already, \(wanted) to do"
    }

    func summary(after duration: Duration) -> String {
        let damaged = damages.isEmpty ? "" : " (\(damages.count) of damaged photos)"
        let text = "\(made) made\(damaged), \(existing) there already, \(failed) failed"
        return made > 0 ? "\(text), in \(duration.asClock), \(duration.rate(of: made))" : text
    }
}
