import Files
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
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

    @Test("Many names that nobody answers for are added in time that grows with their number", .timeLimit(.minutes(1)))
    func many() {
        var table = NameTable<Int>(lifetime: .seconds(30))
        let now = ContinuousClock.now
        // To look through all of them for each one more would take minutes.
        for number in 0..<60_000 { _ = table.look(up: "silent\(number)", for: number, at: now) }
        #expect(table.settle("silent59999", .success([]), at: now) == [59_999])
    }

    @Test("Names whose time is over make room when there are many, and those that are known or waited for stay")
    func room() {
        var table = NameTable<Int>(lifetime: .seconds(30))
        func names() -> Int? {
            Mirror(reflecting: table).children.first { $0.label == "entries" }.map {
                Mirror(reflecting: $0.value).children.count
            }
        }
        let start = ContinuousClock.now
        func keep(_ name: String, _ seconds: Int) {
            _ = table.look(up: name, for: 1, at: start + .seconds(seconds))
            _ = table.settle(name, .success([]), at: start + .seconds(seconds))
        }
        for number in 0..<998 { keep("old\(number)", 0) }
        _ = table.look(up: "waited for", for: 1, at: start)
        keep("new", 29)
        #expect(names() == 1_000)
        // One second before their time is over none gives way, and nobody looks again before there are twice as many.
        for number in 0..<1_000 { keep("late\(number)", 29) }
        #expect(names() == 2_000)
        _ = table.look(up: "newer", for: 1, at: start + .seconds(30))
        #expect(names() == 1_003)
        guard case .known = table.look(up: "new", for: 1, at: start + .seconds(30)),
            case .awaited(isNew: false) = table.look(up: "waited for", for: 2, at: start + .seconds(30))
        else {
            Issue.record("what is known or waited for is gone")
            return
        }
    }

    @Test("The system's resolver finds this machine, says why it does not find others, and needs no thread afterwards")
    func system() throws {
        let names = try #require(NameServer([:]))
        let resolver = SystemResolver(threads: 1) { [services = names.services] in services }
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

    @Test(
        "300 names whose servers are silent delay no other one, take one socket, and end in an error or are cancelled"
    )
    func silentServers() throws {
        let names = try #require(NameServer(["good.example": ["127.0.0.1"], "better.example": ["127.0.0.1", "::1"]]))
        var options = options(ScriptedResolver())
        options.resolver = SystemResolver(threads: 1) { [services = names.services] in services }
        let transport = CurlTransport(options)
        var hasty = options
        hasty.limits.connect = .milliseconds(200)
        let impatient = start(url("late.example"), CurlTransport(hasty))
        let stuck = (0..<300).map { start(url("stuck\($0).example"), transport) }
        let first = start(url("good.example"), transport)
        #expect(first.waitForCompletion())
        #expect(first.isFinished)
        #expect(impatient.waitForCompletion())
        #expect(error(impatient) == .timedOut(.lookup))
        let unknown = start(url("a.none"), transport)
        #expect(unknown.waitForCompletion())
        #expect(error(unknown) == .nameNotFound(host: "a.none", reason: "there is no such name"))
        #expect(stuck.allSatisfy { $0.completion == nil })
        #expect(names.clients == 1)
        for recorder in stuck { recorder.cancel() }
        let second = start(url("better.example"), transport)
        #expect(second.waitForCompletion())
        #expect(second.isFinished)
    }

    @Test("Names of this machine come from its hosts file, and nobody is asked for them or for what is local")
    func own() throws {
        let names = try #require(NameServer([:]))
        let directory = TemporaryDirectory()
        try FileDescriptor(opening: "\(directory.path)/hosts", O_WRONLY | O_CREAT).write(
            Array("127.0.0.1 mine.example\n".utf8), at: 0)
        var services = names.services
        services.hostsFile = "\(directory.path)/hosts"
        var options = options(ScriptedResolver())
        options.resolver = SystemResolver(threads: 1) { [services] in services }
        let transport = CurlTransport(options)
        for host in ["mine.example", "localhost"] {
            let recorder = start(url(host), transport)
            #expect(recorder.waitForCompletion())
            #expect(recorder.isFinished)
        }
        #expect(names.questions.isEmpty)
    }

    @Test("Where nobody listens for names the system is asked for them")
    func noServer() throws {
        let port = try #require(LoopbackPort.free())
        var services = NameServices(resolver: "nameserver 127.0.0.1", switching: "")
        services.servers[0].port = port
        services.hostsFile = "/dev/null"
        let found = RecordingSubscriber<[IPAddress], NameError>()
        // An old writing of an address: the system knows it, and no name server does.
        SystemResolver(threads: 1) { [services] in services }.addresses(of: "127.1").subscribe(found)
        #expect(found.waitForCompletion())
        #expect(found.values.first?.map(\.description) == ["127.0.0.1"])
    }

    @Test("A name whose servers stay silent fails when their time is over, though nothing else happens")
    func patience() throws {
        let names = try #require(NameServer([:]))
        var services = names.services
        (services.timeout, services.attempts) = (.milliseconds(10), 3)
        let recorder = RecordingSubscriber<[IPAddress], NameError>()
        let resolver = SystemResolver(threads: 1) { [services] in services }
        resolver.addresses(of: "silent.example").subscribe(recorder)
        #expect(recorder.waitForCompletion())
        guard case .failure(let error)? = recorder.completion else {
            Issue.record("found")
            return
        }
        #expect(error.reason == "no name server has answered")
        #expect(comesTrue { !names.questions.isEmpty })
        #expect(names.questions.allSatisfy { $0 == "silent.example" })
    }
}
