/// The facts about the redirects on the way to a stored response: where they have led to, and for how long they hold.
///
/// The response says how long it may be served for its own URL. That it is what stands behind another one the redirects alone say
/// (RFC 9111, 2).
struct StoredRedirection: Sendable, Hashable {
    /// The URL that has answered. A validator of one resource says nothing of another one (RFC 9110, 8.8).
    let target: String
    /// The seconds from the response on for which all of them hold; nil for ones that are permanent.
    let lifetime: Int?
    /// The seconds from the response on for which those hold that say so; nil where none does.
    let statedLifetime: Int?

    init(target: String, lifetime: Int?, statedLifetime: Int?) {
        self.target = target
        self.lifetime = lifetime
        self.statedLifetime = statedLifetime
    }

    /// - Returns: nil where the URL that was asked for has answered itself.
    init?(_ redirects: [HTTPRedirect], requestTime: Duration, responseTime: Duration) {
        guard let last = redirects.last else { return nil }
        var (shortest, shortestStated) = (Int?.none, Int?.none)
        for redirect in redirects {
            let head = HTTPResponseHead(status: 200, headers: redirect.headers, contentLength: nil, isDelimited: true)
            let response = StoredResponse(head, to: [], requestTime: requestTime, responseTime: responseTime)
            let stated = response.map { $0.statedFreshness(at: responseTime) } ?? .zero
            let seconds = stated.map { Int(clamping: $0.components.seconds) }
            // One that is not permanent and says nothing is for the request that it has answered (RFC 9110, 15.4.3).
            let time = seconds ?? (redirect.isPermanent ? nil : 0)
            shortest = [shortest, time].compactMap { $0 }.min()
            shortestStated = [shortestStated, seconds].compactMap { $0 }.min()
        }
        self.init(target: last.target, lifetime: shortest, statedLifetime: shortestStated)
    }
}
