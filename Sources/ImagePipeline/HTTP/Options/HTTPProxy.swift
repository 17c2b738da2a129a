/// The proxy that requests go through.
public enum HTTPProxy: Sendable, Hashable {
    /// The one that the environment names: `http_proxy`, `https_proxy`, `all_proxy`, but for the hosts in `no_proxy`.
    case environment
    /// None.
    case none
    /// A proxy's URL, with user and password if it wants them: `http://user:password@proxy.example:3128`. A SOCKS proxy looks up the hosts of
    /// requests itself, also where its scheme is `socks4` or `socks5`.
    case url(String)
}
