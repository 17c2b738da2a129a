import Dispatch
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("A transport under load")
struct TransportStormTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private func start(_ url: String, _ source: HTTPSource, _ priority: LoadPriority = .normal) -> Recorder {
        var request = ImageRequest(url)
        request.priority = priority
        let recorder = Recorder()
        source.events(for: request).subscribe(recorder)
        return recorder
    }

    @Test("2,000 loads that are cancelled leave no connection that is busy, and the next load is served")
    func cancelled() throws {
        let server = try LoopbackServer()
        server.route("/stuck", Reply.resource([UInt8](repeating: 1, count: 9_000)).failing(.stall(.body(1_000))))
        server.route("/a.jpg", .resource([1, 2, 3]))
        let source = HTTPSource(CurlTransport.patient())
        for _ in 0..<5 {
            let loads = (0..<400).map { _ in start(server.url("/stuck"), source) }
            for load in loads { load.cancel() }
        }
        let last = start(server.url("/a.jpg"), source)
        #expect(last.waitForCompletion())
        #expect(last.isFinished)
        // A cancel closes its connection; what is left is the one that served the last load.
        try server.log.wait(for: .openConnections(atMost: 1))
    }

    @Test("A host whose bodies trickle has so many connections and no more, and holds no other up")
    func trickle() throws {
        let sick = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nx")
                connection.waitForClose()
            })
        let server = try LoopbackServer()
        server.route("/a.jpg", .resource([1, 2, 3]))
        let source = HTTPSource(CurlTransport.patient())
        let stuck = (0..<100).map { _ in start(sick.url(), source) }
        for _ in 0..<10 {
            let loads = (0..<20).map { _ in start(server.url("/a.jpg"), source) }
            for load in loads {
                #expect(load.waitForCompletion())
                #expect(load.isFinished)
            }
        }
        #expect(sick.connections <= 6)
        #expect(server.log.connections <= 6)
        for load in stuck { load.cancel() }
    }

    @Test(
        "However many hosts are silent or trickle, a load from another one neither fails nor waits for them",
        arguments: [false, true])
    func manySick(trickles: Bool) throws {
        // What came in the beginning is no progress later.
        let padding = String(repeating: "x", count: 2 * ProgressLook.leastProgress)
        let head = "HTTP/1.1 200 OK\r\nX-Padding: \(padding)\r\nContent-Length: 9000\r\n\r\n"
        let sick = try (0..<14).map { _ in
            try #require(
                RawServer { connection in
                    connection.readHead()
                    guard trickles, connection.write(head) else { return connection.waitForClose() }
                    while connection.pace(20), connection.write("x") {}
                })
        }
        let server = try LoopbackServer()
        server.route("/a.jpg", .resource([1, 2, 3]))
        let source = HTTPSource(CurlTransport.patient())
        let stuck = sick.flatMap { host in (0..<10).map { start(host.url("/\($0)"), source) } }
        for _ in 0..<3 {
            let loads = (0..<20).map { _ in start(server.url("/a.jpg"), source) }
            for load in loads {
                #expect(load.waitForCompletion())
                #expect(load.isFinished)
            }
        }
        #expect(stuck.allSatisfy { $0.completion == nil })
        #expect(sick.reduce(0) { $0 + $1.connections } <= 64)
        for load in stuck { load.cancel() }
    }

    @Test("A transfer that is over holds nothing of its transport, however long somebody keeps it")
    func keptTransfer() throws {
        let server = try LoopbackServer()
        server.route("/a.jpg", .resource([1, 2, 3]))
        weak var transport: CurlTransport?
        let events = PassthroughSubject<Never, TransportError>()
        let recorder = RecordingSubscriber<Never, TransportError>()
        events.subscribe(recorder)
        let transfer: any HTTPTransfer
        do {
            let mine = CurlTransport.patient()
            transport = mine
            transfer = mine.start(HTTPRequest(url: server.url("/a.jpg")), receiver: EndReceiver(events: events))
        }
        transfer.request(.max)
        #expect(recorder.waitForCompletion())
        #expect(recorder.isFinished)
        #expect(comesTrue { transport == nil })
        transfer.cancel()
    }

    @Test("Among transfers that wait, those with a higher priority go first, also where it changes meanwhile")
    func priorities() throws {
        let server = try LoopbackServer()
        server.route("/first", Reply.resource([1, 2]).failing(.stall(.body(1))))
        for path in ["/low", "/live", "/high"] { server.route(path, .resource([1])) }
        var options = TransportOptions.patient
        options.transfersPerHost = 1
        let source = HTTPSource(CurlTransport(options))
        let live = LivePriority(.low)
        let first = start(server.url("/first"), source)
        try server.log.wait(for: .stalled("/first"))
        let loads = [
            start(server.url("/low"), source, .low), start(server.url("/live"), source, .live(live)),
            start(server.url("/high"), source, .high),
        ]
        live.level = .normal
        server.goOn("/first")
        for load in [first] + loads { #expect(load.waitForCompletion()) }
        #expect(server.log.requests.map(\.request.path) == ["/first", "/high", "/live", "/low"])
    }
}

