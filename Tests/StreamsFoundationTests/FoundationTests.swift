import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Foundation's schedulers, publishers and coders")
struct FoundationTests {
    /// Runs the run loop of this thread until a condition holds.
    private func run(_ loop: RunLoop, until isDone: () -> Bool) {
        while !isDone() { _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
    }

    @Test("receive(on:) of a run loop delivers in order, on its thread")
    func runLoop() {
        let loop = RunLoop.current
        let threads = Mutex(Set<ObjectIdentifier>())
        let recorder = RecordingSubscriber<Int, Never>(onValue: { _, _ in
            threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
        })
        (0..<100).publisher.subscribe(on: DispatchQueue.global()).receive(on: loop).subscribe(recorder)
        run(loop) { recorder.isFinished }
        #expect(recorder.values == Array(0..<100))
        #expect(threads.withLock { $0 } == [ObjectIdentifier(Thread.current)])
    }

    @Test("delay and debounce take a run loop, and times in seconds")
    func runLoopTimes() {
        let loop = RunLoop.current
        let (delayed, quiet) = (RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>())
        Just(1).delay(for: 0.01, scheduler: loop).subscribe(delayed)
        [1, 2].publisher.append(Empty(completeImmediately: false)).debounce(for: .milliseconds(5), scheduler: loop)
            .subscribe(quiet)
        run(loop) { delayed.isFinished && !quiet.values.isEmpty }
        #expect(delayed.values == [1])
        #expect(quiet.values == [2])
    }

    @Test("Timer.publish delivers dates once it is connected, until it is disconnected")
    func timer() {
        let loop = RunLoop.current
        let recorder = RecordingSubscriber<Date, Never>()
        let timer = Timer.publish(every: 0.005, on: loop, in: .default)
        timer.subscribe(recorder)
        #expect(recorder.values.isEmpty)
        let connection = timer.connect()
        run(loop) { recorder.values.count >= 3 }
        connection.cancel()
        let count = recorder.values.count
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        #expect(recorder.values.count == count)
        #expect(recorder.values == recorder.values.sorted())
    }

    @Test("An operation queue is a scheduler")
    func operationQueue() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let recorder = RecordingSubscriber<Int, Never>()
        (0..<100).publisher.receive(on: queue).delay(for: 0.001, scheduler: queue).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        #expect(recorder.values == Array(0..<100))
        let repeated = RecordingSubscriber<Int, Never>()
        let subject = PassthroughSubject<Int, Never>()
        subject.prefix(3).subscribe(repeated)
        let timer = queue.schedule(after: queue.now, interval: 0.001) { subject.send(1) }
        #expect(repeated.waitForCompletion())
        timer.cancel()
    }

    @Test("A notification center's publisher delivers what is posted, until it is cancelled")
    func notifications() {
        let center = NotificationCenter()
        let name = Notification.Name("saved")
        let seen = RecordingSubscriber<Int, Never>()
        center.publisher(for: name).compactMap { $0.userInfo?["number"] as? Int }.subscribe(seen)
        center.post(name: name, object: nil, userInfo: ["number": 1])
        center.post(name: Notification.Name("other"), object: nil, userInfo: ["number": 2])
        center.post(name: name, object: nil, userInfo: ["number": 3])
        seen.cancel()
        center.post(name: name, object: nil, userInfo: ["number": 4])
        #expect(seen.values == [1, 3])
        #expect(center.publisher(for: name) == center.publisher(for: name))
    }

    @Test("JSON and property lists are encoded and decoded")
    func coders() {
        struct Point: Codable, Equatable, Sendable { var x, y: Int }
        let points = [Point(x: 1, y: 2), Point(x: 3, y: 4)]
        let json = RecordingSubscriber<Point, any Error>()
        points.publisher.encode(encoder: JSONEncoder()).decode(type: Point.self, decoder: JSONDecoder()).subscribe(json)
        #expect(json.values == points && json.isFinished)
        let lists = RecordingSubscriber<Point, any Error>()
        points.publisher.encode(encoder: PropertyListEncoder())
            .decode(type: Point.self, decoder: PropertyListDecoder()).subscribe(lists)
        #expect(lists.values == points && lists.isFinished)
        let failing = RecordingSubscriber<Point, any Error>()
        Just(Data("{".utf8)).decode(type: Point.self, decoder: JSONDecoder()).subscribe(failing)
        guard case .failure(let error) = failing.completion else {
            Issue.record("It did not fail")
            return
        }
        #expect(error is DecodingError)
    }

    /// Answers with the path of the request, or with an error where that is `/refused`.
    private final class Echo: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func startLoading() {
            guard let url = request.url, url.path != "/refused",
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else {
                client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
                return
            }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(url.path.utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
        override func stopLoading() {}
    }

    @Test("A data task's publisher delivers the data and the response, or the task's error")
    func dataTask() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Echo.self]
        let session = URLSession(configuration: configuration)
        let url = try #require(URL(string: "http://example.invalid/photo"))
        let loaded = RecordingSubscriber<String, URLError>()
        session.dataTaskPublisher(for: url).map { String(decoding: $0.data, as: UTF8.self) }.subscribe(loaded)
        #expect(loaded.waitForCompletion())
        #expect(loaded.values == ["/photo"])
        let refused = try #require(URL(string: "http://example.invalid/refused"))
        let failed = RecordingSubscriber<Int, URLError>()
        session.dataTaskPublisher(for: refused).map { $0.data.count }.subscribe(failed)
        #expect(failed.waitForCompletion())
        guard case .failure(let error) = failed.completion else {
            Issue.record("It did not fail")
            return
        }
        #expect(error.code == .cannotConnectToHost)
    }
}
