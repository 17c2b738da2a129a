import Files

/// The places in which this machine looks up names: what `resolv.conf`, `nsswitch.conf` and the hosts file say.
struct NameServices: Sendable {
    struct Server: Sendable, Hashable {
        var address: IPAddress
        var port: UInt16 = 53
    }

    /// The name servers, in the order in which they are asked; none where DNS is not to be asked, or not in the plain way.
    var servers: [Server] = []
    /// The domains in which names are looked for that are not whole.
    var search: [String] = []
    /// The number of dots with which a name counts as whole.
    var dots = 1
    /// The time after which a server counts as silent.
    var timeout = Duration.seconds(5)
    /// The number of times that each server is asked.
    var attempts = 2
    /// Whether the system knows names that neither DNS nor the hosts file has.
    var hasOthers = false
    /// The file with this machine's own addresses of names.
    var hostsFile = "/etc/hosts"
    /// This machine's own name.
    var ownName = ""

    /// The services of `nsswitch.conf` that add nothing to DNS and the hosts file but names of this machine and of its link.
    private static let plain: Set = [
        "files", "dns", "resolve", "myhostname", "mymachines", "mdns_minimal", "mdns4_minimal", "mdns6_minimal", "mdns",
        "mdns4", "mdns6",
    ]

    /// - Parameters:
    ///   - resolver: The text of `resolv.conf`.
    ///   - switching: The text of `nsswitch.conf`.
    init(resolver: String, switching: String) {
        for line in Self.lines(switching) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(Self.words)
            guard parts.count == 2, parts[0] == ["hosts"] else { continue }
            let services = parts[1].filter { !$0.hasPrefix("[") && !$0.hasSuffix("]") }
            hasOthers = !services.allSatisfy { Self.plain.contains(String($0)) }
            guard services.contains("dns") || services.contains("resolve") else { return }
        }
        for words in Self.lines(resolver).map(Self.words) where words.count > 1 {
            let values = words.dropFirst().map(String.init)
            switch words[0] {
            // The system, too, asks three at most.
            case "nameserver" where servers.count < 3:
                if let address = IPAddress(values[0]) { servers.append(Server(address: address)) }
            case "search", "domain": search = values.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
            case "options": for option in values { read(option) }
            default: break
            }
        }
        search.removeAll { $0.isEmpty }
    }

    private mutating func read(_ option: String) {
        let parts = option.split(separator: ":")
        let value = parts.count == 2 ? Int(parts[1]) ?? -1 : -1
        switch parts.first {
        case "ndots" where value >= 0: dots = min(value, 15)
        case "timeout" where value > 0: timeout = .seconds(min(value, 30))
        case "attempts" where value > 0: attempts = min(value, 5)
        default: break
        }
    }

    /// The lines of a file without their comments.
    private static func lines(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" && $0 != ";" } }
    }

    private static func words(_ line: Substring) -> [Substring] {
        line.split { $0 == " " || $0 == "\t" }
    }

    /// Reads what this machine says now: it may be on another network than a moment ago.
    static func current() -> NameServices {
        func text(_ path: String) -> String {
            guard let file = try? FileDescriptor.reading(path), let bytes = try? file.read(64 << 10, at: 0) else {
                return ""
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        var services = NameServices(resolver: text("/etc/resolv.conf"), switching: text("/etc/nsswitch.conf"))
        var name = [CChar](repeating: 0, count: 256)
        if gethostname(&name, name.count - 1) == 0 {
            services.ownName =
                String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        }
        return services
    }

    /// The names that are asked for in place of one, in their order.
    func candidates(for host: String) -> [String] {
        if host.hasSuffix(".") { return [String(host.dropLast())] }
        let searched = search.map { "\(host).\($0)" }
        return host.utf8.count { $0 == UInt8(ascii: ".") } >= dots ? [host] + searched : searched + [host]
    }

    /// Whether a name belongs to this machine or its link, so that DNS does not know it.
    func isLocal(_ name: String) -> Bool {
        let host = Self.withoutRoot(name)
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") || host == ownName
            || host == "_gateway"
    }

    /// A name without the dot at its end, with which it is the same.
    private static func withoutRoot(_ name: String) -> Substring {
        name.hasSuffix(".") ? name.dropLast() : name[...]
    }

    /// Whether the system is to be asked for a name that DNS does not have.
    func isKnownElsewhere(_ host: String) -> Bool { hasOthers || !host.contains(".") }

    /// The bytes of the hosts file; none where it cannot be read.
    func hosts() -> [UInt8] {
        guard let file = try? FileDescriptor.reading(hostsFile), let size = try? file.status().st_size else {
            return []
        }
        return (try? file.read(min(Int(size), 16 << 20), at: 0)) ?? []
    }

    /// The addresses that a hosts file has for a name.
    ///
    /// Some hosts files list 200,000 names that are not to be loaded from: words are compared where they stand.
    static func addresses(of host: String, inHosts bytes: [UInt8]) -> [IPAddress] {
        let name = Array(withoutRoot(host).utf8)
        var found: [IPAddress] = []
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                var address: Range<Int>?
                var isComment = false
                while place < bytes.count, bytes[place] != 10 {
                    let start = place
                    while place < bytes.count, bytes[place] > 32 { place += 1 }
                    if start == place {
                        place += 1
                    } else if isComment || bytes[start] == UInt8(ascii: "#") {
                        isComment = true
                    } else if let address {
                        let isHost =
                            place - start == name.count
                            && name.indices.allSatisfy { Self.lowercased(bytes[start + $0]) == name[$0] }
                        if isHost, let new = IPAddress(String(decoding: bytes[address], as: UTF8.self)),
                            !found.contains(new)
                        {
                            found.append(new)
                        }
                    } else {
                        address = start..<place
                    }
                }
                place += 1
            }
        }
        return found
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 32 : byte
    }
}
