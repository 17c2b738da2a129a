import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// A server's resource under a clock of the test's, and the cache in front of it.
final class HTTPOrigin: Sendable {
    /// An answer; the body of a 200 is the version's text.
    struct Answer: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var redirects: [HTTPRedirect] = []
        var failure: LoadError?
        /// An error behind the first piece of the body.
        var cut: LoadError?
    }

    private struct State {
        var now = 1_000_000_000
        var answer: @Sendable (ImageRequest, _ now: Int) -> Answer = { _, _ in Answer() }
        var version = 1
        var requests: [ImageRequest] = []
    }

    private let state = Mutex(State())
    let directory = TemporaryDirectory()

    /// Seconds since 1970.
    var now: Int {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }
    var version: Int {
        get { state.withLock { $0.version } }
        set { state.withLock { $0.version = newValue } }
    }
    var requests: [ImageRequest] { state.withLock { $0.requests } }

    func answers(_ answer: @escaping @Sendable (ImageRequest, _ now: Int) -> Answer) {
        state.withLock { $0.answer = answer }
    }

    /// Answers 200 with these fields, and 304 with them where the entity tag is still that of the version.
    func answers(with headers: [(String, String)]) {
        answers { [self] request, now in
            let tag = "\"\(version)\""
            let fields = headers + [("ETag", tag), ("Date", Self.date(now))]
            return Answer(status: request.validators?.entityTag == tag ? 304 : 200, headers: fields)
        }
    }

    private var source: some Source<ImageRequest, DataEvent> {
        AnySource<ImageRequest, DataEvent> { [self] request in
            Deferred { [self] () -> AnyPublisher<DataEvent, LoadError> in
                let (answer, now, version) = state.withLock { state in
                    state.requests.append(request)
                    return (state.answer, state.now, state.version)
                }
                let reply = answer(request, now)
                if let failure = reply.failure { return Fail(error: failure).eraseToAnyPublisher() }
                guard reply.status == 200 || reply.status == 304 && request.validators != nil else {
                    return Fail(error: .status(reply.status)).eraseToAnyPublisher()
                }
                let head = HTTPResponseHead(
                    status: reply.status, headers: reply.headers.map { HTTPField($0.0, $0.1) }, contentLength: nil,
                    isDelimited: true, redirects: reply.redirects)
                let response = DataEvent.response(
                    DataResponse(provenance: .network, status: reply.status, head: head))
                // Two pieces, so that one of another version would show.
                let body = reply.status == 200 ? ["v", "\(version)"].map { DataEvent.chunk(Array($0.utf8)) } : []
                guard let cut = reply.cut, reply.status == 200 else {
                    return ([response] + body).publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
                }
                return [response, body[0]].publisher.setFailureType(to: LoadError.self).append(Fail(error: cut))
                    .eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
        }
    }

    /// The text that a load delivers, and how many requests it took; or its error.
    func load(_ headers: [HTTPField] = []) async -> (text: Result<String, LoadError>, requests: Int) {
        let before = requests.count
        let cache = DiskCache(directory: directory.path, now: { [self] in .seconds(now) })
        let request = ImageRequest("https://example.com/a", headers: headers)
        var bytes: [UInt8] = []
        do {
            let events = source.httpCached(in: cache, on: Self.threads).events(for: request)
            for try await event in events.values {
                switch event {
                case .response: bytes = []
                case .chunk(let more): bytes += more
                }
            }
            return (.success(String(decoding: bytes, as: UTF8.self)), requests.count - before)
        } catch {
            return (.failure(error), requests.count - before)
        }
    }

    /// The bodies that a load delivers: the one that was shown until the server had answered, if one was, and the last one.
    func loadNow(_ headers: [HTTPField] = []) -> (shown: String?, text: Result<String, LoadError>) {
        let cache = DiskCache(directory: directory.path, now: { [self] in .seconds(now) })
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        source.httpCached(in: cache, on: Self.threads)
            .events(for: ImageRequest("https://example.com/a", headers: headers)).subscribe(recorder)
        _ = recorder.waitForCompletion()
        var bodies: [(isProvisional: Bool, text: String)] = []
        for event in recorder.values {
            switch event {
            case .response(let response): bodies.append((response.isProvisional, ""))
            case .chunk(let bytes): bodies[bodies.count - 1].text += String(decoding: bytes, as: UTF8.self)
            }
        }
        let shown = bodies.first { $0.isProvisional }?.text
        if case .failure(let error)? = recorder.completion { return (shown, .failure(error)) }
        return (shown, .success(bodies.last?.text ?? ""))
    }

    private static let threads = ThreadPoolScheduler(width: 2)

    /// A date as servers write it.
    static func date(_ seconds: Int) -> String {
        let days = seconds / 86_400
        // Days and months of the civil calendar (Howard Hinnant's days_from_civil, the other way).
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * part + 2) / 5 + 1
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = seconds % 86_400
        return "\(weekdays[days % 7]), \(two(day)) \(names[month - 1]) \(year) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// Expects that a load brings a text, with so many requests of the origin.
    func expect(
        _ text: String, requests: Int, _ headers: [HTTPField] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let load = await self.load(headers)
        #expect((try? load.text.get()) == text, "\(load.text)", sourceLocation: sourceLocation)
        #expect(load.requests == requests, sourceLocation: sourceLocation)
    }
}
