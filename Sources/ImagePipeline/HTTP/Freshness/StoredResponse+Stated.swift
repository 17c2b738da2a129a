extension StoredResponse {
    /// The time from a moment on for which the server has said that the response is fresh, for caches of what was made of it; nil where it
    /// has said nothing of the kind.
    func statedFreshness(at now: Duration) -> Duration? {
        let directives = CacheDirectives(headers)
        if directives.has("no-cache") { return .zero }
        // Without a date of its own there is nothing to subtract the date of its end from.
        let isStated = directives.has("max-age") || !values("expires").isEmpty && !values("date").isEmpty
        guard isStated else { return nil }
        return .seconds(max(0, lifetime - (age(at: now) ?? lifetime)))
    }
}

extension HTTPResponseHead {
    /// The time from its arrival on for which the server has said that the response to a request with these fields is fresh: zero for one
    /// that nobody may keep, nil where it has said nothing.
    func statedFreshness(for request: [HTTPField]) -> Duration? {
        // The rest of a body says of the whole what its beginning has said.
        let whole = HTTPResponseHead(
            status: 200, headers: headers, contentLength: contentLength, isDelimited: isDelimited)
        // Its age is what it states: the time on the way counts where there is a clock.
        guard let response = StoredResponse(whole, to: request, requestTime: .zero, responseTime: .zero) else {
            return .zero
        }
        return response.statedFreshness(at: .zero)
    }
}
