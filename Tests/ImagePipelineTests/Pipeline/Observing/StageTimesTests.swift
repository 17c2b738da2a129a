import ImagePipeline
import ImagePipelineTesting
import Logging
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Times of a stage, and what a logger gets of requests")
struct StageTimesTests {
    private let clock = VirtualTimeScheduler()

    private var time: @Sendable () -> Duration {
        { [clock] in .nanoseconds(Int64(clock.now.nanoseconds)) }
    }

    @Test("Times count from the beginning of their load, whenever that was")
    func fromTheBeginning() {
        let metrics = LoadMetrics(clock: time)
        let bytes = ScriptedSource<ImageRequest, DataEvent>()
        let source = bytes.observed(as: .transfer, in: metrics)
        for number in 0..<3 {
            clock.advance(by: .milliseconds(500))
            source.events(for: .numbered(number)).subscribe(RecordingSubscriber<DataEvent, LoadError>())
            let load = bytes.loads[number]
            clock.advance(by: .milliseconds(10))
            load.send(.response(DataResponse(provenance: .network)))
            load.send(.chunk([1]))
            clock.advance(by: .milliseconds(20))
            load.end()
        }
        let stage = metrics.current[.transfer]
        #expect(stage.first.count == 3 && stage.first.total == .milliseconds(30))
        #expect(stage.first.longest == .milliseconds(10))
        #expect(stage.whole.count == 3 && stage.whole.total == .milliseconds(90))
        #expect(stage.whole.longest == .milliseconds(30))
    }

    private struct Lines: LogHandler {
        let log: RecordedLog
        var metadata = Logger.Metadata()
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.append("\(event.level)") }
    }

    @Test("A logger of any level gets what is of its level or above", arguments: Logger.Level.allCases)
    func levels(level: Logger.Level) {
        let log = RecordedLog()
        let logger = Logger(label: "test") { _ in Lines(log: log, logLevel: level) }
        let bytes = ScriptedSource<ImageRequest, ImageEvent>()
        let source = bytes.observed(as: .request, in: LoadMetrics(logger: logger, clock: time))
        for number in 0..<2 {
            source.events(for: .numbered(number)).subscribe(RecordingSubscriber<ImageEvent, LoadError>())
        }
        bytes.loads[0].send(.final(picture(1), .network))
        bytes.loads[0].end()
        bytes.loads[1].end(.failure(.status(404)))
        #expect(log.lines == (level <= .debug ? ["debug", "notice"] : level <= .notice ? ["notice"] : []))
    }
}
