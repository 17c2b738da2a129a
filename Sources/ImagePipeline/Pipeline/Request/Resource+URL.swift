extension ImageRequest.Resource {
    /// What a URL, or a path, stands for.
    init(_ urlOrPath: String) {
        guard let schemeEnd = urlOrPath.firstRange(of: "://") else {
            self = .file(urlOrPath)
            return
        }
        let isFile = urlOrPath[..<schemeEnd.lowerBound].lowercased() == "file"
        self = isFile ? Self.file(behindScheme: urlOrPath[schemeEnd.upperBound...]) ?? .url(urlOrPath) : .url(urlOrPath)
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
