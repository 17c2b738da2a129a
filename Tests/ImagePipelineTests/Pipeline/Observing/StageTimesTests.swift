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

    @Test(
        "A trace says a time with the digits that it has, and no more than three",
        arguments: [
            (Duration.microseconds(40), "0.04 ms"), (.microseconds(994), "0.99 ms"), (.microseconds(12_340), "12.3 ms"),
            (.microseconds(999_900), "999.9 ms"), (.milliseconds(4_564), "4.56 s"), (.seconds(75), "75.0 s"),
        ])
    func words(time: Duration, words: String) {
        let images = ScriptedSource<ImageRequest, ImageEvent>()
        var request = ImageRequest.numbered(1)
        let trace = LoadTrace(clock: self.time)
        request.trace = trace
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        images.observed(as: .request).events(for: request).subscribe(recorder)
        clock.advance(by: .nanoseconds(Int(time / .nanoseconds(1))))
        images.loads[0].send(.final(picture(1), .memory))
        images.loads[0].end()
        #expect("\(trace)" == "final image from memory after \(words)")
    }

    @Test("A load that is cancelled when its image is there has ended well, at the time at which that came")
    func cancelledAfterwards() {
        let metrics = LoadMetrics(clock: time)
        let images = ScriptedSource<ImageRequest, ImageEvent>()
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        images.observed(as: .request, in: metrics).events(for: .numbered(1)).subscribe(recorder)
        clock.advance(by: .milliseconds(10))
        images.loads[0].send(.final(picture(1), .network))
        clock.advance(by: .milliseconds(20))
        recorder.cancel()
        let stage = metrics.current[.request]
        #expect(stage.finished == [.network: 1] && stage.cancelled == 0 && stage.active == 0)
        #expect(stage.whole.longest == .milliseconds(10))
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
