extension ImageRequest.Resource {
    /// What a URL, or a path, stands for.
    init(_ urlOrPath: String) {
        guard let length = Self.lengthOfScheme(in: urlOrPath) else {
            self = Self.lacksScheme(urlOrPath) ? .url(urlOrPath) : .file(urlOrPath)
            return
        }
        let isFile = length == 4 && urlOrPath.prefix(4).lowercased() == "file"
        self =
            isFile ? Self.file(behindScheme: urlOrPath.dropFirst("file://".count)) ?? .url(urlOrPath) : .url(urlOrPath)
    }

    /// Returns the number of bytes before the first "://". It is looked for in each request that is made.
    private static func lengthOfScheme(in text: String) -> Int? {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.first { index in
                bytes[index] == UInt8(ascii: ":") && index + 2 < bytes.count
                    && bytes[index + 1] == UInt8(ascii: "/") && bytes[index + 2] == UInt8(ascii: "/")
            }
        }
    }

    /// Whether text is meant as a URL, whose source will say what is wrong with it, rather than as the path of a file: a host with a
    /// port, `data:`, or a scheme with too few slashes. `./` before it makes it a path.
    private static func lacksScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let (name, rest) = (text[..<colon].lowercased(), text[text.index(after: colon)...])
        if ["http", "https", "data"].contains(name) { return true }
        let port = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return !name.isEmpty && name.utf8.allSatisfy { $0 > 32 && !"/\\@".utf8.contains($0) }
            && (1...5).contains(port.count) && port.allSatisfy(\.isWholeNumber)
    }

    /// RFC 8089, 2: a host, which is empty or this machine's, and a path whose bytes may be percent-encoded.
    private static func file(behindScheme rest: Substring) -> Self? {
        guard let pathStart = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<pathStart].lowercased())
        else {
            return nil
        }
        let path = rest[pathStart...]
        return .file(percentDecoded(path) ?? String(path))
    }

    /// - Returns: nil where that gives no text that can be a path.
    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
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
