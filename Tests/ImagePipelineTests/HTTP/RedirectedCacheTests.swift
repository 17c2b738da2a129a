import ImagePipeline
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@Suite("Caches behind redirects")
struct RedirectedCacheTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let server: LoopbackServer
    private let directory = TemporaryDirectory()
    private let threads = ThreadPoolScheduler(width: 2)
    private let transport: CurlTransport

    init() throws {
        server = try LoopbackServer()
        var options = TransportOptions.patient
        options.proxy = .none
        transport = CurlTransport(options)
    }

    private func route(to path: String, _ headers: [Header] = []) {
        server.route("/today", Reply(status: 302, headers: headers + [Header("Location", path)]))
    }

    /// The body that a load delivers, and the response.
    private func load() -> (body: [UInt8]?, response: DataResponse?) {
        let cache = DiskCache(directory: directory.path)
        let source = HTTPSource(transport).resumed(in: cache, on: threads).httpCached(in: cache, on: threads)
        let recorder = Recorder()
        source.events(for: ImageRequest(server.url("/today"))).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        var (body, response) = ([UInt8](), DataResponse?.none)
        for event in recorder.values {
            switch event {
            case .response(let next): (body, response) = ([], next)
            case .chunk(let bytes): body += bytes
            }
        }
        return (recorder.isFinished ? body : nil, response)
    }

    @Test(
        "A picture is served for its time only as long as the redirect says that it stands there",
        arguments: [[], [Header("Cache-Control", "no-store")], [Header("Cache-Control", "max-age=0")]])
    func moves(redirect: [Header]) {
        for name in ["1", "2"] {
            server.route(
                "/\(name)", .resource(Array(name.utf8), entityTag: "\"\(name)\"", cacheControl: "max-age=9000"))
        }
        route(to: "/1", redirect)
        #expect(load().body == Array("1".utf8))
        route(to: "/2", redirect)
        #expect(load().body == Array("2".utf8))
    }

    @Test("A redirect that holds is not asked for again, and one that is permanent holds without a word")
    func holds() {
        server.route("/1", .resource(Array("1".utf8), entityTag: "\"1\"", cacheControl: "max-age=9000"))
        for (status, headers) in [(302, [Header("Cache-Control", "max-age=600")]), (308, [])] {
            server.route("/today", Reply(status: status, headers: headers + [Header("Location", "/1#part")]))
            DiskCache(directory: directory.path).removeAll()
            #expect(load().body == Array("1".utf8))
            let count = server.log.requests(for: "/today").count
            #expect(load().body == Array("1".utf8))
            #expect(server.log.requests(for: "/today").count == count)
        }
    }

    @Test("A validator of one resource confirms nothing when another one answers", arguments: [true, false])
    func validators(hasTags: Bool) {
        let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
        for name in ["1", "2"] {
            server.route(
                "/\(name)",
                .resource(
                    Array(name.utf8), entityTag: hasTags ? "\"a\"" : nil, lastModified: changed,
                    cacheControl: "no-cache"))
        }
        route(to: "/1")
        #expect(load().body == Array("1".utf8))
        #expect(load().body == Array("1".utf8))
        #expect(server.log.requests(for: "/1").last?.status == 304)
        route(to: "/2")
        #expect(load().body == Array("2".utf8))
    }

    @Test("The rest of one resource is never joined to the beginning of another one")
    func rest() {
        let bodies = (1...2).map { [UInt8](repeating: UInt8($0), count: 200_000) }
        for (body, path) in zip(bodies, ["/1", "/2"]) {
            let reply = Reply.resource(body, entityTag: "\"a\"", cacheControl: "max-age=600")
            server.route(path, path == "/1" ? reply.failing(.close(.body(150_000))) : reply)
        }
        route(to: "/1")
        #expect(load().body == nil)
        route(to: "/2")
        #expect(load().body == bodies[1])
        // It is continued where it is the same one that answers.
        server.route(
            "/1", .resource(bodies[0], entityTag: "\"b\"", cacheControl: "max-age=0").failing(.close(.body(150_000))))
        route(to: "/1")
        DiskCache(directory: directory.path).removeAll()
        #expect(load().body == nil)
        server.route("/1", .resource(bodies[0], entityTag: "\"b\"", cacheControl: "max-age=0"))
        #expect(load().body == bodies[0])
        #expect(server.log.requests(for: "/1").last?.status == 206)
    }

    @Test("The response says through which redirects it has come, and the caches of images for how long they hold")
    func head() {
        server.route("/1", .resource([1], cacheControl: "max-age=9000"))
        server.route("/hop", .redirect(to: "/1#part", status: 301))
        route(to: "/hop", [Header("Cache-Control", "max-age=60")])
        let response = load().response
        #expect(response?.head?.redirects.map(\.status) == [302, 301])
        #expect(response?.head?.redirects.map(\.target) == [server.url("/hop"), server.url("/1")])
        let freshness = response?.provenance.freshness ?? .zero
        #expect(freshness > .zero && freshness <= .seconds(60))
    }
}
