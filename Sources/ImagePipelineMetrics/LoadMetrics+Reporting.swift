import CoreMetrics
import ImagePipeline
import Logging

extension LoadMetrics {
    /// Creates metrics that go to a backend of swift-metrics as well.
    ///
    ///     let pipeline = ImageLoader.standard(metrics: LoadMetrics(reportingAs: "images"))
    ///
    /// | label | kind | dimensions |
    /// |---|---|---|
    /// | `images_loads` | counter | `stage`; `outcome`: `finished`, `failed`, `cancelled`; `from`: `memory`, `network`, … where it finished |
    /// | `images_active` | meter: loads in the stage now | `stage` |
    /// | `images_damaged` | counter: of loads that finished, with damaged pictures | `stage` |
    /// | `images_bytes`, `images_previews` | counters | `stage` |
    /// | `images_first` | timer: to the first bytes or image | `stage` |
    /// | `images_duration` | timer: of loads that finished | `stage`, `from` |
    ///
    /// The stages are those of `LoadStage`.
    ///
    /// - Parameters:
    ///   - label: The beginning of each label.
    ///   - factory: The backend; nil for the one that the program has chosen by `MetricsSystem.bootstrap`.
    ///   - logger: The logger of requests; nil for none.
    ///   - clock: The clock: a closure that returns the time since some moment. By default the system's.
    public convenience init(
        reportingAs label: String, to factory: (any MetricsFactory)? = nil, logger: Logger? = nil,
        clock: (@Sendable () -> Duration)? = nil
    ) {
        let reporter = StageReporter(label, factory ?? MetricsSystem.factory)
        self.init(logger: logger, clock: clock) { reporter.report($0) }
    }
}
