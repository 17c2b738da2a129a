extension ImageRequest.Resource {
    /// What a URL, or a path, stands for.
    init(_ urlOrPath: String) {
        if let rest = Self.restOfFileURL(urlOrPath) {
            self = Self.file(rest) ?? .url(urlOrPath)
        } else if Self.hasScheme(urlOrPath) || Self.lacksScheme(urlOrPath) {
            self = .url(urlOrPath)
        } else {
            self = .file(urlOrPath)
        }
    }

    // Bytes throughout: what begins with a letter of its own, such as an accent, would make one character of it and the slash before.

    /// The bytes behind "file:", in whatever letters, where a slash follows.
    private static func restOfFileURL(_ text: String) -> Substring.UTF8View? {
        // Most begin with another letter: this is asked of each request that is made.
        guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "f"),
            text.utf8.prefix(6).map({ (65...90).contains($0) ? $0 | 0x20 : $0 }) == Array("file:/".utf8)
        else { return nil }
        return text.utf8.dropFirst("file:".utf8.count)
    }

    /// Whether there is a "://", and no "/" before.
    private static func hasScheme(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.firstIndex(of: UInt8(ascii: "/")).map { slash in
                slash > 0 && bytes[slash - 1] == UInt8(ascii: ":") && slash + 1 < bytes.count
                    && bytes[slash + 1] == UInt8(ascii: "/")
            } ?? false
        }
    }

    /// Whether text is meant as a URL, whose source will say what is wrong with it, rather than as the path of a file: a host with a
    /// port, `data:`, or a scheme with too few slashes. `./` before it makes it a path.
    private static func lacksScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let (name, rest) = (text.utf8[..<colon], text.utf8[text.utf8.index(after: colon)...])
        if ["http", "https", "data"].contains(String(Substring(name)).lowercased()) { return true }
        let port = rest.prefix { !"/?#".utf8.contains($0) }
        return !name.isEmpty && name.allSatisfy { $0 > 32 && !"/\\@".utf8.contains($0) }
            && (1...5).contains(port.count) && port.allSatisfy { (48...57).contains($0) }
    }

    /// RFC 8089, 2 and appendix B: a host, which is empty, this machine's or left out, and a path whose bytes may be percent-encoded.
    private static func file(_ rest: Substring.UTF8View) -> Self? {
        var path = rest
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2)
            guard let start = authority.firstIndex(of: UInt8(ascii: "/")),
                ["", "localhost"].contains(String(Substring(authority[..<start])).lowercased())
            else { return nil }
            path = authority[start...]
        }
        return .file(percentDecoded(path) ?? String(Substring(path)))
    }

    /// - Returns: nil where that gives no text that can be a path.
    private static func percentDecoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
