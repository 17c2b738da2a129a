import LoopbackServer
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Redirects and addresses")
struct RedirectTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let server: LoopbackServer
    private let other: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        other = try LoopbackServer()
        for server in [server, other] { server.route("/a.jpg", .resource([1, 2, 3])) }
    }

    private func load(
        _ url: String, headers: [HTTPField] = [], _ change: (inout TransportOptions) -> Void = { _ in }
    ) -> Recorder {
        var options = TransportOptions.patient
        options.proxy = .none
        change(&options)
        let recorder = Recorder()
        HTTPSource(CurlTransport(options)).events(for: ImageRequest(url, headers: headers)).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        return recorder
    }

    private func error(_ recorder: Recorder) -> TransportError? {
        if case .failure(.transport(let error))? = recorder.completion { error } else { nil }
    }

    @Test("Relative and absolute redirects are followed, so many and no more")
    func limit() {
        server.route("/1/x", .redirect(to: "../2", status: 301))
        server.route("/2", .redirect(to: "//127.0.0.1:\(server.port)/3", status: 307))
        server.route("/3", .redirect(to: "/a.jpg", status: 308))
        #expect(load(server.url("/1/x")).isFinished)
        #expect(load(server.url("/1/x")) { $0.redirects.limit = 3 }.isFinished)
        #expect(error(load(server.url("/1/x")) { $0.redirects.limit = 2 }) == .tooManyRedirects(limit: 2))
        server.route("/loop", .redirect(to: "/loop"))
        #expect(error(load(server.url("/loop"))) == .tooManyRedirects(limit: 5))
        #expect(server.log.requests(for: "/loop").count == 6)
        for (path, location) in [("/folder/same", "#part"), ("/folder/empty", "")] {
            server.route(path, .redirect(to: location))
            #expect(error(load(server.url(path))) == .tooManyRedirects(limit: 5))
            #expect(server.log.requests(for: path).count == 6)
        }
    }

    @Test(
        "The body of a redirect is waited for neither when it does not come nor when it does not end",
        arguments: [false, true])
    func body(isEndless: Bool) throws {
        let target = server.url("/a.jpg")
        let sick = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 900000000\r\n\r\n")
                while isEndless, connection.write(PeerLoad.body) {}
                connection.waitForClose()
            })
        #expect(load(sick.url()).isFinished)
        #expect(server.log.requests(for: "/a.jpg").count == 1)
    }

    @Test("Private headers, credentials and cookies stay at their origin; what any server may know goes along")
    func headers() throws {
        server.route("/away", .redirect(to: other.url("/a.jpg")))
        server.route("/here", .redirect(to: "/a.jpg"))
        let fields = [
            HTTPField("Authorization", "Bearer 1"), HTTPField("Cookie", "a=b", isPrivate: false),
            HTTPField("X-Api-Key", "2"), HTTPField("X-Size", "3", isPrivate: false), HTTPField("Accept-Language", "de"),
        ]
        #expect(load(server.url("/away"), headers: fields).isFinished)
        let away = try #require(other.log.requests.last).request
        for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(away.headers.value(name) == nil, "\(name)") }
        for name in ["X-Size", "Accept-Language"] { #expect(away.headers.value(name) != nil, "\(name)") }
        #expect(load(server.url("/here"), headers: fields).isFinished)
        let here = try #require(server.log.requests(for: "/a.jpg").last).request
        for field in fields { #expect(here.headers.value(field.name) == field.value) }
    }

    @Test("Credentials are sent to their origin alone, also those in a URL")
    func credentials() throws {
        server.route("/away", .redirect(to: other.url("/a.jpg")))
        let origin = server.url("")
        #expect(
            load(server.url("/away")) { $0.credentials[origin] = HTTPCredentials(user: "u", password: "p") }.isFinished)
        #expect(load("http://u:p@127.0.0.1:\(server.port)/away").isFinished)
        for request in server.log.requests { #expect(request.request.headers.value("Authorization") == "Basic dTpw") }
        for request in other.log.requests { #expect(request.request.headers.value("Authorization") == nil) }
        #expect(other.log.requests.count == 2)
    }

    @Test(
        "No redirect leads to a file, to FTP or to what is no URL",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/a.jpg", "gopher://127.0.0.1/", "http://", "http://a b/",
            "data:image/png;base64,AA",
        ])
    func schemes(location: String) {
        server.route("/away", .redirect(to: location))
        guard case .refusedRedirect(let url, reason: _)? = error(load(server.url("/away"))) else {
            Issue.record("\(location) was followed")
            return
        }
        #expect(url == location)
    }

    @Test("The address guard refuses this machine, straight, behind a redirect, behind a name, and in any notation")
    func guarded() {
        let resolver = ScriptedResolver([
            "inside.example": ["127.0.0.1"], "rebinding.example": ["192.0.2.1", "127.0.0.1"],
        ])
        let port = server.port
        func refusal(_ url: String) -> String? {
            let recorder = load(url) { options in
                options.addresses = .publicOnly
                options.resolver = resolver
            }
            if case .refusedAddress(_, let address)? = error(recorder) { return address }
            return nil
        }
        for host in ["127.0.0.1", "0x7f.1", "2130706433", "127.1", "inside.example"] {
            #expect(refusal("http://\(host):\(port)/a.jpg") == "127.0.0.1", "\(host)")
        }
        #expect(refusal("http://[::1]:\(port)/a.jpg") == "::1")
        #expect(refusal("http://[::ffff:127.0.0.1]:\(port)/a.jpg") != nil)
        #expect(refusal("http://0.0.0.0:\(port)/a.jpg") == "0.0.0.0")
        #expect(server.log.requests.isEmpty)
        #expect(server.log.connections == 0)
    }

    @Test("A name that stands for another address the second time is refused by the address that is connected to")
    func rebinding() throws {
        // The first server redirects to itself by a name that now leads elsewhere.
        let resolver = ScriptedResolver(["rebinding.example": ["127.0.0.1", "127.0.0.2"]])
        server.route("/first", .redirect(to: "http://rebinding.example:\(server.port)/second").framed(.untilClose))
        let recorder = load("http://rebinding.example:\(server.port)/first") { options in
            options.resolver = resolver
            options.nameLifetime = .zero
            options.addresses = AddressPolicy { $0.description == "127.0.0.1" }
        }
        #expect(error(recorder) == .refusedAddress(host: "rebinding.example", address: "127.0.0.2"))
        #expect(server.log.requests.count == 1)
    }

    @Test(
        "Of several addresses of a name one that is allowed is connected to, wherever it stands among the others",
        arguments: ["127.0.0.2 127.0.0.1", "127.0.0.1 127.0.0.2", "127.0.0.3 127.0.0.2 127.0.0.1"])
    func oneAllowed(addresses: String) {
        let resolver = ScriptedResolver(["several.example": [addresses]])
        let recorder = load("http://several.example:\(server.port)/a.jpg") { options in
            options.resolver = resolver
            options.addresses = AddressPolicy { $0.description == "127.0.0.1" }
            // Where nobody goes on to the next address, this is when somebody looks.
            options.limits.total = .seconds(30)
        }
        #expect(recorder.isFinished, "\(String(describing: recorder.completion))")
        #expect(server.log.requests.count == 1)
    }

    @Test(
        "A byte of a target that is no character is sent as it is, encoded, as browsers do",
        arguments: [
            ([0x2F, 0xE9], "/%e9"), ([0x2F, 0xC3, 0xA9], "/%c3%a9"), ([0x2F, 0xC3, 0xA9, 0xE9], "/%c3%a9%e9"),
            ([0x2F, 0x80, 0x3F, 0xFF, 0x20, 0x61, 0x23, 0xE9], "/%80?%ff%20a"), ([0xE9], "/%e9"),
            ([0x2F, 0x25, 0x32, 0x46, 0xE9], "/%2f%e9"),
        ] as [([UInt8], String)])
    func bytes(location: [UInt8], target: String) throws {
        let line = Mutex("")
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                let start = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
                connection.write(Array(start.utf8) + location + [13, 10, 13, 10])
                let head = connection.readHead() ?? ""
                line.withLock { $0 = head.split(separator: "\r\n").first?.lowercased() ?? "" }
                connection.write("\(PeerLoad.ok)Content-Length: 1\r\n\r\na")
            })
        #expect(load(server.url()).isFinished)
        #expect(line.withLock { $0 } == "get \(target) http/1.1")
    }

    @Test(
        "Public addresses are told from all others",
        arguments: [
            ("8.8.8.8", true), ("127.0.0.1", false), ("10.1.2.3", false), ("172.31.0.1", false), ("172.32.0.1", true),
            ("192.168.0.1", false), ("169.254.169.254", false), ("100.64.0.1", false), ("0.0.0.0", false),
            ("224.0.0.1", false), ("255.255.255.255", false), ("198.51.100.7", false), ("192.0.2.1", false),
            ("2606:4700::1111", true), ("::1", false), ("::", false), ("fe80::1", false), ("fc00::1", false),
            ("fd00:ec2::254", false), ("::ffff:127.0.0.1", false), ("::ffff:8.8.8.8", true), ("::127.0.0.1", false),
            ("64:ff9b::7f00:1", false), ("64:ff9b::808:808", true), ("2002:7f00:1::", false), ("2002:808:808::", true),
            ("2001:db8::1", false), ("2001::1", false), ("ff02::1", false), ("fec0::1", false),
        ])
    func publicAddresses(text: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }
}
