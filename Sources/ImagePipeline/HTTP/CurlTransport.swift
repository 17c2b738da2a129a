import Synchronization

/// An HTTP transport that uses libcurl's multi interface on one thread of its own.
public final class CurlTransport: HTTPTransport {
    /// The bounds of a transport's connections and transfers.
    public struct Configuration: Sendable, Hashable {
        /// The number of connections to one host at a time; more transfers wait their turn.
        public var connectionsPerHost = 6
        /// The number of connections in all.
        public var connections = 32
        /// The number of redirects that are followed.
        public var redirects = 5
        /// The time in which a connection has to be established, in seconds.
        public var connectTimeout = 10
        /// The time without a byte, while some are wanted, after which a transfer fails, in seconds.
        public var stallTimeout = 30
        /// The value of the `User-Agent` header.
        public var userAgent = "ImageStreams"

        public init() {}
    }

    let loop: CurlLoop

    /// Creates a transport with a thread, which ends when nobody holds the transport and no transfer is running.
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