extension TransportStormTests {
    // Were each to wait until the transport looks at who gets somewhere this would take most of a minute.
    @Test("Hundreds of transfers follow each other through one place, each as soon as it is free")
    func onePlace() throws {
        let server = try LoopbackServer()
        server.route("/a.jpg", .resource([1, 2, 3]))
        var options = TransportOptions.patient
        options.transfersPerHost = 1
        let source = HTTPSource(CurlTransport(options))
        let loads = (0..<400).map { _ in start(server.url("/a.jpg"), source) }
        for load in loads {
            #expect(load.waitForCompletion())
            #expect(load.isFinished)
        }
        #expect(server.log.connections == 1)
    }

    @Test("Who follows a redirect does not wait behind those that came later")
    func redirected() throws {
        let server = try LoopbackServer()
        server.route("/first", Reply.resource([1, 2]).failing(.stall(.body(1))))
        server.route("/here", .redirect(to: "/there"))
        for path in ["/there", "/later", "/last"] { server.route(path, .resource([1])) }
        var options = TransportOptions.patient
        options.transfersPerHost = 1
        let source = HTTPSource(CurlTransport(options))
        let first = start(server.url("/first"), source)
        try server.log.wait(for: .stalled("/first"))
        let loads = ["/here", "/later", "/last"].map { start(server.url($0), source) }
        server.goOn("/first")
        for load in [first] + loads {
            #expect(load.waitForCompletion())
            #expect(load.isFinished)
        }
        #expect(server.log.requests.map(\.request.path) == ["/first", "/here", "/there", "/later", "/last"])
    }

    @Test("A transfer that comes while the transport is busy is chosen before those of a lower priority")
    func lateComer() throws {
        let server = try LoopbackServer()
        server.route("/first", Reply.resource([1, 2]).failing(.stall(.body(1))))
        for path in ["/low", "/high"] { server.route(path, .resource([1])) }
        var options = TransportOptions.patient
        options.transfersPerHost = 1
        let resolver = BusyResolver()
        options.resolver = resolver
        let source = HTTPSource(CurlTransport(options))
        let first = start(server.url("/first"), source)
        try server.log.wait(for: .stalled("/first"))
        let low = start(server.url("/low"), source, .low)
        let nameless = start("http://nowhere.example/", source)
        resolver.isAsked.wait()
        // The transport is in the middle of its commands; by the time it goes on the first transfer's end is there too.
        let high = start(server.url("/high"), source, .high)
        server.goOn("/first")
        try server.log.wait(for: .ended("/first", .complete))
        resolver.mayAnswer.signal()
        for load in [first, low, nameless, high] { #expect(load.waitForCompletion()) }
        #expect(server.log.requests.map(\.request.path) == ["/first", "/high", "/low"])
    }
}

/// Knows no name, and holds its caller up until it may say so.
private struct BusyResolver: HostResolver {
    let isAsked = DispatchSemaphore(value: 0)
    let mayAnswer = DispatchSemaphore(value: 0)

    func addresses(of host: String) -> AnyPublisher<[IPAddress], NameError> {
        isAsked.signal()
        mayAnswer.wait()
        return Fail(error: NameError("not known")).eraseToAnyPublisher()
    }
}

/// Passes on nothing but a transfer's end.
private struct EndReceiver: HTTPReceiver {
    let events: PassthroughSubject<Never, TransportError>

    func didReceive(_ head: HTTPResponseHead) {}
    func didReceive(_ bytes: [UInt8]) {}
    func didEnd(_ error: TransportError?) {
        events.send(completion: error.map { .failure($0) } ?? .finished)
    }
}
