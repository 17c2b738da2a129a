/// What carries HTTP: libcurl here, anything else elsewhere.
public protocol HTTPTransport: Sendable {
    /// Starts a GET. The receiver is told what comes, one thing at a time, on the transport's thread.
    func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer
}

/// A GET request.
public struct HTTPRequest: Sendable, Hashable {
    /// An `http` or `https` URL.
    public var url: String
    /// Headers to send. Authorization and cookies go to the first origin only, should it redirect.
    public var headers: [HTTPField]

    public init(url: String, headers: [HTTPField] = []) {
        self.url = url
        self.headers = headers
    }
}

/// The final response's beginning.
public struct HTTPResponseHead: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields in the order in which they came.
    public let headers: [HTTPField]
    /// How long the body is, in bytes, if the server says so.
    public let contentLength: Int?

    /// Whether a body that was cut short fails the transfer: its length was announced, or it comes in chunks or frames. If
    /// it goes on until the connection ends, nobody can tell.
    public let isDelimited: Bool

    public init(status: Int, headers: [HTTPField], contentLength: Int?, isDelimited: Bool) {
        self.status = status
        self.headers = headers
        self.contentLength = contentLength
        self.isDelimited = isDelimited
    }

    /// The values of a field, in the order in which they came; its name in any case.
    public subscript(name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

/// What is told of a transfer.
public protocol HTTPReceiver: Sendable {
    /// The final response begins; redirects are followed before.
    func didReceive(_ head: HTTPResponseHead)
    /// The next bytes of the body, as many times as was requested.
    func didReceive(_ bytes: [UInt8])
    /// It is over; nothing follows.
    func didEnd(_ error: TransportError?)
}

/// A transfer under way. Any thread may use it, at any time.
public protocol HTTPTransfer: Sendable {
    /// Asks for that many chunks more. With none asked for the socket isn't read, so the server has to wait.
    func request(_ chunks: Int)
    /// Ends it and closes its socket. Nothing is received after what is being received.
    func cancel()
}
