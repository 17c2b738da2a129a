extension StoredResponse {
    /// The use that a request may make of a stored response.
    enum Use: Hashable {
        /// It may be served as it is.
        case serve
        /// It may be served while the server is asked whether it is as it was (RFC 5861, 3).
        case serveStale
        /// The server has to be asked first whether it is as it was.
        case validate
    }

    /// Returns the use that a request with these fields may make of it at a moment since 1970 (RFC 9111, 4.2 and 5.2.1).
    func use(for request: [HTTPField], at now: Duration) -> Use {
        let response = CacheDirectives(headers)
        let asked = CacheDirectives(request)
        if response.has("no-cache") || Self.asksForNoCache(request, asked) { return .validate }
        // A clock that was set back would make it younger than it is.
        guard let age = age(at: now) else { return .validate }
        // That it stands behind this URL is more than the response itself can say.
        if let redirection, let time = redirection.lifetime, time <= residence(at: now) { return .validate }
        let lifetime = lifetime
        let isFresh = lifetime > age
        // A reload asks for an age of 0; what never changes is not asked about (RFC 8246).
        if let most = asked.seconds("max-age"), age > .seconds(most) || most == 0,
            !(isFresh && response.has("immutable"))
        {
            return .validate
        }
        if let least = asked.seconds("min-fresh"), lifetime - age < .seconds(least) { return .validate }
        if isFresh { return .serve }
        if !response.has("must-revalidate"), asked.isEmpty, let most = response.seconds("stale-while-revalidate"),
            age - lifetime <= .seconds(most)
        {
            return .serveStale
        }
        guard asked.has("max-stale"), !response.has("must-revalidate") else { return .validate }
        guard let most = asked.argument("max-stale") else { return .serve }
        return age - lifetime <= .seconds(most) ? .serve : .validate
    }

    /// Whether a request wants nothing from a cache that the server has not been asked about.
    private static func asksForNoCache(_ request: [HTTPField], _ directives: CacheDirectives) -> Bool {
        if directives.has("no-cache") { return true }
        return directives.isEmpty && request.values("pragma").contains { $0.lowercased() == "no-cache" }
    }

    /// Whether it may be served in place of an error (RFC 5861, 4). A request that says how old it may be, and nothing of errors, wants no
    /// older one then either.
    func mayReplaceError(for request: [HTTPField], at now: Duration) -> Bool {
        let (response, asked) = (CacheDirectives(headers), CacheDirectives(request))
        guard !response.has("must-revalidate"), !response.has("no-cache"), !Self.asksForNoCache(request, asked),
            let age = age(at: now)
        else { return false }
        if let redirection, let time = redirection.statedLifetime, time <= residence(at: now) { return false }
        if let own = asked.seconds("stale-if-error") {
            return age - lifetime <= .seconds(response.seconds("stale-if-error") ?? own)
        }
        if asked.has("min-fresh") || asked.seconds("max-age").map({ age > .seconds($0) }) == true { return false }
        return response.seconds("stale-if-error").map { age - lifetime <= .seconds($0) } ?? false
    }

    /// The time for which it is fresh (RFC 9111, 4.2.1): `s-maxage` is for shared caches.
    var lifetime: Duration {
        if let seconds = CacheDirectives(headers).seconds("max-age") { return .seconds(seconds) }
        let expires = values("expires")
        if !expires.isEmpty {
            guard expires.count == 1, let end = HTTPDate.seconds(expires[0]) else { return .zero }
            return max(.zero, .seconds(end) - date)
        }
        guard let changed = values("last-modified").first.flatMap(HTTPDate.seconds) else { return .zero }
        // Of a clock that is ahead the time that has passed is all that can be known.
        return .seconds(max(.zero, min(date, responseTime) - .seconds(changed)).components.seconds / 10)
    }

    /// The age (RFC 9111, 4.2.3); nil before the moment at which it came.
    ///
    /// Nothing is rounded but what the server has: a date without its fraction of a second makes the response older than it is, so that
    /// it is never fresh for longer than it may be. Each duration rounded up by itself would leave nothing of a lifetime of one second.
    func age(at now: Duration) -> Duration? {
        guard now >= responseTime else { return nil }
        // RFC 9111, 5.1: of several the first counts.
        let first = values("age").first.map { HTTPField.trimmed($0.prefix { $0 != "," }) }
        let stated = Duration.seconds(first.map(CacheDirectives.seconds) ?? 0)
        let delay = max(.zero, responseTime - requestTime)
        let apparent = max(.zero, responseTime - date)
        return max(apparent, stated + delay) + residence(at: now)
    }

    /// The time since it came.
    func residence(at now: Duration) -> Duration { now - responseTime }

    /// The moment at which the server says it was made, since 1970; the one at which it came if it does not say.
    private var date: Duration {
        let dates = values("date")
        return dates.count == 1 ? HTTPDate.seconds(dates[0]).map { .seconds($0) } ?? responseTime : responseTime
    }
}
