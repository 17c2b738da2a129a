/// Collects the header fields of the responses of one transfer, informational ones included.
struct HeadParser {
    private(set) var fields: [HTTPField] = []
    private(set) var byteCount = 0
    private var isHTTP1 = true

    /// - Returns: Whether the line ends a head.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        byteCount += bytes.count
        let line = bytes.prefix { $0 != 13 && $0 != 10 }
        if line.isEmpty { return true }
        if line.starts(with: "HTTP/".utf8) {
            fields = []
            isHTTP1 = line.starts(with: "HTTP/1".utf8)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            add(Self.text(line[..<colon]), Self.text(HTTPField.trimmed(line[(colon + 1)...])))
        } else if let last = fields.popLast() {
            // RFC 9112, 5.2: a folded line goes on with the value of the one before.
            add(last.name, "\(last.value) \(Self.text(HTTPField.trimmed(line)))")
        }
        return false
    }

    private mutating func add(_ name: String, _ value: String) {
        fields.append(HTTPField(name, value, isPrivate: false))
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    func values(_ name: String) -> [String] { fields.values(name) }

    /// Whether anybody can tell that the body was cut short: from HTTP/2 on frames end it, before a length or chunks. Nothing else does:
    /// `Transfer-Encoding: identity` goes on until the connection ends.
    var isDelimited: Bool {
        if !isHTTP1 { return true }
        let codings = values("transfer-encoding").joined(separator: ",").lowercased()
        if !codings.isEmpty { return codings.hasSuffix("chunked") }
        return !values("content-length").isEmpty
    }

    /// Whether the bytes of the body are not those that are transferred.
    var isEncoded: Bool {
        values("content-encoding").contains { !["", "identity"].contains($0.lowercased()) }
    }

    /// Whether two lengths are announced: who believes the one and who believes the other see different bodies.
    var hasConflictingLengths: Bool { Set(values("content-length")).count > 1 }
}
