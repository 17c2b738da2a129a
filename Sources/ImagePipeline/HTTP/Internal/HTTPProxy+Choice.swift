import Files

extension HTTPProxy {
    /// The URL of the proxy for a transfer, without which nobody knows whose name to look up; nil for none.
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
            return Self.isExcepted(url.host, by: exceptions) ? nil : proxy
        }
    }

    private static func isExcepted(_ host: String, by exceptions: String) -> Bool {
        exceptions.lowercased().split { $0 == "," || $0 == " " }.contains { exception in
            let name = exception.drop { $0 == "." }
            return exception == "*" || host == name || host.hasSuffix(".\(name)")
        }
    }

    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
