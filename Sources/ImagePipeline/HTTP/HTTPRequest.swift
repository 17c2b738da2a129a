/// A request without a body.
public struct HTTPRequest: Sendable, Hashable {
    /// The method: `GET` or `HEAD`.
    public var method: String
    /// An `http` or `https` URL. Spaces and characters beyond ASCII are encoded as browsers do.
    public var url: String
    /// Headers to send. Private ones go to the first origin only, should it redirect.
    public var headers: [HTTPField]
    /// The limits of this transfer; nil for those of the transport.
    public var limits: TransferLimits?
    /// The place among transfers that wait for a connection.
    public var priority: LoadPriority

    /// Creates a request; see the properties.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET` or `HEAD`.
    ///   - url: An `http` or `https` URL.
    ///   - headers: The HTTP header fields to send.
    ///   - limits: The limits of this transfer; nil for those of the transport.
    ///   - priority: The place among transfers that wait for a connection.
    public init(
        method: String = "GET", url: String, headers: [HTTPField] = [], limits: TransferLimits? = nil,
        priority: LoadPriority = .normal
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.limits = limits
        self.priority = priority
    }
}

extension HTTPRequest {
    /// Throws what must not be sent: a line break or a NUL would begin another header, or another request.
    func check() throws(TransportError) {
        guard ["GET", "HEAD"].contains(method) else {
            throw .invalidRequest("the method \(method.debugDescription) is neither GET nor HEAD")
        }
        for header in headers {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(Self.isTokenByte) else {
                throw .invalidRequest("\(header.name.debugDescription) is not the name of a header field")
            }
            // RFC 9110, 5.5: no control characters but tabs.
            guard header.value.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else {
                throw .invalidRequest(
                    "the value of \(header.name) has a line break, a NUL or another control character")
            }
        }
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
