/// Collects the header fields of the responses of one transfer, informational ones included.
struct HeadParser {
    private(set) var fields: [HTTPField] = []
    private(set) var byteCount = 0
    private(set) var isHTTP1 = true
    /// The status of the line that a head begins with; nil where that is none.
    private(set) var status: Int?
    /// Whether the next line is the first one of a head.
    private var isAtStart = true
    /// The fault of a line because of which libcurl, which reads the body, may see another end of it, or another beginning.
    private var oddLine: String?

    /// Takes a line. One behind the body counts towards the size, but is no part of the head (RFC 9110, 6.5.1).
    ///
    /// - Returns: Whether the line ends a head.
    mutating func append(_ raw: UnsafeRawBufferPointer, isTrailer: Bool = false) -> Bool {
        byteCount += raw.count
        if isTrailer { return false }
        return raw.withMemoryRebound(to: UInt8.self) { append(line: $0) }
    }

    private mutating func append(line bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = bytes.lastIndex { $0 != 13 && $0 != 10 }
        let line = bytes[..<(end.map { $0 + 1 } ?? 0)]
        // libcurl takes a line that begins with a carriage return for an empty one.
        guard let first = line.first, first != 13 else {
            if !line.isEmpty { oddLine = "a line of the head begins with a carriage return" }
            isAtStart = true
            return true
        }
        if isAtStart { (status, oddLine) = (Self.status(line), nil) }
        defer { isAtStart = false }
        if isAtStart, line.starts(with: "HTTP/".utf8) {
            fields = []
            isHTTP1 = line.starts(with: "HTTP/1".utf8)
        } else if first != 32, first != 9, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            // RFC 9112, 5.1: no space may stand before the colon; a field that somebody sees through it counts.
            let written = line[..<colon]
            let name = Self.text(HTTPField.trimmed(written))
            let isUnseen = written.last == 32 || written.last == 9 || line.contains(13)
            add(name, Self.value(line[(colon + 1)...], of: name), isUnseen: isUnseen)
        } else if let last = fields.popLast() {
            // RFC 9112, 5.2: a folded line goes on with the value of the one before. Spaces around all of it are none of it.
            let parts = [last.value, Self.value(line, of: last.name)].filter { !$0.isEmpty }
            add(last.name, parts.joined(separator: " "), isUnseen: true)
        }
        return false
    }

    private mutating func add(_ name: String, _ value: String, isUnseen: Bool) {
        let field = HTTPField(name, value, isPrivate: false)
        fields.append(field)
        if isUnseen, field.isNamed(oneOf: ["content-length", "transfer-encoding"]) {
            oddLine = "the field that says where the body ends is folded, or has a space or return where none may be"
        }
    }

    /// The status that a line names, if it is one with a status. libcurl takes 200 for that of a line that is nearly one.
    private static func status(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard line.starts(with: "HTTP/".utf8) else { return nil }
        let digits = line.drop { $0 != 32 }.drop { $0 == 32 }.prefix { (48...57).contains($0) }
        return digits.count == 3 ? Int(text(digits)) : nil
    }

    private static func value(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, of name: String) -> String {
        let value = HTTPField.trimmed(bytes)
        guard HTTPField(name, "", isPrivate: false).isNamed("location"),
            String(validating: value, as: UTF8.self) == nil
        else { return text(value) }
        // The bytes are what its server knows: they are encoded one by one, as browsers do.
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = value.flatMap { $0 < 128 ? [$0] : [37, digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return encoded.withUnsafeBufferPointer { text($0[...]) }
    }

    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        // RFC 9112, 2.2: a carriage return by itself is a space.
        guard !bytes.contains(13) else { return String(decoding: bytes.map { $0 == 13 ? 32 : $0 }, as: UTF8.self) }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    func values(_ name: String) -> [String] { fields.values(name) }

    /// Whether anybody can tell that the body was cut short: a length or chunks end it. Nothing else does: `Transfer-Encoding: identity` goes
    /// on until the connection ends, and the frames of HTTP/2 until the stream does: libcurl does not say whether it was reset without an
    /// error, as proxies do with a stream whose origin has failed. Of a body that is encoded only the encoded bytes are counted; libcurl does
    /// not say whether those were all that there should be.
    var isDelimited: Bool {
        if isEncoded { return false }
        // A field that names no coding makes libcurl ignore the length all the same.
        let isByCoding = isHTTP1 && !values("transfer-encoding").isEmpty
        return isByCoding ? transferCodings.last == "chunked" : !values("content-length").isEmpty
    }

    private var transferCodings: [String] {
        // By bytes: there are letters of other scripts whose lower case is one of these.
        values("transfer-encoding").flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { HTTPField.trimmed($0).map { (65...90).contains($0) ? $0 + 32 : $0 } }
            .filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The coding of the transfer that libcurl leaves in the body; nil where there is none. Chunks it takes off, from others it was not asked
    /// to (RFC 9112, 6.1).
    var unknownTransferCoding: String? {
        guard isHTTP1 else { return nil }
        let codings = transferCodings
        // Some versions leave chunks in where "identity" precedes them.
        if codings == ["chunked"] || codings.allSatisfy({ $0 == "identity" }) { return nil }
        return codings.joined(separator: ", ")
    }

    /// Whether the bytes of the body are not those that are transferred.
    var isEncoded: Bool {
        !BodyDecoder.codings(of: values("content-encoding")).isEmpty
    }

    /// The fault of what is said of the body's end; nil where there is none. Who believes one of two lengths, reads a number in another way, or
    /// misses a field, sees another body.
    var framingProblem: String? {
        if let oddLine { return oddLine }
        let fields = values("content-length")
        if fields.count == 1, Self.isNumber(fields[0]) { return nil }
        let lengths = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { String(HTTPField.trimmed($0)) }
        if Set(lengths).count > 1 { return "two different lengths are announced" }
        guard let length = lengths.first, !Self.isNumber(length) else { return nil }
        return "the announced length is no number: \(length.prefix(40).debugDescription)"
    }

    /// Int takes a sign, too.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.allSatisfy { (48...57).contains($0) } && Int(text) != nil
    }
}
