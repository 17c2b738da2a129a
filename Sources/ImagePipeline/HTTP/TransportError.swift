/// An error that ended a transfer.
public enum TransportError: Error, Sendable, Hashable {
    /// A limit of ``TransferLimits`` in time.
    public enum TimeLimit: String, Sendable, Hashable {
        /// The name was not found in time: part of the time to connect.
        case lookup
        /// The connection, including its encryption, was not established in time.
        case connect
        /// Too few bytes came in too long a time.
        case stall
        /// The whole took too long.
        case total
    }

    /// The verdict on a certificate that is not accepted.
    public enum CertificateProblem: String, Sendable, Hashable {
        /// The certificate has expired.
        case expired
        /// The certificate is not valid yet.
        case notYetValid
        /// The certificate is not signed by an authority that this machine, or the transport's own file, trusts.
        case untrusted
        /// The certificate is for another host.
        case wrongName
        /// The certificate has been revoked.
        case revoked
        /// The certificate is not accepted for another reason, which the text states.
        case other
    }

    /// The URL cannot be loaded, and why. The description names neither its password nor its query.
    case invalidURL(String, reason: String)
    /// The method or a header must not be sent, and why. Nothing was sent.
    case invalidRequest(String)
    /// The host's name is unknown.
    case nameNotFound(host: String, reason: String)
    /// The address of the host is one that ``AddressPolicy`` refuses. Nothing was sent there.
    case refusedAddress(host: String, address: String)
    /// The connection was refused, or the network does not lead there.
    case couldNotConnect(String)
    /// The encrypted connection could not be established, for the reason given.
    case encryption(String)
    /// The server's certificate is not accepted.
    case certificate(CertificateProblem, reason: String)
    /// A limit in time was reached.
    case timedOut(TimeLimit)
    /// The connection broke.
    case connectionLost(String)
    /// The body ended before its announced end.
    case truncated(received: Int)
    /// The server does not speak HTTP as it should.
    case protocolViolation(String)
    /// The body is encoded in a way that was not asked for and cannot be decoded.
    case unsupportedEncoding(String)
    /// The header fields take more than that many bytes.
    case headTooLarge(limit: Int)
    /// The body has more than that many bytes.
    case bodyTooLarge(limit: Int)
    /// The server redirected more often than is allowed.
    case tooManyRedirects(limit: Int)
    /// A redirect leads to where it must not.
    case refusedRedirect(to: String, reason: String)
    /// The transfer failed for another reason, in libcurl's words.
    case failed(String)
}

extension TransportError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let url, let reason): "\(url.publicURL.debugDescription) cannot be loaded: \(reason)"
        case .invalidRequest(let reason): "the request was not sent: \(reason)"
        case .nameNotFound(let host, let reason): "\(host) is not found: \(reason)"
        case .refusedAddress(let host, let address):
            "\(host) is at \(address), which must not be loaded from (TransportOptions.addresses)"
        case .couldNotConnect(let reason): "could not connect: \(reason)"
        case .encryption(let reason): "no encrypted connection: \(reason)"
        case .certificate(let problem, let reason): "the certificate is not accepted (\(problem.text)): \(reason)"
        case .timedOut(let limit): "timed out: \(limit.text)"
        case .connectionLost(let reason): "the connection broke: \(reason)"
        case .truncated(let received): "the body ended after \(received) bytes, before its announced end"
        case .protocolViolation(let reason): "the server does not speak HTTP as it should: \(reason)"
        case .unsupportedEncoding(let reason): "the body is encoded, which was not asked for: \(reason)"
        case .headTooLarge(let limit): "the header fields take more than \(limit) bytes (TransferLimits.head)"
        case .bodyTooLarge(let limit): "the body has more than \(limit) bytes (TransferLimits.body)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects (RedirectPolicy.limit)"
        case .refusedRedirect(let url, let reason):
            "the redirect to \(url.publicURL.debugDescription) is refused: \(reason)"
        case .failed(let reason): reason
        }
    }
}

extension TransportError.TimeLimit {
    fileprivate var text: String {
        switch self {
        case .lookup: "no name server has told the host's address in time (TransferLimits.connect)"
        case .connect: "no connection in time (TransferLimits.connect)"
        case .stall: "too few bytes came in too long a time (TransferLimits.stall)"
        case .total: "the whole took too long (TransferLimits.total)"
        }
    }
}

extension TransportError.CertificateProblem {
    fileprivate var text: String {
        switch self {
        case .expired: "expired"
        case .notYetValid: "not valid yet"
        case .untrusted: "signed by nobody who is trusted"
        case .wrongName: "for another host"
        case .revoked: "revoked"
        case .other: "not valid"
        }
    }
}
