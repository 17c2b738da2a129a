import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Answers to requests for the rest")
struct RangeAnswersTests {
    private static let total = 60_000

    private enum Manner: CaseIterable {
        case honours, ignores, refuses
    }

    /// A server of one resource, whose last answer to a load is cut behind so many bytes.
    private struct Server {
        var version = 0
        var manner = Manner.honours
        var cut: Int?
        /// The offsets of the requests; nil for the whole.
        var offsets: [Int?] = []

        private var tag: String { "\"\(version)\"" }

        mutating func answer(to request: ImageRequest) -> BodyAnswer {
            offsets.append(request.resumption?.offset)
            let whole = BodyAnswer.body(version, total)
            guard let rest = request.resumption, manner != .ignores else {
                let fields = [HTTPField("ETag", tag), HTTPField("Content-Length", "\(total)")]
                return sent(whole[...], BodyAnswer(headers: fields, length: total))
            }
            if manner == .refuses { return BodyAnswer(status: 416, headers: [], length: nil, body: [0], error: nil) }
            guard rest.entityTag == tag else {
                let fields = [HTTPField("ETag", tag), HTTPField("Content-Length", "\(total)")]
                return sent(whole[...], BodyAnswer(headers: fields, length: total))
            }
            let range = HTTPField("Content-Range", "bytes \(rest.offset)-\(total - 1)/\(total)")
            let answer = BodyAnswer(
                status: 206, headers: [HTTPField("ETag", tag), range], length: total - rest.offset)
            return sent(whole[rest.offset...], answer)
        }

        private func sent(_ body: ArraySlice<UInt8>, _ answer: BodyAnswer) -> BodyAnswer {
            var answer = answer
            answer.body = body.prefix(cut ?? body.count)
            answer.error = cut == nil ? nil : .transport(.connectionLost("cut"))
            return answer
        }
    }

    @Test("However a server answers, the body is the newest one, and what is asked for is what is missing of it")
    func answers() {
        let directory = TemporaryDirectory()
        // A machine that is busy must not make the disk look slow.
        let cache = DiskCache(directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)))
        let server = Mutex(Server())
        let source = AnySource<ImageRequest, DataEvent> { request in
            Deferred { server.withLock { $0.answer(to: request) }.events }.eraseToAnyPublisher()
        }
        .resumed(in: cache, on: ThreadPoolScheduler(width: 1))
        var random = SeededGenerator()
        // The beginning that is to be on the disk.
        var kept: (length: Int, version: Int)?
        var version = 0
        for round in 0..<300 {
            if Int.random(in: 0..<5, using: &random) == 0 { version += 1 }
            let manner = Manner.allCases[Int.random(in: 0..<3, using: &random)]
            let known = kept?.version == version ? kept?.length ?? 0 : 0
            let start = manner == .honours ? known : 0
            // A whole body that is asked for in place of the rest comes whole.
            let isRefused = manner == .refuses && kept != nil
            let isCut = !isRefused && Self.total - start > 1 && Int.random(in: 0..<4, using: &random) > 0
            let cut = isCut ? Int.random(in: 1..<Self.total - start, using: &random) : nil
            server.withLock { ($0.version, $0.manner, $0.cut, $0.offsets) = (version, manner, cut, []) }

            let recorder = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest("https://example.com/a")).subscribe(recorder)
            #expect(recorder.waitForCompletion())

            let comment = Comment("round \(round), seed \(random.seed)")
            #expect(server.withLock { $0.offsets } == [kept?.length] + (isRefused ? [nil] : []), comment)
            let bytes = recorder.values.reduce(into: [UInt8]()) { body, event in
                switch event {
                case .response: body = []
                case .chunk(let bytes): body += bytes
                }
            }
            let end = cut.map { start + $0 }
            #expect(bytes == Array(BodyAnswer.body(version, Self.total).prefix(end ?? Self.total)), comment)
            #expect(recorder.isFinished == (cut == nil), comment)
            if let end {
                // A beginning that is longer stays.
                kept = (max(end, known), version)
            } else {
                kept = nil
            }
        }
    }

    @Test("A rest that is brought once more is that of the body, which begins anew")
    func twice() {
        let directory = TemporaryDirectory()
        let cache = DiskCache(directory: directory.path, terms: StoreTerms(timeLimit: .seconds(3_600)))
        let requests = Counter()
        let source = AnySource<ImageRequest, DataEvent> { _ in
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                requests.add()
                if requests.value == 1 { return BodyAnswer().events }
                var part = BodyAnswer.rest()
                part.body = part.body.prefix(10_000)
                return part.events.append(BodyAnswer.rest().events).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
        .resumed(in: cache, on: ThreadPoolScheduler(width: 1))
        for isWhole in [false, true] {
            let recorder = RecordingSubscriber<DataEvent, LoadError>()
            source.events(for: ImageRequest("https://example.com/a")).subscribe(recorder)
            #expect(recorder.waitForCompletion() && recorder.isFinished == isWhole)
            let bytes = recorder.values.reduce(into: [UInt8]()) { body, event in
                switch event {
                case .response: body = []
                case .chunk(let bytes): body += bytes
                }
            }
            #expect(bytes == Array(BodyAnswer.body(0, 60_000).prefix(isWhole ? 60_000 : 40_000)))
        }
        #expect(requests.value == 2)
    }
}
