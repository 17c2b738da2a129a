/// The rules of RFC 9111, 5861 and 8246 for a private cache with one resource, in numbers instead of fields: written from the texts, and
/// not from the code.
struct HTTPCacheModel {
    /// The directives of a response.
    struct Terms: Sendable, Hashable {
        /// The directives of `Cache-Control`.
        var control = Control()
        /// Seconds behind the date.
        var expires: Int?
        /// Seconds before the date.
        var lastModified: Int?
        /// Seconds that the server's clock is behind.
        var dateSkew = 0
        var age: Int?
        var hasTag = true
        var variesByAll = false
        var redirect: Redirect?
        /// Whether other values follow the age, of which the first counts.
        var hasFurtherAges = false
    }

    /// A redirect on the way to the resource.
    struct Redirect: Sendable, Hashable {
        var target = 0
        var isPermanent = false
        var maxAge: Int?
        var noStore = false

        /// The time for which it has said that it holds.
        var stated: Int? { noStore ? 0 : maxAge }
    }

    struct Control: Sendable, Hashable {
        var maxAge: Int?
        var noStore = false
        var noCache = false
        var mustRevalidate = false
        var immutable = false
        var staleIfError: Int?
        var staleWhileRevalidate: Int?
        /// Whether a quotation with a quotation mark in it precedes the rest.
        var isBehindQuotation = false
    }

    /// The directives of a request.
    enum Demand: Sendable, Hashable {
        case nothing, noCache, noStore, onlyIfCached
        case maxAge(Int), minFresh(Int), maxStale(Int?)
    }

    /// The behaviour of the server when it is asked.
    enum Mood: Sendable, Hashable {
        case well, busy, broken, cut, gone, forbidding
    }

    /// The outcome that a load has to have.
    struct Outcome: Equatable {
        var shown: Int?
        /// The version of the body; nil for an error.
        var version: Int?
        var requests = 0
    }

    private struct Stored {
        var version: Int
        var terms: Terms
        /// By the client's clock.
        var arrival: Int
    }

    private var stored: Stored?

    mutating func load(_ demand: Demand, terms: Terms, version: Int, mood: Mood, now: Int) -> Outcome {
        if let stored, isFreshEnough(stored, demand, now) { return Outcome(version: stored.version) }
        if demand == .onlyIfCached { return Outcome() }
        let shown = stored.flatMap { mayBeShown($0, demand, now) ? $0.version : nil }
        // What is said of another resource than the one behind the stored response says nothing of that: the server is asked again.
        let isOfAnother = stored.map { isConfirmed($0, version, terms) && !isSameTarget($0, terms) } ?? false
        let answer = ask(demand, terms: terms, version: version, mood: mood, now: now)
        let isAnswered = mood == .well || mood == .cut
        return Outcome(shown: shown, version: answer ?? shown, requests: isOfAnother && isAnswered ? 2 : 1)
    }

    /// - Returns: The version that the server sends or confirms, or that may be served in place of an error.
    private mutating func ask(_ demand: Demand, terms: Terms, version: Int, mood: Mood, now: Int) -> Int? {
        switch mood {
        case .cut where stored.map { isConfirmed($0, version, terms) && isSameTarget($0, terms) } != true:
            // A body that is cut replaces nothing; a 304 has none.
            return ask(demand, terms: terms, version: version, mood: .broken, now: now)
        case .well, .cut:
            // A 304 renews what is there; it says nothing of fields that it does not have.
            if let old = stored, isConfirmed(old, version, terms), isSameTarget(old, terms) {
                let renewed = merged(old, terms, now: now)
                if renewed.control.noStore {
                    stored = nil
                } else if demand != .noStore {
                    stored = renewed.variesByAll ? nil : Stored(version: version, terms: renewed, arrival: now)
                }
                return version
            }
            if demand != .noStore {
                // What is not to be kept takes the place of what is there all the same.
                let isKept = !terms.control.noStore && !terms.variesByAll
                stored = isKept ? Stored(version: version, terms: terms, arrival: now) : nil
            }
            return version
        case .gone:
            stored = nil
            return nil
        case .forbidding: return nil
        case .busy, .broken:
            guard let stored, let allowed = stored.terms.control.staleIfError, !stored.terms.control.mustRevalidate,
                !stored.terms.control.noCache, let age = age(stored, now), age <= lifetime(stored.terms) + allowed,
                stored.terms.redirect?.stated.map({ now - stored.arrival < $0 }) ?? true
            else { return nil }
            switch demand {
            case .noCache, .minFresh: return nil
            case .maxAge(let most): return age <= most ? stored.version : nil
            default: return stored.version
            }
        }
    }

