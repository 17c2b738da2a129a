extension StoredResponse {
    /// The time from a moment on for which the server has said that the response is fresh, for caches of what was made of it; nil where it
    /// has said nothing of the kind.
    func statedFreshness(at now: Duration) -> Duration? {
        let directives = CacheDirectives(headers)
        if directives.has("no-cache") { return .zero }
        // Without a date of its own there is nothing to subtract the date of its end from.
        let isStated = directives.has("max-age") || !values("expires").isEmpty && !values("date").isEmpty
        let own = isStated ? max(.zero, lifetime - (age(at: now) ?? lifetime)) : nil
        let redirected = redirection?.statedLifetime.map {
            now < responseTime ? .zero : max(.zero, $0 - residence(at: now))
        }
        return [own, redirected].compactMap { $0 }.min()
    }
}

extension HTTPResponseHead {
    /// The time from its arrival on for which the server has said that the response to a request with these fields is fresh: zero for one
    /// that nobody may keep, nil where it has said nothing.
    ///
    /// - Parameter now: The time since 1970 at which it has come; that on the way is not known.
    func statedFreshness(for request: [HTTPField], at now: Duration) -> Duration? {
        // The rest of a body says of the whole what its beginning has said.
        let whole = HTTPResponseHead(
            status: 200, headers: headers, contentLength: contentLength, isDelimited: isDelimited,
            redirects: redirects)
        guard let response = StoredResponse(whole, to: request, requestTime: now, responseTime: now) else {
            return .zero
        }
        return response.statedFreshness(at: now)
    }
}
