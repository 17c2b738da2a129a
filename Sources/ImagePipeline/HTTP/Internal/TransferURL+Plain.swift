extension TransferURL {
    /// Reads a URL that everybody reads alike; nil for one that libcurl has to read, which takes twenty times as long.
    ///
    /// Most are plain: `http` or `https`, a host of small letters, digits, hyphens and dots or an address of version 4, perhaps a port, and
    /// a path with nothing to encode, decode or resolve.
    init?(plain text: String) {
        var (portStart, pathStart) = (0, 0)
        let utf8 = text.utf8
        let length = utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            let scheme = bytes.starts(with: "https://".utf8) ? 8 : bytes.starts(with: "http://".utf8) ? 7 : 0
            guard scheme > 0, let slash = bytes[scheme...].firstIndex(of: UInt8(ascii: "/")) else { return nil }
            let end = bytes[scheme..<slash].firstIndex(of: UInt8(ascii: ":")) ?? slash
            (portStart, pathStart) = (end, slash)
            let isPlain = Self.isName(bytes[scheme..<end]) && Self.isPath(bytes[slash...])
            return isPlain ? scheme : nil
        }
        guard case let start?? = length else { return nil }
        func part(_ range: Range<Int>) -> Substring {
            let first = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            return text[first..<utf8.index(first, offsetBy: range.count)]
        }
        let scheme = start == 8 ? "https" : "http"
        let host = String(part(start..<portStart))
        let last = host.utf8.lastIndex(of: UInt8(ascii: ".")).map { host.utf8[host.utf8.index(after: $0)...] }
        let address = IPAddress(host)
        // A name that ends with a number is an address in some older writing.
        if address == nil, (last ?? host.utf8[...]).first.map({ (48...57).contains($0) }) != false { return nil }
        var port = start == 8 ? 443 : 80
        if portStart < pathStart {
            let digits = part((portStart + 1)..<pathStart)
            guard digits.utf8.allSatisfy({ (48...57).contains($0) }), digits.utf8.first != 48,
                let number = UInt16(digits)
            else { return nil }
            port = Int(number)
        }
        self.init(text: text, scheme: scheme, host: host, port: port, literalAddress: address)
    }

    private static func isName(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var before = UInt8(ascii: ".")
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            case UInt8(ascii: ".") where before != UInt8(ascii: "."): break
            default: return false
            }
            before = byte
        }
        return bytes.count <= 253 && before != UInt8(ascii: ".")
    }

    private static func isPath(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var before = UInt8(0)
        var isQuery = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "/")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: "+"):
                break
            // `/.` may begin a folder that means another one.
            case UInt8(ascii: ".") where isQuery || before != UInt8(ascii: "/"): break
            case UInt8(ascii: "?"): isQuery = true
            default: return false
            }
            before = byte
        }
        // libcurl drops a question mark that nothing follows.
        return before != UInt8(ascii: "?")
    }
}