    /// Whether the server's answer to a validation is a 304.
    private func isConfirmed(_ old: Stored, _ version: Int, _ new: Terms) -> Bool {
        old.version == version && old.terms.hasTag && new.hasTag
    }

    private func isSameTarget(_ old: Stored, _ new: Terms) -> Bool {
        old.terms.redirect?.target == new.redirect?.target
    }

    /// Whether the redirect on the way leads there still.
    private func holds(_ stored: Stored, _ now: Int) -> Bool {
        guard let redirect = stored.terms.redirect else { return true }
        guard let time = redirect.stated ?? (redirect.isPermanent ? nil : 0) else { return true }
        return now - stored.arrival < time
    }

    /// The stored response with what a 304 says: the old dates stand, and count from the new one.
    private func merged(_ old: Stored, _ new: Terms, now: Int) -> Terms {
        var result = new
        if !new.hasControl {
            result.control = old.terms.control
        }
        let elapsed = (now - new.dateSkew) - (old.arrival - old.terms.dateSkew)
        result.expires = new.expires ?? old.terms.expires.map { $0 - elapsed }
        result.lastModified = new.lastModified ?? old.terms.lastModified.map { $0 + elapsed }
        return result
    }

    private func isFreshEnough(_ stored: Stored, _ demand: Demand, _ now: Int) -> Bool {
        let terms = stored.terms
        guard !terms.control.noCache, demand != .noCache, holds(stored, now), let age = age(stored, now) else {
            return false
        }
        let rest = lifetime(terms) - age
        switch demand {
        case .maxAge(let most): return (age <= most && most > 0 || terms.control.immutable && rest > 0) && rest > 0
        case .minFresh(let least): return rest >= least && rest > 0
        case .maxStale(let most): return rest > 0 || !terms.control.mustRevalidate && -rest <= most ?? .max
        default: return rest > 0
        }
    }

    private func mayBeShown(_ stored: Stored, _ demand: Demand, _ now: Int) -> Bool {
        guard demand == .nothing, let allowed = stored.terms.control.staleWhileRevalidate,
            !stored.terms.control.mustRevalidate,
            !stored.terms.control.noCache, holds(stored, now), let age = age(stored, now)
        else { return false }
        return age <= lifetime(stored.terms) + allowed
    }

    private func lifetime(_ terms: Terms) -> Int {
        terms.control.maxAge ?? terms.expires.map { max(0, $0) } ?? heuristicLifetime(terms)
    }

    /// By a server's clock that is ahead a resource would have stayed as it is for longer than it has.
    private func heuristicLifetime(_ terms: Terms) -> Int {
        max(0, (terms.lastModified ?? 0) + min(0, terms.dateSkew)) / 10
    }

    private func age(_ stored: Stored, _ now: Int) -> Int? {
        now < stored.arrival ? nil : max(stored.terms.dateSkew, stored.terms.age ?? 0, 0) + now - stored.arrival
    }
}

extension HTTPCacheModel.Terms {
    /// Whether there is a `Cache-Control` field.
    var hasControl: Bool { control != HTTPCacheModel.Control() }
}

extension HTTPCacheModel.Control {
    /// The field's value.
    var text: String {
        [
            isBehindQuotation ? #"x="a\"b""# : nil, maxAge.map { "max-age=\($0)" }, noStore ? "no-store" : nil,
            noCache ? "no-cache" : nil,
            mustRevalidate ? "must-revalidate" : nil, immutable ? "immutable" : nil,
            staleIfError.map { "stale-if-error=\($0)" }, staleWhileRevalidate.map { "stale-while-revalidate=\($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
