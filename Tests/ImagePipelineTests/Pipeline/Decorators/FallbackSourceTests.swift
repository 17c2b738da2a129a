import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Falling back")
struct FallbackSourceTests {
    private typealias Recorder = RecordingSubscriber<String, LoadError>

    /// A source of the requests' own text, which fails for those that begin with a status.
    private final class Texts: Source {
        private let log = Mutex<[String]>([])

        var requests: [String] { log.withLock { $0 } }

        func events(for request: String) -> AnyPublisher<String, LoadError> {
            Deferred { () -> AnyPublisher<String, LoadError> in
                self.log.withLock { $0.append(request) }
                guard let status = Int(request.prefix(3)) else {
                    return Just(request).setFailureType(to: LoadError.self).eraseToAnyPublisher()
                }
                return Just("part of \(request)").setFailureType(to: LoadError.self)
                    .append(Fail(error: .status(status))).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    private func load(_ request: String, _ source: some Source<String, String>) -> Recorder {
        let recorder = Recorder()
        source.events(for: request).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        #expect(recorder.violations.isEmpty)
        return recorder
    }

    private func status(_ recorder: Recorder) -> Int? {
        if case .failure(.status(let status))? = recorder.completion { status } else { nil }
    }

    @Test("What the network fails to bring comes from the other source; what is not there, or comes, does not")
    func otherSource() {
        let other = Texts()
        let source = Texts().fallingBack(to: other.mapped { "other \($0)" })
        #expect(load("a", source).values == ["a"])
        #expect(status(load("404 a", source)) == 404)
        #expect(other.requests.isEmpty)
        #expect(load("503 a", source).values == ["part of 503 a", "other 503 a"])
        #expect(status(load("503 a", Texts().fallingBack(to: Texts()))) == 503)
    }

    @Test("Alternatives are tried in their order until one comes, and if none does the first error is the load's")
    func alternatives() {
        let texts = Texts()
        let source = texts.fallingBack(on: { $0.hasPrefix("404") ? ["503 b", "c", "d"] : ["500 b", "500 c"] })
        #expect(load("404 a", source).values == ["part of 404 a", "part of 503 b", "c"])
        #expect(texts.requests == ["404 a", "503 b", "c"])
        #expect(status(load("403 a", source)) == 403)
        #expect(texts.requests.count == 6)
        #expect(load("a", source).values == ["a"])
        #expect(texts.requests.count == 7)
        let choosy = Texts().fallingBack(on: { _ in ["b"] }, when: \.isWorthRetrying)
        #expect(status(load("404 a", choosy)) == 404)
        #expect(load("503 a", choosy).values.last == "b")
    }

    @Test("The error of an alternative is asked about as well before the next one is tried")
    func alternativesError() {
        let texts = Texts()
        let choosy = texts.fallingBack(on: { _ in ["404 b", "c"] }, when: \.isWorthRetrying)
        #expect(status(load("503 a", choosy)) == 503)
        #expect(texts.requests == ["503 a", "404 b"])
    }

    @Test("A load that is cancelled tries nothing further")
    func cancelled() {
        let subject = PassthroughSubject<String, LoadError>()
        let texts = Texts()
        let source = AnySource<String, String> { _ in subject.eraseToAnyPublisher() }.fallingBack(to: texts)
        let recorder = Recorder()
        source.events(for: "a").subscribe(recorder)
        recorder.cancel()
        subject.send(completion: .failure(.status(503)))
        #expect(texts.requests.isEmpty)
    }
}

extension Source where Request == String, Event == String {
    fileprivate func mapped(_ change: @escaping @Sendable (String) -> String) -> some Source<String, String> {
        AnySource<String, String> { [self] request in
            Just(change(request)).setFailureType(to: LoadError.self).flatMap { events(for: $0) }.eraseToAnyPublisher()
        }
    }
}
