import Files

extension HTTPProxy {
    /// The proxy for a transfer, without which nobody knows whose name to look up; nil for none.
    func proxy(for url: TransferURL) throws(TransportError) -> TransferURL? {
        guard let text = choice(for: url) else { return nil }
        return try TransferURL(
            text.contains("://") ? text : "http://\(text)", base: nil, ports: TransferURL.proxies)
    }

    /// The URL of that proxy as it was given.
    ///
    /// - Parameter environment: Returns a variable's value.
    func choice(for url: TransferURL, environment: (String) -> String? = HTTPProxy.variable) -> String? {
        switch self {
        case .none: return nil
        case .url(let proxy): return proxy
        case .environment:
            // `HTTP_PROXY` is what a CGI program gets of a request's `Proxy` field: only the small one counts.
            let names =
                url.isEncrypted
                ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] : ["http_proxy", "all_proxy", "ALL_PROXY"]
            guard let proxy = names.lazy.compactMap(environment).first(where: { !$0.isEmpty }) else { return nil }
            let exceptions = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
            return ProxyException.list(exceptions).contains { $0.covers(url) } ? nil : proxy
        }
    }

    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
