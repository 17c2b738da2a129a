/// An entry of `no_proxy`: a name, which stands for all below it, too; an address; a block of addresses; or `*` for everything. A port behind
/// it restricts it to that one.
struct ProxyException {
    private enum Hosts {
        case all
        case name(String)
        case addresses(IPAddress.Block, isVersion6: Bool)
    }

    private let hosts: Hosts
    private let port: Int?

    /// The entries of a list with commas or spaces between them.
    static func list(_ text: String) -> [ProxyException] {
        text.lowercased().split { $0 == "," || $0.isWhitespace }.map { ProxyException($0) }
    }

    private init(_ text: Substring) {
        var (host, port) = (text, Int?.none)
        // More than one colon outside of brackets belong to an address.
        // Int takes a sign, too.
        if let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...]),
            text[text.index(after: colon)...].utf8.allSatisfy({ (48...57).contains($0) }),
            !text[..<colon].contains(":") || text[..<colon].hasSuffix("]")
        {
            (host, port) = (text[..<colon], number)
        }
        self.port = port
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host == "*" {
            hosts = .all
        } else if let block = IPAddress.Block(String(host)) {
            hosts = .addresses(block, isVersion6: host.contains(":"))
        } else {
            hosts = .name(String(host.drop { $0 == "." }.withoutEndDot))
        }
    }

    func covers(_ url: TransferURL) -> Bool {
        guard port == nil || port == url.port else { return false }
        switch hosts {
        case .all: return true
        case .addresses(let block, let isVersion6):
            guard let address = url.literalAddress, address.isVersion6 == isVersion6 else { return false }
            return block.contains(address.bytes)
        case .name(let name):
            let host = url.host[...].withoutEndDot
            return url.literalAddress == nil && (host == name || host.hasSuffix(".\(name)"))
        }
    }
}

extension Substring {
    /// Without the dot that a name may end with.
    fileprivate var withoutEndDot: Substring { hasSuffix(".") ? dropLast() : self }
}
