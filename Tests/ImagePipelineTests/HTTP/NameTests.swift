import LoopbackServer
import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("Names")
struct NameTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/a.jpg", .resource([1, 2, 3]))
    }

    private func url(_ host: String) -> String { "http://\(host):\(server.port)/a.jpg" }

    private func options(_ resolver: ScriptedResolver, connect: Duration = .seconds(3_600)) -> TransportOptions {
        var options = TransportOptions.patient
        options.resolver = resolver
        options.proxy = .none
        options.limits.connect = connect
        return options
    }

    private func start(_ url: String, _ transport: CurlTransport) -> Recorder {
        let recorder = Recorder()
        HTTPSource(transport).events(for: ImageRequest(url)).subscribe(recorder)
        return recorder
    }

    private func error(_ recorder: Recorder) -> TransportError? {
        if case .failure(.transport(let error))? = recorder.completion { error } else { nil }
    }

    @Test("Lookups that hang hold no place that another host could use, and cancelling them delays nobody")
    func hanging() {
        let transport = CurlTransport(options(ScriptedResolver(["good.example": ["127.0.0.1"]])))
        let stuck = (0..<200).map { start(url("stuck\($0 % 100).example"), transport) }
        let first = start(url("good.example"), transport)
        #expect(first.waitForCompletion())
        #expect(first.isFinished)
        for recorder in stuck { recorder.cancel() }
        let second = start(url("good.example"), transport)
        #expect(second.waitForCompletion())
        #expect(second.isFinished)
    }

    @Test(
        "A name that is not found in time and one that does not exist are errors that say so, asked for once by all who wait"
    )
    func errors() {
        let resolver = ScriptedResolver(["bad.example": ["no such name"]])
        let transport = CurlTransport(options(resolver, connect: .milliseconds(100)))
        let late = (0..<20).map { _ in start(url("stuck.example"), transport) }
        let bad = start(url("bad.example"), transport)
        for recorder in late {
            #expect(recorder.waitForCompletion())
            #expect(error(recorder) == .timedOut(.lookup))
        }
        #expect(bad.waitForCompletion())
        #expect(error(bad) == .nameNotFound(host: "bad.example", reason: "no such name"))
        #expect(resolver.lookups.count { $0 == "stuck.example" } == 1)
    }

    @Test("Several addresses are tried, and what was found is kept for its time")
    func several() {
        // Nobody listens at the first one.
        let resolver = ScriptedResolver(["two.example": ["127.0.0.9 127.0.0.1"]])
        let transport = CurlTransport(options(resolver))
        for _ in 0..<3 {
            let recorder = start(url("two.example"), transport)
            #expect(recorder.waitForCompletion())
            #expect(recorder.isFinished)
        }
        #expect(resolver.lookups == ["two.example"])
    }

    @Test("What was found is looked up again when its time is over, and a failure after a moment")
    func lifetime() {
        var table = NameTable<Int>(lifetime: .seconds(30))
        let start = ContinuousClock.now
        func isNew(_ name: String, _ seconds: Int) -> Bool? {
            if case .awaited(let isNew) = table.look(up: name, for: 1, at: start + .seconds(seconds)) {
                isNew
            } else {
                nil
            }
        }
        #expect(isNew("a", 0) == true)
        #expect(isNew("a", 1) == false)
        #expect(table.settle("a", .success([]), at: start + .seconds(2)) == [1, 1])
        #expect(isNew("a", 31) == nil)
        #expect(isNew("a", 32) == true)
        _ = table.settle("a", .failure(NameError("no")), at: start + .seconds(40))
        #expect(isNew("a", 40) == nil)
        #expect(isNew("a", 41) == true)
    }

    @Test("The system's resolver finds this machine, says why it does not find others, and needs no thread afterwards")
    func system() {
        let resolver = SystemResolver(threads: 1)
        let found = RecordingSubscriber<[IPAddress], NameError>()
        resolver.addresses(of: "localhost").subscribe(found)
        let unknown = RecordingSubscriber<[IPAddress], NameError>()
        resolver.addresses(of: "name with spaces").subscribe(unknown)
        #expect(found.waitForCompletion())
        #expect(found.values.first?.contains { $0.description == "127.0.0.1" || $0.description == "::1" } == true)
        #expect(unknown.waitForCompletion())
        if case .failure(let error)? = unknown.completion {
            #expect(!error.reason.isEmpty)
        } else {
            Issue.record("found")
        }
    }
}
