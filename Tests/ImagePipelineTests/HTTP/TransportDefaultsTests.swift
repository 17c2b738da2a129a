import Testing

@testable import ImagePipeline

@Suite("What is so unless told otherwise: transports")
struct TransportDefaultsTests {
    @Test("The limits of a transfer")
    func limits() {
        let limits = TransferLimits()
        #expect(limits.connect == .seconds(10))
        #expect(limits.stall == TransferLimits.Stall(bytes: 1_000, in: .seconds(20)))
        #expect(limits.total == .seconds(300))
        #expect(limits.body == 268_435_456)
        #expect(limits.head == 262_144)
    }

    @Test("The settings of a transport")
    func options() {
        let options = TransportOptions()
        #expect(options.transfers == 32)
        #expect(options.transfersPerHost == 6)
        #expect(options.keptConnections == 64)
        #expect(options.limits == TransferLimits())
        #expect(options.redirects == RedirectPolicy(limit: 5, allowsDowngrade: false))
        #expect(options.redirects == RedirectPolicy())
        #expect(options.version == .http1)
        #expect(options.proxy == .environment)
        #expect(options.authorityFile == nil)
        #expect(options.clientCertificate == nil)
        #expect(options.credentials.isEmpty)
        #expect(options.userAgent == "ImageStreams")
        #expect(options.nameLifetime == .seconds(30))
        #expect(options.resolver as? SystemResolver === SystemResolver.shared)
        #expect(options.bufferSize == 65_536)
        for text in ["127.0.0.1", "10.0.0.1", "192.0.2.1", "::1"] {
            #expect(IPAddress(text).map(options.addresses.allows) == true, "\(text)")
        }
    }

    @Test("A handle with which nothing has failed has no words about it")
    func errorText() throws {
        #expect(try CurlHandle(TransportOptions()).errorText.isEmpty)
    }

    @Test("A request, its certificate and its priority")
    func request() {
        let request = HTTPRequest(url: "http://a.example/")
        #expect(request.method == "GET")
        #expect(request.headers.isEmpty)
        #expect(request.limits == nil)
        #expect(request.priority == .fixed(.normal))
        #expect(LivePriority().level == .normal)
        #expect(ClientCertificate(certificateFile: "a", keyFile: "b").keyPassword == nil)
        let levels = [LoadPriority.low, .normal, .high].map(\.level)
        #expect(levels == [.low, .normal, .high])
    }

    @Test(
        "A header field stays at its origin unless it negotiates alike with any server",
        arguments: [
            ("Accept", false), ("Accept-Charset", false), ("Accept-Language", false), ("Cache-Control", false),
            ("If-Match", false), ("If-Modified-Since", false), ("If-None-Match", false), ("If-Range", false),
            ("If-Unmodified-Since", false), ("Pragma", false), ("Range", false), ("User-Agent", false),
            ("Authorization", true), ("Cookie", true), ("Host", true), ("X-Token", true), ("Referer", true),
        ])
    func fields(name: String, isPrivate: Bool) {
        #expect(HTTPField(name, "a").isPrivate == isPrivate)
        #expect(HTTPField(name.uppercased(), "a").staysAtOrigin == isPrivate)
        let alwaysStays = ["Authorization", "Cookie", "Host"].contains(name)
        #expect(HTTPField(name, "a", isPrivate: false).staysAtOrigin == alwaysStays)
        #expect(HTTPField(name, "a", isPrivate: true).staysAtOrigin)
    }

    @Test("A queue has no limit for a group, and no places for those that rest; its limits are one at least")
    func admission() {
        let queue = AdmissionQueue<Int, Int>(limit: 7)
        #expect([queue.limit, queue.limitPerGroup, queue.restingLimit] == [7, .max, 0])
        let least = AdmissionQueue<Int, Int>(limit: 0, perGroup: -1, resting: -1)
        #expect([least.limit, least.limitPerGroup, least.restingLimit] == [1, 1, 0])
    }

    @Test("Looks are taken every tenth of a second as long as somebody waits, and 4 KB are enough in between")
    func looks() {
        var look = ProgressLook()
        let start = ContinuousClock.now
        func isDue(_ milliseconds: Int, isAwaited: Bool = true) -> Bool {
            look.isDue(isAwaited: isAwaited, at: start + .milliseconds(milliseconds))
        }
        #expect(!isDue(0))
        #expect(look.next == start + .milliseconds(100))
        #expect(!isDue(99))
        #expect(isDue(100))
        #expect(look.next == start + .milliseconds(200))
        #expect(!isDue(199))
        #expect(!isDue(200, isAwaited: false))
        #expect(look.next == nil)
        #expect(!isDue(300))
        #expect(isDue(400))
        #expect(ProgressLook.leastProgress == 4_096)
    }
}
