import ImagePipeline
import ImagePipelineTesting
import Logging
import LoopbackServer
import PhotoGenerator
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Metrics and traces")
struct ObservingTests {
    typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>
    typealias Bytes = ScriptedSource<ImageRequest, DataEvent>

    private let clock = VirtualTimeScheduler()
    private let bytes = Bytes()
    private let file: [UInt8]

    init() throws {
        let photo = try #require(PhotoGenerator(seed: 7).image(PixelSize(width: 320, height: 240)))
        file = try photo.encoded(as: .jpeg(quality: 85, progressive: true))
    }

    private var time: @Sendable () -> Duration {
        { [clock] in .nanoseconds(Int64(clock.now.nanoseconds)) }
    }

    private func pipeline(_ metrics: LoadMetrics?) -> some Source<ImageRequest, ImageEvent> {
        bytes.observed(as: .transfer, in: metrics).observed(as: .bytes, in: metrics)
            .decoded(on: ImmediateScheduler()).observed(as: .decoding, in: metrics)
            .coalesced(in: metrics).cached(in: MemoryCache(costLimit: 1 << 20)).observed(as: .request, in: metrics)
    }

    private func traced(_ number: Int) -> (ImageRequest, LoadTrace) {
        var request = ImageRequest.numbered(number)
        let trace = LoadTrace(clock: time)
        request.trace = trace
        return (request, trace)
    }

    /// A body in two halves, 10 ms and 30 ms after now.
    private func send(_ load: Bytes.Load) {
        clock.advance(by: .milliseconds(10))
        load.send(.response(DataResponse(provenance: .network, expectedLength: file.count)))
        load.send(.chunk(Array(file.prefix(file.count / 2))))
        clock.advance(by: .milliseconds(20))
        load.send(.chunk(Array(file.dropFirst(file.count / 2))))
        load.end()
    }

