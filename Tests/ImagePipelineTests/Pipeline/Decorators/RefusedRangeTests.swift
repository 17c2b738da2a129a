import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Ranges that a server refuses")
struct RefusedRangeTests {
    private let directory = TemporaryDirectory()
    private let body = [UInt8](repeating: 7, count: 60_000)

    /// Answers a request for the whole, or fails with a status one for the rest, and notes which of both it was.
    private func server(
        refusing status: Int, cut: Int? = nil, _ ranges: Noted<[Bool]>
    ) -> some Source<ImageRequest, DataEvent> {
        server(failing: .status(status), cut: cut, ranges)
    }

    /// Does the same with any error.
    private func server(
        failing error: LoadError, cut: Int? = nil, _ ranges: Noted<[Bool]>
    ) -> some Source<ImageRequest, DataEvent> {
        AnySource<ImageRequest, DataEvent> { [body] request in
            let isRange = request.resumption != nil
            ranges.note((ranges.value ?? []) + [isRange])
            if isRange { return Fail(error: error).eraseToAnyPublisher() }
            let fields = [HTTPField("ETag", "\"1\""), HTTPField("Content-Length", "\(body.count)")]
            let head = HTTPResponseHead(status: 200, headers: fields, contentLength: body.count, isDelimited: true)
            let response = DataResponse(
                provenance: .network, expectedLength: body.count, status: 200, head: head)
            let events: [DataEvent] = [.response(response), .chunk(Array(body[..<(cut ?? body.count)]))]
            let delivered = events.publisher.setFailureType(to: LoadError.self)
            guard cut != nil else { return delivered.eraseToAnyPublisher() }
            return delivered.append(Fail(error: .transport(.connectionLost("cut")))).eraseToAnyPublisher()
        }
    }

    private func load(_ source: some Source<ImageRequest, DataEvent>) -> Bool {
        load(resumed: source.resumed(in: DiskCache(directory: directory.path), on: ThreadPoolScheduler(width: 1)))
    }

    private func load(resumed source: some Source<ImageRequest, DataEvent>) -> Bool {
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: ImageRequest("https://example.com/a")).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        return recorder.isFinished
    }

    @Test(
        "The whole is asked for, at once or, where the resource is gone, the next time",
        arguments: [
            (304, true), (400, true), (401, true), (403, true), (405, true), (412, true), (414, true), (417, true),
            (431, true), (501, true), (404, false), (410, false),
        ])
    func refused(status: Int, isAskedAtOnce: Bool) {
        let ranges = Noted<[Bool]>()
        #expect(!load(server(refusing: status, cut: 40_000, ranges)))
        #expect(!directory.names.isEmpty)
        #expect(load(server(refusing: status, ranges)) == isAskedAtOnce)
        #expect(ranges.value == (isAskedAtOnce ? [false, true, false] : [false, true]))
        #expect(directory.names.isEmpty)
        #expect(load(server(refusing: status, ranges)))
    }

    @Test("A status that may pass leaves what there is for the next time")
    func passing() {
        let ranges = Noted<[Bool]>()
        _ = load(server(refusing: 503, cut: 40_000, ranges))
        #expect(!load(server(refusing: 503, ranges)))
        #expect(!directory.names.isEmpty)
        #expect(!load(server(refusing: 503, ranges)))
        #expect(ranges.value == [false, true, true])
    }

    @Test("Of a server that fails at ranges the whole is asked for the third time", arguments: [500, 502, 503, 599])
    func failing(status: Int) {
        let ranges = Noted<[Bool]>()
        #expect(!load(server(refusing: status, cut: 40_000, ranges)))
        let source = server(refusing: status, ranges)
            .resumed(in: DiskCache(directory: directory.path), on: ThreadPoolScheduler(width: 1))
        #expect([load(resumed: source), load(resumed: source), load(resumed: source)] == [false, false, true])
        #expect(ranges.value == [false, true, true, false])
        #expect(directory.names.isEmpty)
    }

    @Test(
        "The whole is asked for the third time, too, where requests for the rest are refused for a while, lost or not answered",
        arguments: [
            LoadError.status(429), .busy(429, retryAfter: .seconds(1)), .transport(.connectionLost("reset")),
            .transport(.timedOut(.stall)), .transport(.truncated(received: 0)),
            .transport(.unsupportedEncoding("br")),
        ])
    func dropped(error: LoadError) {
        let ranges = Noted<[Bool]>()
        #expect(!load(server(failing: error, cut: 40_000, ranges)))
        let source = server(failing: error, ranges)
            .resumed(in: DiskCache(directory: directory.path), on: ThreadPoolScheduler(width: 1))
        #expect([load(resumed: source), load(resumed: source), load(resumed: source)] == [false, false, true])
        #expect(ranges.value == [false, true, true, false])
    }

    @Test("Where no server was reached the rest is asked for again, however often that fails")
    func unreached() {
        let ranges = Noted<[Bool]>()
        let error = LoadError.transport(.couldNotConnect("refused"))
        #expect(!load(server(failing: error, cut: 40_000, ranges)))
        let source = server(failing: error, ranges)
            .resumed(in: DiskCache(directory: directory.path), on: ThreadPoolScheduler(width: 1))
        for _ in 0..<5 { #expect(!load(resumed: source)) }
        #expect(ranges.value == [false, true, true, true, true, true])
    }

    @Test("A server that fails at everything costs nothing of what there is, and is asked for the rest again")
    func failingAtAll() {
        let ranges = Noted<[Bool]>()
        #expect(!load(server(refusing: 500, cut: 40_000, ranges)))
        ranges.note([])
        let failing = AnySource<ImageRequest, DataEvent> { request in
            ranges.note((ranges.value ?? []) + [request.resumption != nil])
            return Fail(error: .busy(503, retryAfter: .seconds(1))).eraseToAnyPublisher()
        }
        let source = failing.resumed(
            in: DiskCache(directory: directory.path), on: ThreadPoolScheduler(width: 1))
        for _ in 0..<7 { #expect(!load(resumed: source)) }
        #expect(ranges.value == [true, true, false, true, true, false, true])
        #expect(directory.names.count == 1)
    }
}
