/// A closure that changes requests before they are sent: adds a token that has to be fetched, or a signature.
///
///     HTTPSource(transport, preparing: RequestPreparation(responses: .forOneUser) { request, wasRefused in
///         var request = request
///         request.headers.append(HTTPField("Authorization", "Bearer \(try await tokens.current(anew: wasRefused))"))
///         return request
///     })
///
/// When a server answers 401 the closure is asked once more, and what it says then is final. A closure that does not return in time has its
/// task cancelled, and the load fails with ``LoadError/preparation(reason:)``.
public struct RequestPreparation: Sendable {
    /// The audience of a response: a cache must not give to one user what another one was allowed to see.
    public enum Audience: Sendable, Hashable {
        /// The request is prepared alike whoever uses the program.
        case forEverybody
        /// The request says who asks: each has to name an ``ImageRequest/partition``, and fails with
        /// ``LoadError/preparation(reason:)`` without one. Caches and loads under way are then that party's own.
        case forOneUser
    }

    /// The audience of the responses.
    public let responses: Audience
    /// The longest time for which a load waits for the closure, each time that it asks it.
    public let timeLimit: Duration
    let prepare: @Sendable (HTTPRequest, Bool) async throws -> HTTPRequest

    /// Creates a preparation.
    ///
    /// - Parameters:
    ///   - responses: The audience of the responses.
    ///   - timeLimit: The longest time for which a load waits for the closure, each time that it asks it.
    ///   - prepare: Returns the request to send. The second argument says whether the server has refused the last one with 401.
    public init(
        responses: Audience, timeLimit: Duration = .seconds(30),
        _ prepare: @escaping @Sendable (_ request: HTTPRequest, _ wasRefused: Bool) async throws -> HTTPRequest
    ) {
        self.responses = responses
        self.timeLimit = timeLimit
        self.prepare = prepare
    }
}
