import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Observes a stage that delivers bytes: for the pipeline's metrics, and for the trace of each request that has one.
    ///
    /// - Parameters:
    ///   - stage: The stage that ends here.
    ///   - metrics: The metrics to count in; nil for none.
    public func observed(as stage: LoadStage, in metrics: LoadMetrics? = nil) -> some Source<ImageRequest, DataEvent> {
        AnySource<ImageRequest, DataEvent> { [self] request in
            guard metrics != nil || request.trace != nil else { return events(for: request) }
            return StageRun.observe(stage, request, metrics, { events(for: $0) }) { event, record in
                switch event {
                case .response(let response):
                    record.provenance = response.provenance
                    record.expected = response.expectedLength
                    record.received = 0
                case .chunk(let bytes):
                    record.received += bytes.count
                    return true
                }
                return false
            }
        }
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Observes a stage that delivers images: for the pipeline's metrics, and for the trace of each request that has one.
    ///
    /// - Parameters:
    ///   - stage: The stage that ends here.
    ///   - metrics: The metrics to count in; nil for none.
    public func observed(as stage: LoadStage, in metrics: LoadMetrics? = nil) -> some Source<ImageRequest, ImageEvent> {
        AnySource<ImageRequest, ImageEvent> { [self] request in
            let isObserved = metrics != nil || request.trace != nil
            guard isObserved, stage != .request || !request.isWatching else { return events(for: request) }
            return StageRun.observe(stage, request, metrics, { events(for: $0) }) { event, record in
                switch event {
                case .progress(let progress):
                    record.received = progress.received
                    record.expected = progress.expected
                    return false
                case .degraded:
                    record.previews += 1
                case .final(let image, let provenance):
                    record.provenance = provenance
                    record.damage = image.damage
                    // Whoever has the image may cancel what is left: nothing.
                    record.ending = .finished
                }
                return true
            }
        }
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Shares one load between requests as ``coalesced()`` does, and counts those that join one (``Metrics/shared``).
    ///
    /// - Parameter metrics: The metrics to count in; nil for none.
    public func coalesced(in metrics: LoadMetrics?) -> some Source<ImageRequest, ImageEvent> {
        coalesced(didJoin: { metrics?.didShare() })
    }
}

/// One load in one stage while it is observed.
private final class StageRun: Sendable {
    private let record: Mutex<StageRecord>
    private let observers: [any StageObserver]

    private init(_ stage: LoadStage, _ observers: [any StageObserver]) {
        self.observers = observers
        let beginning = StageRecord(stage, began: observers.first?.now ?? .zero)
        record = Mutex(beginning)
        for observer in observers { observer.begin(beginning) }
    }

    /// Observes a load of the request.
    ///
    /// - Parameter note: Notes an event in the record, and returns whether it is one that is waited for.
    static func observe<Event>(
        _ stage: LoadStage, _ request: ImageRequest, _ metrics: LoadMetrics?,
        _ events: @escaping @Sendable (ImageRequest) -> AnyPublisher<Event, LoadError>,
        _ note: @escaping @Sendable (Event, inout StageRecord) -> Bool
    ) -> AnyPublisher<Event, LoadError> {
        Deferred {
            var request = request
            if stage == .request, request.trace == nil { request.trace = metrics?.trace(of: request) }
            let run = StageRun(stage, ([metrics, request.trace] as [(any StageObserver)?]).compactMap { $0 })
            return events(request).handleEvents(
                receiveOutput: { event in run.note { note(event, &$0) } },
                receiveCompletion: { completion in
                    if case .failure(let error) = completion { run.end(.failed(error)) } else { run.end(.finished) }
                }, receiveCancel: { run.end(.cancelled) })
        }
        .eraseToAnyPublisher()
    }

    private func note(_ body: (inout StageRecord) -> Bool) {
        let now = observers.first?.now ?? .zero
        let ended = record.withLock { record -> StageRecord? in
            guard record.ended == nil else { return nil }
            if body(&record), record.first == nil { record.first = now }
            guard record.ending != nil else { return nil }
            record.ended = now
            return record
        }
        if let ended { tell(ended) }
    }

    private func end(_ ending: StageRecord.Ending) {
        let now = observers.first?.now ?? .zero
        let ended = record.withLock { record -> StageRecord? in
            guard record.ended == nil else { return nil }
            record.ending = ending
            record.ended = now
            return record
        }
        if let ended { tell(ended) }
    }

    private func tell(_ ended: StageRecord) {
        for observer in observers { observer.end(ended) }
    }
}

extension Duration {
    /// The time since the program began to measure it.
    static var sinceStart: Duration { processStart.duration(to: .now) }

    private static let processStart = ContinuousClock.now

    /// The duration as people write it: `0.04 ms`, `12.3 ms`, `4.56 s`.
    var short: String {
        let (seconds, attoseconds) = components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        func rounded(_ value: Double, to places: Double) -> String { "\((value * places).rounded() / places)" }
        return switch microseconds {
        case ..<1_000: rounded(microseconds / 1_000, to: 100) + " ms"
        case ..<1_000_000: rounded(microseconds / 1_000, to: 10) + " ms"
        default: rounded(microseconds / 1_000_000, to: 100) + " s"
        }
    }
}
