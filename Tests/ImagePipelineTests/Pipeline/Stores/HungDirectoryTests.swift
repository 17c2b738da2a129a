import Dispatch
import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("A directory that hangs while bodies are kept for their rest")
struct HungDirectoryTests {
    private let directory = TemporaryDirectory()
    /// The only thread that uses the disk.
    private let threads = ThreadPoolScheduler(width: 1)
    private let hang = DispatchSemaphore(value: 0)
    private let body = [UInt8](repeating: 7, count: 60_000)

    private func start(
        _ source: AnySource<ImageRequest, DataEvent>, timeLimit: Duration = .milliseconds(300)
    ) -> RecordingSubscriber<DataEvent, LoadError> {
        let terms = StoreTerms(timeLimit: timeLimit, failures: 1_000)
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        source.resumed(in: DiskCache(directory: directory.path, terms: terms), on: threads)
            .events(for: ImageRequest("https://example.com/a")).subscribe(recorder)
        return recorder
    }

    private func response(_ status: Int, from start: Int = 0, of count: Int) -> DataEvent {
        var fields = [HTTPField("ETag", "\"1\""), HTTPField("Content-Length", "\(count - start)")]
        if status == 206 { fields.append(HTTPField("Content-Range", "bytes \(start)-\(count - 1)/\(count)")) }
        let head = HTTPResponseHead(status: status, headers: fields, contentLength: count - start, isDelimited: true)
        return .response(
            DataResponse(provenance: .network, expectedLength: count - start, status: status, head: head))
    }

    @Test("All that comes is passed on meanwhile, and the end within the directory's time", arguments: [true, false])
    func writing(isCut: Bool) {
        let origin = DrivenPublisher<DataEvent, LoadError>()
        let recorder = start(AnySource { _ in origin.eraseToAnyPublisher() })
        while !origin.isRequested { sched_yield() }
        threads.schedule { [hang] in hang.wait() }
        origin.send(response(200, of: 60 * body.count))
        for _ in 0..<50 { origin.send(.chunk(body)) }
        // The thread that has subscribed may still be on its way back, and delivers them then.
        while recorder.values.count < 51 { sched_yield() }
        origin.send(completion: isCut ? .failure(.transport(.connectionLost("cut"))) : .finished)
        #expect(recorder.waitForCompletion())
        #expect(recorder.isFinished == !isCut)
        hang.signal()
    }

    /// Leaves a beginning of 40,000 bytes.
    private func leaveBeginning() {
        let beginning: [DataEvent] = [response(200, of: body.count), .chunk(Array(body.prefix(40_000)))]
        let cut = start(
            AnySource { _ in
                beginning.publisher.setFailureType(to: LoadError.self)
                    .append(Fail(error: .transport(.connectionLost("cut")))).eraseToAnyPublisher()
            }, timeLimit: .seconds(3_600))
        #expect(cut.waitForCompletion())
        #expect(directory.names.count == 1)
    }

    /// Returns when the one thread has done what it was given.
    private func waitForThread() {
        let isThrough = Counter()
        threads.schedule { isThrough.add() }
        #expect(comesTrue { isThrough.value == 1 })
    }

    enum Ending: CaseIterable { case cut, whole, cancelled }

    @Test(
        "Of what the disk has fallen behind with nothing is kept: the beginning before stays, until all has come",
        arguments: Ending.allCases)
    func behind(ending: Ending) {
        leaveBeginning()
        let origin = DrivenPublisher<DataEvent, LoadError>()
        let recorder = start(AnySource { _ in origin.eraseToAnyPublisher() }, timeLimit: .seconds(3_600))
        #expect(comesTrue { origin.isRequested })
        origin.send(response(200, of: 60 * body.count))
        for _ in 0..<5 { origin.send(.chunk(body)) }
        // More than the beginning is on the disk, before that hangs.
        #expect(comesTrue { recorder.values.count >= 6 })
        waitForThread()
        threads.schedule { [hang] in hang.wait() }
        for _ in 0..<50 { origin.send(.chunk(body)) }
        #expect(comesTrue { recorder.values.count >= 56 })
        hang.signal()
        switch ending {
        case .cut: origin.send(completion: .failure(.transport(.connectionLost("cut"))))
        case .whole: origin.send(completion: .finished)
        case .cancelled: recorder.cancel()
        }
        if ending != .cancelled { #expect(recorder.waitForCompletion()) }
        // What is done when nobody holds the load any more is given to the thread by what it does.
        for _ in 0..<2 { waitForThread() }
        #expect(directory.names.count == (ending == .whole ? 0 : 1))
        let asked = Noted<ImageRequest>()
        let next = start(
            AnySource { request in
                asked.note(request)
                return Fail(error: .notCached).eraseToAnyPublisher()
            }, timeLimit: .seconds(3_600))
        #expect(next.waitForCompletion())
        #expect(asked.value?.resumption?.offset == (ending == .whole ? nil : 40_000))
    }

    @Test("Of a beginning that cannot be read the whole is loaded")
    func reading() {
        leaveBeginning()
        let rest = DrivenPublisher<DataEvent, LoadError>()
        let whole: [DataEvent] = [response(200, of: body.count), .chunk(body)]
        let recorder = start(
            AnySource { request in
                guard request.resumption == nil else { return rest.eraseToAnyPublisher() }
                return whole.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
            })
        while !rest.isRequested { sched_yield() }
        threads.schedule { [hang] in hang.wait() }
        rest.send(response(206, from: 40_000, of: body.count))
        #expect(recorder.waitForCompletion())
        #expect(recorder.isFinished)
        guard case .chunk(body)? = recorder.values.last else {
            Issue.record("\(recorder.values.count) events")
            return
        }
        hang.signal()
    }
}
