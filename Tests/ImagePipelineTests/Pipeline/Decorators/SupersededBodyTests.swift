import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Bodies on disk that a newer response takes the place of")
struct SupersededBodyTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let directory = TemporaryDirectory()
    private let threads = ThreadPoolScheduler(width: 1)
    private let disk: DiskCache

    init() {
        disk = DiskCache(directory: directory.path, limits: DiskCache.Limits(totalSize: 500_000))
    }

    /// How the second answer comes.
    enum Answer: Sendable, CaseIterable {
        /// Not to be kept, and whole; so too, and cancelled at its last byte; kept, and cut by who needs no more; without a tag, and cut so; gone. Whole and
        /// to be kept, but cancelled before that has been done; too large for the cache.
        case unstorable, unstorableUnended, cancelled, untagged, gone, unended, tooLarge

        var isCut: Bool { [.unstorableUnended, .cancelled, .untagged, .unended].contains(self) }
    }

    private func events(
        of body: [UInt8], _ fields: [HTTPField], ends: Bool, length: Int = 60_000
    ) -> AnyPublisher<DataEvent, LoadError> {
        let head = HTTPResponseHead(
            status: 200, headers: fields + [HTTPField("Content-Length", "\(length)")], contentLength: length,
            isDelimited: true)
        let mayBeKept = !fields.contains { $0.value == "no-store" }
        let response = DataResponse(
            provenance: .network, expectedLength: length, status: 200, head: head, isStorable: mayBeKept)
        let values: [DataEvent] = [.response(response), .chunk(body)]
        let sent = values.publisher.setFailureType(to: LoadError.self)
        return ends ? sent.eraseToAnyPublisher() : sent.append(Empty(completeImmediately: false)).eraseToAnyPublisher()
    }

    private func load(
        _ source: some Source<ImageRequest, DataEvent>, _ policy: CachePolicy, cuts: Bool = false
    ) throws {
        var request = ImageRequest("http://localhost/a.jpg")
        request.caching.disk = policy
        let load = Recorder()
        source.events(for: request).subscribe(load)
        if cuts {
            #expect(comesTrue { load.values.count == 2 })
            load.cancel()
        } else {
            try #require(load.waitForCompletion())
        }
        let isThrough = RecordingSubscriber<Int, Never>()
        Just(1).receive(on: threads).receive(on: threads).subscribe(isThrough)
        try #require(isThrough.waitForCompletion())
    }

    @Test(
        "Who has been shown something newer is not shown the old body afterwards, whole or its beginning",
        arguments: Answer.allCases, [true, false])
    func superseded(answer: Answer, isWhole: Bool) throws {
        let fresh = HTTPField("Cache-Control", "max-age=3600")
        let calls = Mutex(0)
        let upstream = AnySource<ImageRequest, DataEvent> { _ in
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                guard call == 2 else {
                    let body = BodyAnswer.body(call, 60_000)
                    let ends = isWhole || call > 2
                    return events(
                        of: ends ? body : Array(body.prefix(40_000)), [HTTPField("ETag", "\"1\""), fresh], ends: ends)
                }
                let body = Array(BodyAnswer.body(call, 60_000).prefix(40_000))
                switch answer {
                case .unstorable, .unstorableUnended:
                    return events(
                        of: BodyAnswer.body(call, 60_000),
                        [HTTPField("ETag", "\"2\""), HTTPField("Cache-Control", "no-store")],
                        ends: answer == .unstorable)
                case .cancelled: return events(of: body, [HTTPField("ETag", "\"2\""), fresh], ends: false)
                case .untagged: return events(of: body, [fresh], ends: false)
                case .unended:
                    return events(of: BodyAnswer.body(call, 60_000), [HTTPField("ETag", "\"2\""), fresh], ends: false)
                case .tooLarge:
                    return events(
                        of: BodyAnswer.body(call, 200_000), [HTTPField("ETag", "\"2\""), fresh], ends: true,
                        length: 200_000)
                case .gone: return Fail(error: .status(404)).eraseToAnyPublisher()
                }
            }.eraseToAnyPublisher()
        }
        let source = upstream.resumed(in: disk, on: threads).httpCached(in: disk, on: threads)
        try load(source, .useCache, cuts: !isWhole)
        try load(source, .reload, cuts: answer.isCut)
        let seen = Recorder()
        source.events(for: ImageRequest("http://localhost/a.jpg")).subscribe(seen)
        #expect(seen.waitForCompletion())
        // The old one may be gone on with only where nothing newer has been seen.
        let goesOn = answer == .gone && !isWhole
        let body = seen.values.reduce(into: [UInt8]()) { if case .chunk(let bytes) = $1 { $0 += bytes } }
        #expect(goesOn || body.prefix(40_000) != BodyAnswer.body(1, 60_000).prefix(40_000))
        #expect(calls.withLock { $0 } == 3)
    }
}