    @Test("A handle is one request, whoever watches it", arguments: 0...2)
    func handle(watchers: Int) throws {
        let metrics = LoadMetrics(clock: time)
        let ends = CurrentValueSubject<Int, Never>(0)
        let trace = LoadTrace(clock: time, whenOver: { _ in ends.value += 1 })
        var request = ImageRequest.numbered(1)
        request.trace = trace
        let handle = pipeline(metrics).load(request)
        let recorders = (0..<watchers).map { _ in Recorder() }
        for recorder in recorders { handle.events.subscribe(recorder) }
        send(try #require(bytes.loads.first))
        for recorder in recorders { #expect(recorder.values.last?.finalValue != nil) }
        #expect("\(trace)".hasPrefix("final image from network after 30"))
        #expect(ends.value == 1)
        let stage = metrics.current[.request]
        #expect(stage.begun == 1 && stage.cancelled == 0 && stage.finished == [.network: 1])
        withExtendedLifetime(handle) {}
    }

    @Test("A trace tells the way of a request as a sentence: from the network, from memory, shared")
    func sentences() throws {
        let pipeline = pipeline(nil)
        let (request, trace) = traced(1)
        #expect("\(trace)" == "not begun")
        let recorder = Recorder()
        pipeline.events(for: request).subscribe(recorder)
        #expect("\(trace)" == "under way: served neither from memory nor from disk; waits for bytes")
        let (second, shared) = traced(1)
        pipeline.events(for: second).subscribe(Recorder())
        send(try #require(bytes.loads.first))
        let previews = recorder.values.count { if case .degraded = $0 { true } else { false } }
        #expect(previews > 0)
        let word = previews == 1 ? "preview" : "previews"
        #expect(
            "\(trace)" == """
                final image from network after 30.0 ms: served neither from memory nor from disk; \(file.count) bytes, the first after 10.0 ms, \
                the last after 30.0 ms; \(previews) \(word), the first after 10.0 ms, decoded 0.0 ms behind the last byte
                """)
        #expect("\(shared)".hasPrefix("final image from network after 30.0 ms: shared a load that was under way"))
        let (third, memory) = traced(1)
        pipeline.events(for: third).subscribe(Recorder())
        #expect("\(memory)" == "final image from memory after 0.0 ms")
    }

    @Test("A trace says no more than is known of an image that was not decoded for it")
    func undecoded() {
        for (provenance, words) in [
            (Provenance.disk, "final image from disk after 0.0 ms: not from memory"),
            (.memory, "final image from memory after 0.0 ms"),
            (.preview, "a preview, good enough, after 0.0 ms"),
            (.network, "final image from network after 0.0 ms: shared a load that was under way"),
        ] {
            let (request, trace) = traced(1)
            let source = AnySource<ImageRequest, ImageEvent> { _ in
                Just(.final(picture(1), provenance)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }
            source.observed(as: .request).events(for: request).subscribe(Recorder())
            #expect("\(trace)" == words)
        }
    }

    @Test(
        "A trace says whether the server could be asked about what is on disk", arguments: [true, false])
    func fromDisk(answers: Bool) throws {
        let disk = AnySource<ImageRequest, DataEvent> { [file, bytes] request in
            let stored: [DataEvent] = [
                .response(DataResponse(provenance: .disk, expectedLength: file.count)), .chunk(file),
            ]
            let found = stored.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
            return bytes.observed(as: .transfer).events(for: request).filter { _ in false }
                .append(found).catch { _ in found }.eraseToAnyPublisher()
        }
        let source = disk.observed(as: .bytes).decoded(on: ImmediateScheduler()).observed(as: .decoding)
            .observed(as: .request)
        let (request, trace) = traced(1)
        source.events(for: request).subscribe(Recorder())
        clock.advance(by: .milliseconds(5))
        bytes.loads[0].end(answers ? .finished : .failure(.status(503)))
        let words = answers ? " as the server has it" : ", and the server could not be asked"
        let beginning = "final image from disk after 5.0 ms: not from memory, on disk\(words); "
        #expect("\(trace)".hasPrefix(beginning), "\(trace)")
        #expect(trace[.decoding]?.expected == file.count && trace[.decoding]?.received == file.count)
    }

    @Test("A trace tells of failures and cancels, and how far they came")
    func failures() throws {
        let pipeline = pipeline(nil)
        let (request, trace) = traced(1)
        pipeline.events(for: request).subscribe(Recorder())
        clock.advance(by: .milliseconds(1_500))
        bytes.loads[0].end(.failure(.status(503)))
        #expect(
            "\(trace)" == """
                failed after 1.5 s (the server answered with status 503): served neither from memory nor from disk; no bytes, waited 1.5 s for them
                """)
        let (second, cancelled) = traced(2)
        let recorder = Recorder()
        pipeline.events(for: second).subscribe(recorder)
        bytes.loads[1].send(.response(DataResponse(provenance: .network, expectedLength: 1_000)))
        clock.advance(by: .milliseconds(5))
        bytes.loads[1].send(.chunk(Array(file.prefix(100))))
        recorder.cancel()
        #expect(
            "\(cancelled)" == """
                cancelled after 5.0 ms: served neither from memory nor from disk; 100 of 1000 bytes, the first after 5.0 ms, the last after 5.0 ms
                """)
    }

    @Test("Metrics count every stage, and nothing stays active")
    func metrics() throws {
        let metrics = LoadMetrics(clock: time)
        let pipeline = pipeline(metrics)
        let recorders = (0..<3).map { _ in Recorder() }
        for recorder in recorders { pipeline.events(for: .numbered(1)).subscribe(recorder) }
        #expect(metrics.current[.request].active == 3 && metrics.current[.decoding].active == 1)
        recorders[2].cancel()
        send(try #require(bytes.loads.first))
        pipeline.events(for: .numbered(1)).subscribe(Recorder())
        // One in memory that leaves before it has asked for anything has joined nothing.
        let early = Recorder(initialDemand: .none)
        pipeline.events(for: .numbered(1)).subscribe(early)
        early.cancel()
        pipeline.events(for: .numbered(2)).subscribe(Recorder())
        bytes.loads[1].end(.failure(.notCached))
        let current = metrics.current
        #expect(current[.request].begun == 6 && current[.request].failed == 1 && current[.request].cancelled == 2)
        #expect(current[.request].finished == [.network: 2, .memory: 1])
        #expect(current[.decoding].finished == [.network: 1] && current[.decoding].failed == 1)
        #expect(current[.transfer].bytes == file.count && current[.bytes].bytes == file.count)
        #expect(current.shared == 2)
        #expect(LoadStage.allCases.allSatisfy { current[$0].active == 0 })
        #expect(current[.transfer].whole.longest == .milliseconds(30))
        #expect(current[.transfer].first.share(0.5) == .milliseconds(10))
        let lines = "\(current)".split(separator: "\n")
        #expect(lines.count == 6)
        #expect(Set(lines.prefix(5).map(\.count)).count == 1, "the columns stand below one another")
        #expect(lines.last == "1 from memory, 2 from network, 2 shared a load")
    }

    @Test(
        "Shares of timings are too large by a fifth at most, and never beyond the longest",
        arguments: [Duration.nanoseconds(1), .microseconds(1)])
    func timings(unit: Duration) throws {
        try forAll("timings", Gen.int(in: 1...10_000_000).array(upTo: 50), cases: 300) { values in
            var timings = Timings()
            for value in values { timings.add(unit * value) }
            for share in [0.0, 0.5, 0.99, 1] {
                guard let found = timings.share(share) else {
                    guard values.isEmpty else { throw Disproof("no share") }
                    continue
                }
                let exact = unit * values.sorted()[max(0, Int((Double(values.count) * share).rounded(.up)) - 1)]
                guard found >= exact, found <= exact * 6 / 5 else {
                    throw Disproof("\(share): \(found) beside \(exact)")
                }
            }
        }
    }

    @Test("Timings count durations of any length", arguments: [0, 1, 6, 7, 10, 30, 40_000])
    func longTimings(days: Int) {
        var timings = Timings()
        let duration = Duration.seconds(days * 86_400)
        timings.add(duration)
        #expect(timings.count == 1 && timings.longest == duration && timings.total == duration)
        #expect(timings.share(0.5) == duration)
    }

    private struct Lines: LogHandler {
        final class Written: Sendable {
            let lines = Mutex<[String]>([])
        }

        let written: Written
        var metadata = Logger.Metadata()
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            written.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata?["request"] ?? "")") }
        }
    }

