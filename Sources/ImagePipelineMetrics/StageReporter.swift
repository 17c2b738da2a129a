import CoreMetrics
import ImagePipeline
import Synchronization

/// The metrics of a pipeline's stages in a backend; made when they are first needed, and destroyed with it.
final class StageReporter: Sendable {
    private struct Name: Hashable {
        var label: String
        var stage: LoadStage
        var outcome: String?
        var source: String?

        var dimensions: [(String, String)] {
            [("stage", stage.name)] + (outcome.map { [("outcome", $0)] } ?? []) + (source.map { [("from", $0)] } ?? [])
        }
    }

    private struct Made {
        var counters: [Name: Counter] = [:]
        var meters: [Name: Meter] = [:]
        var timers: [Name: CoreMetrics.Timer] = [:]
    }

    private let label: String
    private let factory: any MetricsFactory
    private let made = Mutex(Made())

    init(_ label: String, _ factory: any MetricsFactory) {
        self.label = label
        self.factory = factory
    }

    deinit {
        let made = made.withLock { $0 }
        made.counters.values.forEach { $0.destroy() }
        made.meters.values.forEach { $0.destroy() }
        made.timers.values.forEach { $0.destroy() }
    }

    func report(_ record: StageRecord) {
        guard let ending = record.ending else { return active(record.stage).increment() }
        active(record.stage).decrement()
        let (outcome, source) = Self.words(for: ending, record.provenance)
        count(1, "loads", record.stage, outcome, source)
        count(record.damage == nil ? 0 : 1, "damaged", record.stage)
        count(record.received, "bytes", record.stage)
        count(record.previews, "previews", record.stage)
        if let first = record.first { time(first - record.began, "first", record.stage) }
        if case .finished = ending, let duration = record.duration { time(duration, "duration", record.stage, source) }
    }

    private static func words(
        for ending: StageRecord.Ending, _ provenance: Provenance?
    ) -> (outcome: String, source: String?) {
        switch ending {
        case .finished: ("finished", provenance?.rawValue)
        case .failed: ("failed", nil)
        case .cancelled: ("cancelled", nil)
        }
    }

    private func active(_ stage: LoadStage) -> Meter {
        let name = Name(label: "\(label)_active", stage: stage)
        return metric(name, \.meters) { Meter(label: name.label, dimensions: name.dimensions, factory: factory) }
    }

    private func count(
        _ number: Int, _ what: String, _ stage: LoadStage, _ outcome: String? = nil, _ source: String? = nil
    ) {
        guard number > 0 else { return }
        let name = Name(label: "\(label)_\(what)", stage: stage, outcome: outcome, source: source)
        metric(name, \.counters) { Counter(label: name.label, dimensions: name.dimensions, factory: factory) }
            .increment(by: number)
    }

    private func time(_ duration: Duration, _ what: String, _ stage: LoadStage, _ source: String? = nil) {
        let name = Name(label: "\(label)_\(what)", stage: stage, source: source)
        metric(name, \.timers) {
            CoreMetrics.Timer(label: name.label, dimensions: name.dimensions, factory: factory)
        }
        .recordNanoseconds(duration.wholeNanoseconds)
    }

    /// Two that ask at once may both have the backend make it: it has one for each label and its dimensions.
    private func metric<Metric: Sendable>(
        _ name: Name, _ place: WritableKeyPath<Made, [Name: Metric]> & Sendable, _ make: () -> Metric
    ) -> Metric {
        if let metric = made.withLock({ $0[keyPath: place][name] }) { return metric }
        let metric = make()
        return made.withLock { made in
            if let earlier = made[keyPath: place][name] { return earlier }
            made[keyPath: place][name] = metric
            return metric
        }
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
