import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("Ages in fractions of a second")
struct FreshnessTests {
    /// A response that was made at one moment and came at another one, in milliseconds after a whole second.
    private struct Exchange: Sendable {
        var isDated = true
        var lifetime = 1
        var requested = 0
        var made = 0
        var came = 0
        var asked = 0

        private static let start = 1_000_000_000

        private func time(_ milliseconds: Int) -> Duration { .seconds(Self.start) + .milliseconds(milliseconds) }

        func response() -> StoredResponse? {
            var headers = [HTTPField("Cache-Control", "max-age=\(lifetime)")]
            if isDated { headers.append(HTTPField("Date", HTTPOrigin.date(Self.start + made / 1_000))) }
            return StoredResponse(
                HTTPResponseHead(status: 200, headers: headers, contentLength: nil, isDelimited: true), to: [],
                requestTime: time(requested), responseTime: time(came))
        }

        /// Whether it is served, from memory and as it was read from its file.
        func isServed() throws -> Bool {
            guard let response = response(), let read = StoredResponse(metadata: response.metadata) else {
                throw Disproof("not stored")
            }
            let use = response.use(for: [], at: time(asked))
            guard read.use(for: [], at: time(asked)) == use else { throw Disproof("another one when it is read") }
            let rest = response.statedFreshness(at: time(asked)) ?? .zero
            guard (rest > .zero) == (use == .serve) else { throw Disproof("caches of images see \(rest) left") }
            return use == .serve
        }
    }

    @Test(
        "What is fresh for a second is served until its request and its date are a second old",
        arguments: [
            (0, 0, 30, 999, true), (0, 0, 30, 1_000, false), (400, 410, 430, 999, true), (400, 410, 430, 1_000, false),
            (990, 995, 1_005, 1_005, false),
        ])
    func oneSecond(requested: Int, made: Int, came: Int, asked: Int, isServed: Bool) throws {
        #expect(
            try Exchange(requested: requested, made: made, came: came, asked: asked).isServed() == isServed)
    }

    @Test("Without a date the time since its request counts, once", arguments: [(1_699, true), (1_700, false)])
    func undated(asked: Int, isServed: Bool) throws {
        #expect(
            try Exchange(isDated: false, requested: 700, made: 705, came: 730, asked: asked).isServed() == isServed)
    }

    @Test("A redirect that holds for two seconds holds for what its own way has left of them")
    func redirect() throws {
        let (sent, came) = (Duration.seconds(1_000), Duration.seconds(1_000) + .milliseconds(40))
        let redirect = HTTPRedirect(
            status: 302, headers: [HTTPField("Cache-Control", "max-age=2")], target: "https://example.com/b")
        let head = HTTPResponseHead(
            status: 200, headers: [HTTPField("Cache-Control", "max-age=60")], contentLength: nil, isDelimited: true,
            redirects: [redirect])
        let response = try #require(StoredResponse(head, to: [], requestTime: sent, responseTime: came))
        for response in [response, StoredResponse(metadata: response.metadata)] {
            #expect(response?.use(for: [], at: sent + .milliseconds(1_999)) == .serve)
            #expect(response?.use(for: [], at: sent + .milliseconds(2_000)) == .validate)
        }
    }

    @Test("Nothing is served for longer than it may be, and all until its date and request are that old")
    func bounds() throws {
        let exchanges = Gen<Exchange> { choices in
            let lifetime = choices.element(of: [1, 2, 3, 10])
            let requested = choices.element(of: [0, 1, 400, 999])
            let made = requested + choices.element(of: [0, 1, 30, 600, 1_500])
            let came = made + choices.element(of: [0, 1, 30, 600])
            let asked = came + choices.element(of: [0, 1, 369, 500, 970, 999, 1_000, 1_001, 1_999, 2_500, 9_000])
            return Exchange(
                isDated: choices.chance(3, of: 4), lifetime: lifetime, requested: requested, made: made, came: came,
                asked: asked)
        }
        try forAll("freshness", exchanges, cases: 4_000, describe: { "\($0)" }) { exchange in
            let (isServed, lifetime) = (try exchange.isServed(), exchange.lifetime * 1_000)
            if isServed, exchange.asked - exchange.made >= lifetime { throw Disproof("served beyond its time") }
            let oldest = exchange.isDated ? min(exchange.requested, exchange.made / 1_000 * 1_000) : exchange.requested
            if !isServed, exchange.asked - oldest < lifetime { throw Disproof("not served within its time") }
        }
    }

    @Test(
        "A directive without a name makes nothing fresh", arguments: ["=max-age=60", "==max-age=60", " = max-age=60"])
    func nameless(text: String) {
        #expect(CacheDirectives([HTTPField("Cache-Control", text)]).isEmpty)
    }
}
