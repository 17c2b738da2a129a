import Synchronization

/// An HTTP transport that uses libcurl's multi interface on one thread of its own.
///
/// libcurl gets only what may start: the transport has a queue of its own, by priority, for all transfers and for each origin. Names
/// are looked up elsewhere (``TransportOptions/resolver``), and a transfer that waits for one takes up no place. Redirects are followed here,
/// each through the same checks as a first request.
///
/// A connection that is kept is looked at when a request is about to go out on it, and again when the answer begins: what a server has sent
/// without being asked, or before it had the request, is no answer, and the request goes out on another connection. What comes later
/// cannot be told from the answer in HTTP/1.1. With a server that is not trusted to send one answer to one request, use HTTP/2
/// (``TransportOptions/version``), whose answers name their request.
///
/// With libcurl from 7.83 to 8.1 a transfer takes more processor time: a handle of these cannot safely serve two (curl's issue 11101), so
/// each has its own.
///
/// The thread and libcurl begin with the first transfer: a program whose pipeline loads only files pays for neither.
public final class CurlTransport: HTTPTransport {
    private let options: TransportOptions
    private let running = Mutex<CurlLoop?>(nil)

    /// Creates a transport. Its thread ends when the transport is released and no transfer is running.
    ///
    /// - Parameter options: The limits, names, proxies and certificates of all transfers.
    public init(_ options: TransportOptions = TransportOptions()) {
        self.options = options
    }

    deinit {
        running.withLock { $0 }?.post(.stop)
    }

    public func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer {
        let loop = running.withLock { running in
            let loop = running ?? CurlLoop(options)
            running = loop
            return loop
        }
        let transfer = CurlTransfer(request, receiver: receiver, on: loop, of: self)
        loop.post(.start(transfer))
        return transfer
    }
}
