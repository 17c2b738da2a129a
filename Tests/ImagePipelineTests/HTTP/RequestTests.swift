import LoopbackServer
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Requests and their errors")
struct RequestTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/a.jpg", .resource([1, 2, 3]))
    }

    private func load(_ request: ImageRequest, _ preparation: RequestPreparation? = nil) -> Recorder {
        var options = TransportOptions.patient
        options.proxy = .none
        let recorder = Recorder()
        HTTPSource(CurlTransport(options), preparing: preparation).events(for: request).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        return recorder
    }

    /// For what needs the threads of `async` code, which other tests may hold for long.
    private func events(of request: ImageRequest, _ preparation: RequestPreparation) async throws -> [DataEvent] {
        var options = TransportOptions.patient
        options.proxy = .none
        var events: [DataEvent] = []
        // Its limit is not what is tested: on a busy machine the task of a preparation may wait for a thread for longer than that.
        let source = HTTPSource(
            CurlTransport(options), preparing: preparation, clock: StoreClock(VirtualTimeScheduler()))
        for try await event in source.events(for: request).values { events.append(event) }
        return events
    }

    private func error(_ recorder: Recorder) -> TransportError? {
        if case .failure(.transport(let error))? = recorder.completion { error } else { nil }
    }

    @Test(
        "Line breaks and NUL in headers are refused before anything is sent",
        arguments: [
            HTTPField("X-A", "1\r\nX-Injected: 2"), HTTPField("X-A", "1\n2"), HTTPField("X-A", "1\u{0}2"),
            HTTPField("X-A", "1\u{7f}"),
            HTTPField("X-A\r\nX-Injected", "1"), HTTPField("X A", "1"), HTTPField("", "1"), HTTPField("X-A:", "1"),
        ])
    func headers(field: HTTPField) {
        let recorder = load(ImageRequest(server.url("/a.jpg"), headers: [field]))
        if case .invalidRequest? = error(recorder) {
        } else {
            Issue.record("\(String(describing: recorder.completion))")
        }
        #expect(server.log.connections == 0)
    }

    @Test(
        "A field is sent without the spaces around its value, and as an empty one if there is nothing else",
        arguments: [
            ("", ""), (" ", ""), (" \t ", ""), ("a", " a"), ("  a  b\t", " a  b"), (";", " ;"), (" : ", " :"),
        ])
    func spaces(value: String, sent: String) throws {
        let text = Mutex("")
        let raw = try #require(
            RawServer { connection in
                let head = connection.readHead() ?? ""
                text.withLock { $0 = head }
                connection.write("\(PeerLoad.ok)Content-Length: 1\r\n\r\na")
            })
        #expect(load(ImageRequest(raw.url(), headers: [HTTPField("X-A", value)])).isFinished)
        #expect(text.withLock { $0.contains("\r\nX-A:\(sent)\r\n") }, "\(text.withLock { $0 })")
    }

    @Test(
        "What is wrong with a URL is said",
        arguments: [
            ("http://127.0.0.1/a\u{0}b", "NUL"), ("http://127.0.0.1/a\r\nX: 1", "line break"),
            ("http://a b/x.jpg", "host"),
            ("", "empty"), ("127.0.0.1:8391/x.jpg", "scheme"), ("example.com:80", "scheme"),
            ("ftp://127.0.0.1/x.jpg", "ftp"),
            ("data:image/png;base64,iVBOR", "data:"), ("http://", "host"),
        ])
    func urls(url: String, word: String) {
        let recorder = load(ImageRequest(.url(url)))
        guard case .invalidURL(_, let reason)? = error(recorder) else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(reason.lowercased().contains(word.lowercased()), "\(reason)")
    }

    @Test(
        "Text without a scheme that has a port is a URL without a scheme, not a file, and so is data:",
        arguments: [
            "127.0.0.1:8391/x.jpg", "localhost:80/x.jpg", "example.com:443", "data:image/png;base64,iVBOR", "http:/x",
            "https:x",
        ])
    func notFiles(text: String) {
        #expect(ImageRequest(text).resource == .url(text))
    }

    @Test(
        "Other text without a scheme is a path",
        arguments: ["photo.jpg", "/a:b/c.jpg", "a/b:80/c.jpg", "./h:80/x.jpg", "C"])
    func files(text: String) {
        #expect(ImageRequest(text).resource == .file(text))
    }

    @Test("Spaces and characters beyond ASCII are encoded as browsers do")
    func unescaped() throws {
        let url = "  http://127.0.0.1:\(server.port)/grün es.jpg?q=ä b  "
        server.route("/gr%c3%bcn%20es.jpg", .resource([1]))
        _ = load(ImageRequest(.url(url)))
        let target = try #require(server.log.requests.last).request.target
        #expect(target.lowercased() == "/gr%c3%bcn%20es.jpg?q=%c3%a4%20b")
    }

    @Test("A request is prepared before it is sent, once more when the server answers 401, and then no more")
    func preparation() async throws {
        server.route("/token.jpg") { request in
            request.headers.value("Authorization") == "new" ? .resource([1]) : .status(401)
        }
        func preparation(_ fresh: String) -> RequestPreparation {
            RequestPreparation(responses: .forOneUser) { request, wasRefused in
                var request = request
                request.headers.append(HTTPField("Authorization", wasRefused ? fresh : "old"))
                return request
            }
        }
        var request = ImageRequest(server.url("/token.jpg"))
        request.partition = "anna"
        let good = try await events(of: request, preparation("new"))
        #expect(good.count == 2)
        #expect(server.log.requests.count == 2)
        do {
            _ = try await events(of: request, preparation("worse"))
            Issue.record("the second token is refused, too")
        } catch LoadError.status(401) {}
        #expect(server.log.requests.count == 4)
    }

    @Test("A preparation that does not return ends its load in time, and is cancelled")
    func slowPreparation() async throws {
        let time = VirtualTimeScheduler()
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let (answers, answer) = AsyncStream<HTTPRequest>.makeStream()
        let preparation = RequestPreparation(responses: .forEverybody, timeLimit: .seconds(5)) { request, _ in
            ask.yield()
            // Nothing comes: it ends with its task.
            for await answer in answers { return answer }
            end.yield()
            return request
        }
        let source = HTTPSource(CurlTransport(.patient), preparing: preparation, clock: StoreClock(time))
        let recorder = Recorder()
        source.events(for: ImageRequest(server.url("/a.jpg"))).subscribe(recorder)
        for await _ in asked { break }
        time.advance(by: .seconds(4))
        #expect(recorder.completion == nil)
        time.advance(by: .seconds(1))
        #expect(recorder.waitForCompletion())
        guard case .failure(.preparation("it took longer than 5.0 seconds")) = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        for await _ in ended { break }
        #expect(server.log.requests.isEmpty)
        answer.finish()
    }

    @Test("What is prepared for one user is not requested without saying for whom, and no two users share a key")
    func partitions() async throws {
        var anna = ImageRequest(server.url("/a.jpg"))
        let preparation = RequestPreparation(responses: .forOneUser) { request, _ in request }
        await #expect(throws: LoadError.self) { _ = try await events(of: anna, preparation) }
        #expect(server.log.requests.isEmpty)
        let nobody = anna
        anna.partition = "anna"
        #expect(try await events(of: anna, preparation).count == 2)
        var berta = anna
        berta.partition = "berta"
        #expect(Set([nobody, anna, berta].map(\.dataKey)).count == 3)
        #expect(Set([nobody, anna, berta].map(\.imageKey)).count == 3)
    }

    @Test("A server that is busy says when to come back, by seconds or by a date")
    func busy() {
        server.route("/s", .status(503, headers: [Header("Retry-After", "7")]))
        server.route(
            "/d",
            .status(
                429,
                headers: [
                    Header("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    Header("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT"),
                ]))
        server.route("/l", .status(503, headers: [Header("Retry-After", "99999999999999999999")]))
        for (path, status, delay) in [
            ("/s", 503, Duration.seconds(7)), ("/d", 429, .seconds(60)), ("/l", 503, .seconds(31_536_000)),
        ] {
            guard case .failure(.busy(status, retryAfter: delay))? = load(ImageRequest(server.url(path))).completion
            else {
                Issue.record("\(path)")
                continue
            }
        }
    }

    @Test("A date to come back at counts from this machine's clock where the server does not tell its own")
    func busyWithoutDate() {
        let head = HTTPResponseHead(
            status: 503, headers: [HTTPField("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT")], contentLength: nil,
            isDelimited: true)
        #expect(head.retryAfter(at: .seconds(784_111_777)) == .seconds(60))
        #expect(head.retryAfter(at: .seconds(784_111_900)) == .zero)
    }

    @Test("What a server says of freshness counts from the date that it names, for caches of images too")
    func statedFreshness() {
        let now = Duration.seconds(784_111_777 + 50)
        func head(_ date: String, _ control: String = "max-age=60") -> HTTPResponseHead {
            let fields = [HTTPField("Date", date), HTTPField("Cache-Control", control)]
            return HTTPResponseHead(status: 200, headers: fields, contentLength: nil, isDelimited: true)
        }
        #expect(head("Sun, 06 Nov 1994 08:49:37 GMT").statedFreshness(for: [], at: now) == .seconds(10))
        #expect(head("Sun, 06 Nov 1994 08:00:00 GMT").statedFreshness(for: [], at: now) == .zero)
        // Quotations hide nothing of what follows them.
        for directive in ["no-store", "no-cache", "max-age=0"] {
            for quotation in [#"x="a\"b""#, #"x="a"#] {
                let quoted = head("Sun, 06 Nov 1994 08:49:37 GMT", "\(quotation), \(directive)")
                #expect(quoted.statedFreshness(for: [], at: now) == .zero, "\(quotation) \(directive)")
            }
        }
    }

    @Test("A page in place of an image, and nothing at all, are said to be that")
    func pages() throws {
        let gallery = try Gallery()
        gallery.server.route("/page", .resource(Array("<!doctype html><title>Sorry".utf8), contentType: "text/html"))
        gallery.server.route("/empty", .resource([], contentType: "image/jpeg"))
        let pipeline = gallery.pipeline()
        guard
            case .notAnImage("text/html", "<!doctype html><title>Sorry")? =
                gallery.load(gallery.request("/page"), from: pipeline).failure,
            case .notAnImage("image/jpeg", "")? = gallery.load(gallery.request("/empty"), from: pipeline).failure
        else {
            Issue.record("not said")
            return
        }
    }

    @Test("The environment's proxy is taken by scheme, but not for the hosts that it excepts")
    func proxies() throws {
        let variables = [
            "http_proxy": "http://p:1", "HTTPS_PROXY": "http://p:2", "HTTP_PROXY": "http://p:3",
            "no_proxy": "localhost, .inside.example,10.0.0.1",
        ]
        func choice(_ url: String, _ proxy: HTTPProxy = .environment) throws -> String? {
            proxy.choice(for: try TransferURL(url)) { variables[$0] }
        }
        #expect(try choice("http://a.example/") == "http://p:1")
        #expect(try choice("https://a.example/") == "http://p:2")
        for url in ["http://localhost/", "https://x.inside.example/", "http://inside.example/", "http://10.0.0.1:8/"] {
            #expect(try choice(url) == nil)
        }
        #expect(try choice("http://notinside.example/") == "http://p:1")
        #expect(try choice("http://a.example/", .none) == nil)
        #expect(try choice("http://localhost/", .url("http://q:4")) == "http://q:4")
    }

    @Test("A request goes through a proxy, which alone is connected to")
    func throughProxy() throws {
        let proxy = try LoopbackServer()
        var options = TransportOptions.patient
        options.proxy = .url(proxy.url(""))
        options.resolver = ScriptedResolver()
        let recorder = Recorder()
        HTTPSource(CurlTransport(options)).events(for: ImageRequest("http://photos.example/a.jpg")).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        // The server knows no absolute targets, and says so.
        if case .failure(.status(400))? = recorder.completion {
        } else {
            Issue.record("\(String(describing: recorder.completion))")
        }
    }
}
