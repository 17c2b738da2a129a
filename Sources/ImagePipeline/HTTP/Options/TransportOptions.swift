/// The settings of a ``CurlTransport``.
public struct TransportOptions: Sendable {
    /// A version of HTTP.
    public enum Version: Sendable, Hashable {
        /// HTTP/1.1: a transfer that is not read from makes its server wait.
        case http1
        /// HTTP/2 where an `https` server has it, else HTTP/1.1. Streams that are not read from are filled as long as another one of
        /// their connection is read: with libcurl 7.88 five of them held 20 MB, and on HTTP/1.1 0.3 MB. Bodies that are decoded as
        /// they come hold less: 500 of 0.87 MB through a slow decoder, 64 at once, took 9 MB. Through a proxy it is spoken with libcurl
        /// 8.0 or later: one before fails requests while the tunnel for another one is made. A body whose length is not announced is
        /// delivered and not stored (``HTTPResponseHead/isDelimited``).
        case http2
    }

    /// The number of transfers under way at once; 32 unless told otherwise. More wait, by priority, and hold nothing.
    ///
    /// While some wait, one that has received less than 4 KB in a tenth of a second, because its server is silent or it is not read
    /// from, goes on without counting, so that sick servers hold up no other transfer: up to twice as many connections may be open then.
    public var transfers = 32
    /// The number of transfers under way at once from one origin, whatever the version of HTTP; 6 unless told otherwise.
    public var transfersPerHost = 6
    /// The number of connections kept for further transfers; 64 unless told otherwise.
    public var keptConnections = 64
    /// The limits of transfers whose request has none of its own.
    public var limits = TransferLimits()
    /// The rules for redirects.
    public var redirects = RedirectPolicy()
    /// The addresses that may be connected to.
    public var addresses = AddressPolicy.any
    /// The version of HTTP that is spoken.
    public var version = Version.http1
    /// The proxy that requests go through.
    public var proxy = HTTPProxy.environment
    /// The path of a file with the certificates, in PEM, of the authorities to trust; nil for those of the system.
    public var authorityFile: String?
    /// The certificate that this client shows.
    public var clientCertificate: ClientCertificate?
    /// Credentials by origin, for instance `https://photos.example` or `http://127.0.0.1:8080`. They are sent there and nowhere else.
    public var credentials: [String: HTTPCredentials] = [:]
    /// The text by which servers know this program.
    public var userAgent = "ImageStreams"
    /// The time for which the addresses of a name are kept; 30 seconds unless told otherwise.
    public var nameLifetime = Duration.seconds(30)
    /// The resolver that looks up the addresses of names.
    public var resolver: any HostResolver = SystemResolver.shared
    /// The size in bytes of the pieces in which bodies are read; 64 KiB unless told otherwise.
    public var bufferSize = 64 << 10

    /// Creates options with the values that the properties name.
    public init() {}
}
