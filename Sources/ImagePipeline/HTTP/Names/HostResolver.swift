import Streams

/// A service that looks up the addresses of names.
///
/// The transport asks once for each name however many loads wait for it, keeps what comes for ``TransportOptions/nameLifetime``, and
/// stops waiting at the time limit, so that a lookup may take as long as it likes.
public protocol HostResolver: Sendable {
    /// Returns the addresses of a host, in the order in which they are to be tried: one array, then the end. Must not block.
    ///
    /// - Parameter host: The name of the host.
    func addresses(of host: String) -> AnyPublisher<[IPAddress], NameError>
}

/// An error that says why a name was not found.
public struct NameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, in the system's words.
    public var reason: String

    /// Creates an error with a reason.
    ///
    /// - Parameter reason: The reason, in words.
    public init(_ reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}
