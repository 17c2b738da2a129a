import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite("Lifetimes and ages of responses")
struct LifetimeTests {
    /// A response in numbers; moments are seconds from some start on.
    private struct Response: Sendable {
        var maxAges: [Int?] = []
        var expires: [Int?] = []
        var lastModified: Int?
        var dates: [Int?] = []
        var ages: [Int?] = []
        var requested = 0
        var came = 0
        var asked = 0

        static let start = 1_000_000_000

        private static func date(_ seconds: Int?) -> String { seconds.map { HTTPOrigin.date(start + $0) } ?? "0" }

        private static func fields(_ name: String, _ values: [Int?], _ text: (Int?) -> String) -> [HTTPField] {
            values.map { HTTPField(name, text($0)) }
        }

        var headers: [HTTPField] {
            let modified = lastModified.map { [Int?.some($0)] } ?? []
            return Self.fields("Cache-Control", maxAges) { "x, max-age=\($0.map(String.init) ?? "soon")" }
                + Self.fields("Expires", expires, Self.date) + Self.fields("Last-Modified", modified, Self.date)
                + Self.fields("Date", dates, Self.date)
                + (ages.isEmpty
                    ? [] : [HTTPField("Age", ages.map { $0.map(String.init) ?? "old" }.joined(separator: " , "))])
        }

        func stored() -> StoredResponse? {
            func time(_ seconds: Int) -> Duration { .seconds(Self.start + seconds) }
            return StoredResponse(
                HTTPResponseHead(status: 200, headers: headers, contentLength: nil, isDelimited: true), to: [],
                requestTime: time(requested), responseTime: time(came))
        }

        /// The moment at which it was made: what is not said once, and well, is not said.
        private var date: Int { dates.count == 1 ? dates[0] ?? came : came }

        /// RFC 9111, 4.2.1 and 4.2.2.
        var lifetime: Int {
            if let first = maxAges.first { return maxAges.allSatisfy { $0 == first } ? first ?? 0 : 0 }
            if let first = expires.first { return expires.count > 1 ? 0 : first.map { max(0, $0 - date) } ?? 0 }
            // A server whose clock is ahead would make it older than it can be.
            return lastModified.map { max(0, min(date, came) - $0) / 10 } ?? 0
        }

        /// RFC 9111, 4.2.3.
        var age: Int {
            let apparent = max(0, came - date)
            let corrected = ((ages.first ?? 0) ?? 0) + (came - requested)
            return max(apparent, corrected) + (asked - came)
        }
    }

    private static let responses = Gen<Response> { choices in
        func several(_ choices: inout Choices, _ values: [Int?]) -> [Int?] {
            if choices.chance(1, of: 2) { return [] }
            let first = choices.element(of: values)
            return choices.chance(1, of: 6) ? [first, choices.element(of: values)] : [first]
        }
        var response = Response()
        response.requested = choices.int(in: 0...5)
        response.came = response.requested + choices.int(in: 0...5)
        response.asked = response.came + choices.element(of: [0, 1, 5, 30, 59, 60, 61, 100, 1_000])
        response.maxAges = several(&choices, [nil, 0, 1, 60, 65, 100])
        response.expires = several(&choices, [nil, -10, 0, 60, 66, 1_000])
        response.lastModified = choices.element(of: [nil, -1_000, -605, -5, 0, 50])
        response.dates = several(&choices, [nil, -100, -5, 0, 3, 200])
        response.ages = several(&choices, [nil, 0, 1, 50, 60])
        return response
    }

    @Test("They are those of RFC 9111, whatever is said twice, in vain or by a clock that is wrong")
    func model() throws {
        try forAll("lifetimes", Self.responses, cases: 20_000, describe: { "\($0)" }) { response in
            guard let stored = response.stored() else { throw Disproof("not stored") }
            let now = Duration.seconds(Response.start + response.asked)
            if stored.lifetime != .seconds(response.lifetime) {
                throw Disproof("fresh for \(stored.lifetime) instead of \(response.lifetime)")
            }
            guard let age = stored.age(at: now), age == .seconds(response.age) else {
                throw Disproof("\(String(describing: stored.age(at: now))) old instead of \(response.age)")
            }
            let isFresh = response.lifetime > response.age
            if stored.use(for: [], at: now) != (isFresh ? .serve : .validate) { throw Disproof("used otherwise") }
        }
    }

    @Test("Before it came there is no age, and nothing is served")
    func before() throws {
        let stored = try #require(Response(maxAges: [60], requested: 5, came: 10).stored())
        let now = Duration.seconds(Response.start + 10)
        #expect(stored.age(at: now - .nanoseconds(1)) == nil)
        #expect(stored.use(for: [], at: now - .nanoseconds(1)) == .validate)
        #expect(stored.age(at: now) == .seconds(5))
        #expect(stored.use(for: [], at: now) == .serve)
    }
}
