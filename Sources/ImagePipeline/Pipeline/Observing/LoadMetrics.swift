import Logging
import Streams
import Synchronization

/// The counts and times of a pipeline. Pass them to ``ImageLoader/standard(transport:retries:disk:storingImagesAs:placeholders:memory:limits:decoders:decodesAtOnce:metrics:)``, or to
/// `observed(as:in:)` in a pipeline of your own, and print their ``current`` state.
///
///     print(metrics.current)
///
/// With a logger, each request that ends is logged as a sentence (``LoadTrace``): failures and damaged pictures at `notice`, everything else at `debug`, with the name of what
/// was requested as metadata. At a higher level nothing is traced.
public final class LoadMetrics: Sendable {
    let logger: Logger?
    private let clock: @Sendable () -> Duration
    private let report: (@Sendable (StageRecord) -> Void)?
    private let state = Mutex(Metrics())

    /// Creates metrics in which nothing has been counted.
    ///
    /// - Parameters:
    ///   - logger: The logger of requests; nil for none.
    ///   - clock: The clock: a closure that returns the time since some moment. By default the system's.
    ///   - report: A closure for metrics of another system: it is called when a load has entered a stage, and again with its ``StageRecord/ending``
    ///     when it has left, on whatever thread that happens; nil for none.
    public init(
        logger: Logger? = nil, clock: (@Sendable () -> Duration)? = nil,
        report: (@Sendable (StageRecord) -> Void)? = nil
    ) {
        self.logger = logger
        self.clock = clock ?? { .sinceStart }
        self.report = report
    }

    /// The counts so far: a value that does not change.
    public var current: Metrics { state.withLock { $0 } }

    func didShare() {
        state.withLock { $0.shared += 1 }
    }

    /// A trace for a request that is logged when it ends; nil where it is not.
    func trace(of request: ImageRequest) -> LoadTrace? {
        guard let logger, logger.logLevel <= .notice else { return nil }
        return LoadTrace(clock: clock) { trace in
            var isNotable = trace[.request]?.damage != nil
            if case .failed = trace[.request]?.ending { isNotable = true }
            logger.log(
                level: isNotable ? .notice : .debug, "\(trace)",
                metadata: ["request": "\(request.logName)", "key": "\(request.imageKey)"])
        }
    }
}

extension LoadMetrics: StageObserver {
    var now: Duration { clock() }

    func begin(_ record: StageRecord) {
        state.withLock { $0[record.stage].begin() }
        report?(record)
    }

    func end(_ record: StageRecord) {
        state.withLock { $0[record.stage].end(record) }
        report?(record)
    }
}
