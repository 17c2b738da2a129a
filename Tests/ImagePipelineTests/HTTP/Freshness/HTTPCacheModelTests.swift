import ImagePipeline
import StreamsTesting
import Testing

@Suite("The cache's rules and a model of the standard")
struct HTTPCacheModelTests {
    private typealias Model = HTTPCacheModel

    private struct Step: Sendable {
        var wait = 0
        var terms = Model.Terms()
        var isNewVersion = false
        var mood = Model.Mood.well
        var demand = Model.Demand.nothing
    }

    private static let seconds = Gen<Int> { $0.element(of: [0, 10, 1, 9, 11, 50, 100]) }

    private static let steps = Gen<Step> { choices in
        func often(_ total: Int) -> Int? { choices.chance(1, of: total) ? seconds.draw(&choices) : nil }
        var step = Step()
        step.wait = choices.element(of: [0, 1, 9, 10, 11, 12, 50, 200, -5, -300])
        if choices.chance(3, of: 4) { step.terms.control.maxAge = seconds.draw(&choices) }
        (step.terms.expires, step.terms.lastModified) = (often(4), often(4).map { 10 * $0 })
        step.terms.dateSkew = choices.chance(1, of: 6) ? choices.element(of: [3, -3, 30]) : 0
        step.terms.age = often(6)
        step.terms.control.noStore = choices.chance(1, of: 12)
        step.terms.control.noCache = choices.chance(1, of: 10)
        step.terms.control.mustRevalidate = choices.chance(1, of: 8)
        step.terms.control.immutable = choices.chance(1, of: 8)
        (step.terms.control.staleIfError, step.terms.control.staleWhileRevalidate) = (often(4), often(4))
        step.terms.hasTag = !choices.chance(1, of: 6)
        step.terms.variesByAll = choices.chance(1, of: 16)
        step.terms.hasFurtherAges = choices.chance(1, of: 4)
        step.terms.control.isBehindQuotation = choices.chance(1, of: 8)
        if choices.chance(1, of: 4) {
            step.terms.redirect = Model.Redirect(
                target: choices.element(of: [0, 0, 1]), isPermanent: choices.chance(1, of: 3), maxAge: often(2),
                noStore: choices.chance(1, of: 4))
        }
        step.isNewVersion = choices.chance(1, of: 3)
        step.mood = choices.element(of: [.well, .well, .well, .well, .busy, .broken, .cut, .gone, .forbidding])
        let time = seconds.draw(&choices)
        step.demand = choices.element(of: [
            .nothing, .nothing, .nothing, .nothing, .noCache, .noStore, .onlyIfCached, .maxAge(time), .minFresh(time),
            .maxStale(time), .maxStale(nil),
        ])
        return step
    }

    @Test(
        "Whatever a server and a client say and clocks do, a load is served as the standard has it, and asks no more than that"
    )
    func model() throws {
        try forAll("caching", Self.steps.array(upTo: 12), cases: 1_500, describe: { "\($0)" }) { steps in
            let origin = HTTPOrigin()
            var model = Model()
            for (index, step) in steps.enumerated() {
                origin.now += step.wait
                if step.isNewVersion { origin.version += 1 }
                origin.answers { Self.answer(step, $0, $1, version: origin.version) }
                let before = origin.requests.count
                let (shown, text) = origin.loadNow(Self.fields(step.demand))
                let expected = model.load(
                    step.demand, terms: step.terms, version: origin.version, mood: step.mood, now: origin.now)
                let seen = Model.Outcome(
                    shown: shown.flatMap { Int($0.dropFirst()) },
                    version: (try? text.get()).flatMap { Int($0.dropFirst()) },
                    requests: origin.requests.count - before)
                guard seen == expected else {
                    throw Disproof("step \(index): \(seen) (\(text)) instead of \(expected)")
                }
            }
        }
    }

    private static func answer(_ step: Step, _ request: ImageRequest, _ now: Int, version: Int) -> HTTPOrigin.Answer {
        switch step.mood {
        case .busy: return .init(status: 503)
        case .broken: return .init(failure: .transport(.truncated(received: 1)))
        case .gone: return .init(status: 404)
        case .forbidding: return .init(status: 403)
        case .well, .cut: break
        }
        let (terms, date) = (step.terms, now - step.terms.dateSkew)
        let tag = "\"\(version)\""
        let fields: [(String, String?)] = [
            ("Date", HTTPOrigin.date(date)),
            ("Cache-Control", terms.hasControl ? terms.control.text : nil),
            ("Expires", terms.expires.map { HTTPOrigin.date(date + $0) }),
            ("Age", terms.age.map { terms.hasFurtherAges ? "\($0), 0" : "\($0)" }),
            ("Last-Modified", terms.lastModified.map { HTTPOrigin.date(date - $0) }),
            ("ETag", terms.hasTag ? tag : nil),
            ("Vary", terms.variesByAll ? "*" : nil),
        ]
        return .init(
            status: terms.hasTag && request.validators?.entityTag == tag ? 304 : 200,
            headers: fields.compactMap { name, value in value.map { (name, $0) } },
            redirects: terms.redirect.map { [redirect($0)] } ?? [],
            cut: step.mood == .cut ? .transport(.truncated(received: 1)) : nil)
    }

    private static func redirect(_ redirect: Model.Redirect) -> HTTPRedirect {
        let directives = [redirect.maxAge.map { "max-age=\($0)" }, redirect.noStore ? "no-store" : nil]
        return HTTPRedirect(
            status: redirect.isPermanent ? 308 : 302,
            headers: directives.compactMap { $0.map { HTTPField("Cache-Control", $0) } },
            target: "https://example.com/target/\(redirect.target)")
    }

    private static func fields(_ demand: HTTPCacheModel.Demand) -> [HTTPField] {
        let directive: String? =
            switch demand {
            case .nothing: nil
            case .noCache: "no-cache"
            case .noStore: "no-store"
            case .onlyIfCached: "only-if-cached"
            case .maxAge(let seconds): "max-age=\(seconds)"
            case .minFresh(let seconds): "min-fresh=\(seconds)"
            case .maxStale(let seconds): seconds.map { "max-stale=\($0)" } ?? "max-stale"
            }
        return directive.map { [HTTPField("Cache-Control", $0)] } ?? []
    }
}
