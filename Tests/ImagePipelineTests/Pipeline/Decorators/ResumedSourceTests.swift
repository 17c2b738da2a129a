import Files
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Bodies that are cut are continued")
struct ResumedSourceTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let server: LoopbackServer
    private let directory = TemporaryDirectory()
    private let threads = ThreadPoolScheduler(width: 1)

    init() throws {
        server = try LoopbackServer()
    }

    private var cache: DiskCache { DiskCache(directory: directory.path) }

    private func start(_ source: some Source<ImageRequest, DataEvent>, _ path: String = "/a.jpg") -> Recorder {
        let recorder = Recorder()
        source.resumed(in: cache, on: threads).events(for: ImageRequest(server.url(path))).subscribe(recorder)
        return recorder
    }

    private func load(_ source: some Source<ImageRequest, DataEvent>, _ path: String = "/a.jpg") -> Recorder {
        let recorder = start(source, path)
        #expect(recorder.waitForCompletion())
        #expect(recorder.violations.isEmpty)
        return recorder
    }

    /// The bytes behind the last response.
    private func body(_ recorder: Recorder) -> [UInt8] {
        recorder.values.reduce(into: []) { body, event in
            switch event {
            case .response: body = []
            case .chunk(let bytes): body += bytes
            }
        }
    }

    @Test(
        "A body that is cut at up to ten places comes whole, and no byte of it comes twice, also where it changes meanwhile"
    )
    func cuts() throws {
        var generator = SeededGenerator()
        let source = HTTPSource(CurlTransport(.patient))
        for round in 0..<200 {
            let count = Int.random(in: 40_000...120_000, using: &generator)
            let cuts = (0..<Int.random(in: 1...10, using: &generator)).map { _ in
                Int.random(in: 0..<count, using: &generator)
            }
            let changesAt = Bool.random(using: &generator) ? Int.random(in: 0...cuts.count, using: &generator) : nil
            let bodies = [BodyAnswer.body(round, count), BodyAnswer.body(round + 1, count)]
            let path = "/\(round).jpg"
            var attempt = 0
            var result = Recorder()
            var version = 0
            repeat {
                if attempt == changesAt { version += 1 }
                let reply = Reply.resource(bodies[version], entityTag: "\"\(round).\(version)\"")
                server.route(path, attempt < cuts.count ? reply.failing(.close(.body(cuts[attempt]))) : reply)
                result = load(source, path)
                attempt += 1
            } while !result.isFinished && attempt <= cuts.count + 1
            #expect(result.isFinished, "round \(round), seed \(generator.seed)")
            #expect(body(result) == bodies[version], "round \(round), seed \(generator.seed)")
            // The last piece may be here before the server has noted that it is sent.
            try server.log.wait(
                for: attempt > cuts.count ? .ended(path, .complete) : .ended(path, .fault, atLeast: attempt))
            expectNoWaste(server.log.requests(for: path), count, "round \(round), seed \(generator.seed)")
        }
        #expect(directory.names.isEmpty)
    }

    /// Each request begins where the one before has ended, unless the resource has changed in between. What was in flight when the
    /// connection closed, a buffer of the transport's at most, may come again.
    private func expectNoWaste(_ requests: [LoggedRequest], _ count: Int, _ comment: Comment) {
        var have = 0
        for entry in requests {
            let range = entry.request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            let start = range ?? 0
            #expect(start <= have && have - start <= 16 << 10, comment)
            have = (entry.status == 206 ? start : 0) + entry.bodyBytesSent
        }
        #expect(have == count, comment)
    }

    @Test("The rest is asked for with the entity tag, and the response is that of the whole")
    func rest() {
        let (source, requests) = BodyAnswer.scripted { _ in .rest() }
        #expect(!load(source).isFinished)
        let second = load(source)
        #expect(second.isFinished)
        #expect(body(second) == BodyAnswer.body(0, 60_000))
        #expect(requests.value?.last?.resumption == HTTPResumption(offset: 40_000, entityTag: "\"1\""))
        guard case .response(let response)? = second.values.first else {
            Issue.record("no response")
            return
        }
        #expect(response.status == 200)
        #expect(response.expectedLength == 60_000)
        #expect(response.head?["content-length"] == ["60000"])
        #expect(response.head?["content-range"] == [])
        #expect(directory.names.isEmpty)
    }

    @Test(
        "What is not the rest is not used, and the body is loaded as a whole, once",
        arguments: [
            "bytes 39999-59999/60000", "bytes 40000-59999/60001", "bytes 40000-60000/60000", "bytes 40001-59999/60000",
            "bytes */60000", "bytes 40000-59999/*", "bytes 40000-39999/60000", "40000-59999/60000", "bytes 40000-59999",
            "", "pages 40000-59999/60000",
        ])
    func wrongRange(range: String) {
        let (source, requests) = BodyAnswer.scripted { $0.resumption == nil ? .whole : .rest(range) }
        _ = load(source)
        let second = load(source)
        #expect(second.isFinished)
        #expect(body(second) == BodyAnswer.body(0, 60_000))
        #expect(requests.value?.count == 3)
        #expect(directory.names.isEmpty)
    }

    @Test("Neither is the rest of another response, nor a range that the server does not have")
    func wrongResponse() {
        let wrong = [
            BodyAnswer.rest().with("ETag", "\"2\""), BodyAnswer.rest().with("ETag", "W/\"1\""),
            BodyAnswer.rest().with("ETag", nil),
            BodyAnswer.rest("bytes */40000", status: 416, count: 9),
        ]
        for answer in wrong {
            let (source, requests) = BodyAnswer.scripted { $0.resumption == nil ? .whole : answer }
            _ = load(source)
            let second = load(source)
            #expect(second.isFinished && body(second) == BodyAnswer.body(0, 60_000))
            #expect(requests.value?.count == 3)
        }
    }

    @Test("A rest that is too short or too long fails, and what has come of a short one is kept")
    func wrongLength() {
        let (short, requests) = BodyAnswer.scripted { request in
            request.resumption?.offset == 40_000 ? .rest("bytes 40000-49999/60000", count: 10_000) : .whole
        }
        _ = load(short)
        let second = load(short)
        guard case .failure(.transport(.truncated(received: 50_000)))? = second.completion else {
            Issue.record("\(String(describing: second.completion))")
            return
        }
        _ = load(short)
        #expect(requests.value?.last?.resumption?.offset == 50_000)
        let (long, longRequests) = BodyAnswer.scripted { request in
            var rest = BodyAnswer.rest(count: 20_001)
            // Chunks, which announce nothing.
            rest.length = nil
            return request.resumption == nil ? .whole : rest
        }
        _ = load(long)
        guard case .failure(.transport(.protocolViolation))? = load(long).completion else {
            Issue.record("more than all is an error")
            return
        }
        #expect(directory.names.isEmpty, "and is not continued, or each load would end with it")
        #expect(load(long).isFinished)
        #expect(longRequests.value?.last?.resumption == nil)
        // One that announces its length is none.
        let (announced, _) = BodyAnswer.scripted { $0.resumption == nil ? .whole : .rest(count: 20_001) }
        _ = load(announced)
        #expect(body(load(announced)) == BodyAnswer.body(0, 60_000))
    }

    @Test("Without a strong entity tag or a length, compressed, not for caches, or small, nothing is kept")
    func notContinued() {
        var encoded = BodyAnswer()
        encoded.length = nil
        var small = BodyAnswer().with("Content-Length", "30000")
        (small.length, small.body) = (30_000, small.body[..<20_000])
        let answers = [
            BodyAnswer().with("ETag", nil), BodyAnswer().with("ETag", "W/\"1\""), BodyAnswer().with("ETag", "1"),
            encoded, small,
            BodyAnswer().with("Cache-Control", "no-store"), BodyAnswer().with("Vary", "*"),
        ]
        for answer in answers {
            _ = load(BodyAnswer.scripted(answer) { _ in .whole }.0)
            #expect(directory.names.isEmpty, "\(answer.headers)")
        }
    }

    @Test("What a cancelled load has received is kept, and what has been of no use is not")
    func cancelled() throws {
        server.route(
            "/a.jpg", Reply.resource(BodyAnswer.body(0, 60_000), entityTag: "\"1\"").failing(.stall(.body(50_000))))
        for discards in [false, true] {
            let load = start(HTTPSource(CurlTransport(.patient)))
            while body(load).count < (discards ? 1 : 50_000), load.completion == nil {
                _ = load.waitForCompletion(seconds: 0)
            }
            load.cancel()
            if discards, case .response(let response)? = load.values.first {
                let isKept = RecordingSubscriber<Bool, Never>()
                response.discard?().subscribe(isKept)
                #expect(isKept.waitForCompletion())
                // A new load may bring another body: this one began with an earlier one's.
                #expect(isKept.values == [true])
            }
            // The last signal may go on for a moment on the thread that delivers it.
            while !discards, directory.names.isEmpty { sched_yield() }
            // The one thread is through with what was left to it.
            let isThrough = RecordingSubscriber<Int, Never>()
            Just(1).receive(on: threads).subscribe(isThrough)
            #expect(isThrough.waitForCompletion())
            #expect(directory.names.isEmpty == discards)
        }
    }

    @Test("The standard loader continues a body when it retries")
    func standard() throws {
        let photo = try Pictures.textured(400, 300).encoded(as: .png)
        try #require(photo.count > 64_000)
        let attempts = Noted<Int>()
        let reply = Reply.resource(photo, contentType: "image/png", entityTag: "\"1\"")
        server.route("/a.jpg") { _ in
            attempts.note((attempts.value ?? 0) + 1)
            return attempts.value == 1 ? reply.failing(.close(.body(50_000))) : reply
        }
        let loader = ImageLoader.standard(
            transport: CurlTransport(.patient), retries: .every(.milliseconds(1), times: 1), disk: cache)
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        loader.events(for: ImageRequest(server.url("/a.jpg"))).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        #expect(recorder.isFinished)
        #expect(recorder.values.last?.finalValue?.bytes == (try Pictures.textured(400, 300)).bytes)
        #expect(server.log.requests.map(\.bodyBytesSent).reduce(0, +) == photo.count)
        #expect(server.log.requests.last?.request.header("Range") == "bytes=50000-")
    }

    /// Loads a body with a policy, of which the source's answer is the next one.
    private func load(_ source: some Source<ImageRequest, DataEvent>, _ policy: CachePolicy) -> Recorder {
        var request = ImageRequest(server.url("/a.jpg"))
        request.caching.disk = policy
        let recorder = Recorder()
        source.resumed(in: cache, on: threads).events(for: request).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        return recorder
    }

    @Test(
        "Who loads anew takes nothing of a body from the disk, also where its tag is the same",
        arguments: [CachePolicy.noStore, .reload])
    func loadsAnew(policy: CachePolicy) {
        // Whole, and cut before the place up to which there are bytes of an earlier one.
        for count in [60_000, 35_000] {
            cache.removeAll()
            let other = BodyAnswer(
                body: BodyAnswer.body(7, 60_000)[..<count], error: count < 60_000 ? BodyAnswer().error : nil)
            let (source, requests) = BodyAnswer.scripted { $0.resumption == nil ? other : .rest() }
            _ = load(source)
            #expect(body(load(source, policy)) == Array(other.body))
            #expect(requests.value?.last?.resumption == nil && requests.value?.count == 2)
            _ = load(source)
            let isGone = policy == .reload && count == 60_000
            let offset = policy == .noStore ? 40_000 : isGone ? nil : 35_000
            #expect(requests.value?[2].resumption?.offset == offset)
        }
    }

    @Test("Nothing is kept of a body that is to be kept until a moment; what others have left is continued")
    func expiring() {
        let policy = CachePolicy.expires(at: cache.wallClock + .seconds(60))
        #expect(body(load(BodyAnswer.scripted { _ in .whole }.0, policy)).count == 40_000)
        #expect(directory.names.isEmpty)
        let (source, requests) = BodyAnswer.scripted { _ in .rest() }
        _ = load(source)
        #expect(body(load(source, policy)) == BodyAnswer.body(0, 60_000))
        #expect(requests.value?.last?.resumption?.offset == 40_000)
    }
}
