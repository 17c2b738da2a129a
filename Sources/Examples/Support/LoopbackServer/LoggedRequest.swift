/// A request in the log of the server, with what has become of it so far.
public struct LoggedRequest: Sendable, Hashable, Identifiable {
    /// Counts the requests of a server from 0, in the order of their arrival.
    public let id: Int
    /// Counts the connections of a server from 0: requests with the same number came over the same connection.
    public let connection: Int
    /// The request; for one that was refused, method and target are empty.
    public let request: Request
    /// The status of the reply.
    public let status: Int
    /// Bytes of the body that were handed to the system, without chunk sizes.
    public internal(set) var bodyBytesSent = 0
    /// Whether the reply stands still at a ``Fault/stall(_:)``.
    public internal(set) var isStalled = false
    /// How it ended; `nil` while it has not.
    public internal(set) var ending: RequestEnding?

    /// The path asked for, without the query.
    public var path: String { request.path }
}
