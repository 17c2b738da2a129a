/// An HTTP transport that uses libcurl's multi interface on one thread of its own.
///
/// libcurl gets only what may start: the transport has a queue of its own, by priority, for all transfers and for each origin. Names
/// are looked up elsewhere (``TransportOptions/resolver``), and a transfer that waits for one takes up no place. Redirects are followed here,
/// each through the same checks as a first request.
public final class CurlTransport: HTTPTransport {
    let loop: CurlLoop

    /// Creates a transport with a thread, which ends when the transport is released and no transfer is running.
    ///
    /// - Parameter options: The options with which work is scheduled; nil for the scheduler's own choice.
    public init(_ options: TransportOptions = TransportOptions()) {
        loop = CurlLoop(options)
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
