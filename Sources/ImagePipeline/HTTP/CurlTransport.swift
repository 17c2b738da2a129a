import Synchronization

/// HTTP by libcurl's multi interface, on one thread of its own.
public final class CurlTransport: HTTPTransport {
    /// How transfers are bounded.
    public struct Configuration: Sendable, Hashable {
        /// Connections to one host at a time; more transfers wait their turn.
        public var connectionsPerHost = 6
        /// Connections in all.
        public var connections = 32
        /// Redirects followed.
        public var redirects = 5
        /// Seconds until a connection has to stand.
        public var connectTimeout = 10
        /// Seconds without a byte, while some are wanted, after which a transfer fails.
        public var stallTimeout = 30
        /// What the server is told of who asks.
        public var userAgent = "ImageStreams"

        public init() {}
    }

    let loop: CurlLoop

    /// A transport with a thread, which ends when nobody holds the transport and no transfer is under way.
    public init(_ configuration: Configuration = Configuration()) {
        loop = CurlLoop(configuration)
    }

    deinit {
        loop.post(.stop)
    }

    public func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer {
        let transfer = CurlTransfer(request, receiver: receiver, transport: self)
        loop.post(.start(transfer))
        return transfer
    }
}
