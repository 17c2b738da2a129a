/// A client that transfers resources by HTTP: libcurl's here, any other elsewhere.
public protocol HTTPTransport: Sendable {
    /// Starts a GET request. The receiver is told what comes, one thing at a time, on the transport's thread.
    func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer
}

/// A GET request.
public struct HTTPRequest: Sendable, Hashable {
    /// An `http` or `https` URL.
    public var url: String
    /// The header fields to send. Authorization and cookies go to the first origin only, should it redirect.
    public var headers: [HTTPField]

    public init(url: String, headers: [HTTPField] = []) {
        self.url = url
        self.headers = headers
    }
}

/// The status and the header fields of the final response.
public struct HTTPResponseHead: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields in the order in which they came.
    public let headers: [HTTPField]
    /// The length of the body in bytes, if the server announced it.
    public let contentLength: Int?

    /// A Boolean value that indicates whether a body that was cut short fails the transfer: its length was announced,
    /// or it comes in chunks or frames. If it goes on until the connection ends, nobody can tell.
    public let isDelimited: Bool

    public init(status: Int, headers: [HTTPField], contentLength: Int?, isDelimited: Bool) {
        self.status = status
        self.headers = headers
        self.contentLength = contentLength
        self.isDelimited = isDelimited
    }

    /// Returns the values of a field, in the order in which they came; the case of its name does not matter.
    public subscript(name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

/// A receiver of a transfer's response, its body and its end.
public protocol HTTPReceiver: Sendable {
    /// Receives the head of the final response; redirects are followed before.
    func didReceive(_ head: HTTPResponseHead)
    /// Receives the next bytes of the body, as many times as was requested.
    func didReceive(_ bytes: [UInt8])
    /// Receives the end of the transfer, and the error that ended it, if any; nothing follows.
    func didEnd(_ error: TransportError?)
}

/// A running transfer. Any thread may use it, at any time.
public protocol HTTPTransfer: Sendable {
    /// Requests further chunks of the body. With none asked for the socket isn't read, so the server has to wait.
    func request(_ chunks: Int)
    /// Ends the transfer and closes its connection. Nothing is received after what is being received.
    func cancel()
}
