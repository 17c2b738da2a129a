/// Something about a ``RequestLog`` that one can wait for.
public enum LogCondition: Sendable, Hashable {
    /// So many requests for the path have arrived.
    case requests(String, atLeast: Int = 1)
    /// So many requests for the path have ended this way.
    case ended(String, RequestEnding, atLeast: Int = 1)
    /// So many replies for the path stand still at a ``Fault/stall(_:)``.
    case stalled(String, atLeast: Int = 1)
    /// One reply for the path has sent so many bytes of its body.
    case bodyBytes(String, atLeast: Int)
    /// No more connections than this are open.
    case openConnections(atMost: Int)

    func holds(for requests: [LoggedRequest], openConnections: Int) -> Bool {
        switch self {
        case .requests(let path, let count):
            requests.count { $0.path == path } >= count
        case .ended(let path, let ending, let count):
            requests.count { $0.path == path && $0.ending == ending } >= count
        case .stalled(let path, let count):
            requests.count { $0.path == path && $0.isStalled } >= count
        case .bodyBytes(let path, let count):
            requests.contains { $0.path == path && $0.bodyBytesSent >= count }
        case .openConnections(let count):
            openConnections <= count
        }
    }
}