    @Test(
        "A logger gets a sentence for each request, with its name and without what may be secret",
        // The second query begins with a mark that combines with the question mark before it.
        arguments: ["?token=secret#x", "?\u{301}token=secret"])
    func logged(query: String) {
        let written = Lines.Written()
        let logger = Logger(label: "test") { _ in Lines(written: written, logLevel: .debug) }
        let pipeline = pipeline(LoadMetrics(logger: logger, clock: time))
        pipeline.events(for: ImageRequest("https://me:secret@example.com/a.jpg\(query)")).subscribe(Recorder())
        bytes.loads[0].end(.failure(.status(404)))
        var named = ImageRequest("https://example.com/b.jpg?token=secret")
        named.identity = "b"
        let recorder = Recorder()
        pipeline.events(for: named).subscribe(recorder)
        recorder.cancel()
        let lines = written.lines.withLock { $0 }
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("notice failed after 0.0 ms (the server answered with status 404)") == true)
        #expect(lines.first?.hasSuffix(" https://example.com/a.jpg") == true)
        #expect(lines.last?.hasPrefix("debug cancelled after 0.0 ms") == true)
        #expect(lines.last?.hasSuffix(" b") == true)
        #expect(!lines.joined().contains("secret"))
    }

    @Test("The standard pipeline is observed as a whole: cold, from memory, from disk")
    func standard() throws {
        let gallery = try Gallery()
        gallery.server.route(
            "/a.jpg", .resource(gallery.photo, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        let metrics = LoadMetrics()
        for provenance in [Provenance.network, .memory] {
            #expect(
                gallery.load(gallery.request("/a.jpg"), from: gallery.observed(metrics)).provenance != nil,
                "\(provenance)")
        }
        let pipeline = gallery.observed(metrics)
        for _ in 0..<2 { _ = gallery.load(gallery.request("/a.jpg"), from: pipeline) }
        let current = metrics.current
        #expect(current[.request].finished == [.network: 1, .disk: 2, .memory: 1])
        #expect(current[.transfer].begun == 1 && current[.bytes].begun == 3)
        #expect(LoadStage.allCases.allSatisfy { current[$0].active == 0 })
    }
}

extension Gallery {
    func observed(_ metrics: LoadMetrics) -> ImageLoader {
        .standard(
            transport: CurlTransport.patient(), disk: DiskCache(directory: directory.path), metrics: metrics)
    }
}
