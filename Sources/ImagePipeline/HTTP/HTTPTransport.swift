/// A client that transfers resources by HTTP: libcurl's here, any other elsewhere.
public protocol HTTPTransport: Sendable {
    /// Starts a request. The receiver is told what comes, one thing at a time, on the transport's thread.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receiver: The receiver of the response.
    func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer
}

/// A receiver of a transfer's response, its body and its end.
public protocol HTTPReceiver: Sendable {
    /// Receives the head of the final response; redirects are followed before.
    ///
    /// - Parameter head: The status and the header fields.
    func didReceive(_ head: HTTPResponseHead)
    /// Receives the next bytes of the body, as many times as was requested.
    ///
    /// - Parameter bytes: The bytes. An empty array says nothing, and is none of the pieces requested.
    func didReceive(_ bytes: [UInt8])
    /// Receives the end of the transfer, and the error that ended it, if any; nothing follows.
    ///
    /// - Parameter error: The error.
    func didEnd(_ error: TransportError?)
}

/// A running transfer. Any thread may use it, at any time.
public protocol HTTPTransfer: Sendable {
    /// Requests further chunks of the body. With none asked for the socket isn't read, so the server has to wait.
    ///
    /// - Parameter chunks: The number of further chunks.
    func request(_ chunks: Int)
    /// Ends the transfer and closes its connection. Nothing is received after what is being received.
    func cancel()
}
