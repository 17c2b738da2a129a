/// The facts about the redirects on the way to a stored response: where they have led to, and for how long they hold.
///
/// The response says how long it may be served for its own URL. That it is what stands behind another one the redirects alone say
/// (RFC 9111, 2).
struct StoredRedirection: Sendable, Hashable {
    /// The URL that has answered. A validator of one resource says nothing of another one (RFC 9110, 8.8).
    let target: String
    /// The time from the response on for which all of them hold; nil for ones that are permanent.
    let lifetime: Duration?
    /// The time from the response on for which those hold that say so; nil where none does.
    let statedLifetime: Duration?

    init(target: String, lifetime: Duration?, statedLifetime: Duration?) {
        self.target = target
        self.lifetime = lifetime
        self.statedLifetime = statedLifetime
    }

    /// - Returns: nil where the URL that was asked for has answered itself.
    init?(_ redirects: [HTTPRedirect], requestTime: Duration, responseTime: Duration) {
        guard let last = redirects.last else { return nil }
        var (shortest, shortestStated) = (Duration?.none, Duration?.none)
        for redirect in redirects {
            let head = HTTPResponseHead(status: 200, headers: redirect.headers, contentLength: nil, isDelimited: true)
            let response = StoredResponse(head, to: [], requestTime: requestTime, responseTime: responseTime)
            let stated = response.map { $0.statedFreshness(at: responseTime) } ?? .zero
            // One that is not permanent and says nothing is for the request that it has answered (RFC 9110, 15.4.3).
            let time = stated ?? (redirect.isPermanent ? nil : .zero)
            shortest = [shortest, time].compactMap { $0 }.min()
            shortestStated = [shortestStated, stated].compactMap { $0 }.min()
        }
        self.init(target: last.target, lifetime: shortest, statedLifetime: shortestStated)
    }
}
