extension StoredResponse {
    /// The version of the bytes that follow it.
    private static let version: UInt8 = 1
    /// That of a response behind redirects, whose facts follow the rest.
    private static let redirectedVersion: UInt8 = 3

    /// The bytes kept beside the body: a version, both times in milliseconds, the fields of the response and those of the request,
    /// each a length and its text. Behind redirects, where they have led to and both times for which they hold.
    var metadata: [UInt8] {
        var bytes = [redirection == nil ? Self.version : Self.redirectedVersion]
        for time in [requestTime, responseTime] {
            Self.append(UInt64(bitPattern: Int64(Self.milliseconds(time))), to: &bytes)
        }
        for fields in [headers, varied] {
            Self.append(UInt64(fields.count), to: &bytes)
            for text in fields.flatMap({ [$0.name, $0.value] }) {
                Self.append(UInt64(text.utf8.count), to: &bytes)
                bytes += text.utf8
            }
        }
        guard let redirection else { return bytes }
        Self.append(UInt64(redirection.target.utf8.count), to: &bytes)
        bytes += redirection.target.utf8
        for time in [redirection.lifetime, redirection.statedLifetime] {
            Self.append(time.map { UInt64(max(0, Self.milliseconds($0))) } ?? .max, to: &bytes)
        }
        return bytes
    }

    /// Reads such bytes; nil for any others.
    init?(metadata: [UInt8]) {
        var rest = metadata[...]
        func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func count() -> Int? { number().flatMap { $0 <= UInt64(metadata.count) ? Int($0) : nil } }
        func text() -> String? {
            guard let length = count(), length <= rest.count else { return nil }
            defer { rest = rest.dropFirst(length) }
            return String(validating: rest.prefix(length), as: UTF8.self)
        }
        func fields() -> [HTTPField]? {
            guard let count = count() else { return nil }
            var fields: [HTTPField] = []
            for _ in 0..<count {
                guard let name = text(), let value = text() else { return nil }
                fields.append(HTTPField(name, value, isPrivate: false))
            }
            return fields
        }
        func redirection() -> StoredRedirection? {
            guard let target = text(), let lifetime = number(), let stated = number() else { return nil }
            return StoredRedirection(
                target: target, lifetime: Int64(exactly: lifetime).map { .milliseconds($0) },
                statedLifetime: Int64(exactly: stated).map { .milliseconds($0) })
        }
        guard let version = rest.popFirst(), [Self.version, Self.redirectedVersion].contains(version),
            let requested = number(), let responded = number(), let headers = fields(), let varied = fields()
        else { return nil }
        self.redirection = version == Self.redirectedVersion ? redirection() : nil
        guard rest.isEmpty, (self.redirection != nil) == (version == Self.redirectedVersion) else { return nil }
        self.headers = headers
        self.varied = varied
        requestTime = .milliseconds(Int64(bitPattern: requested))
        responseTime = .milliseconds(Int64(bitPattern: responded))
    }

    private static func milliseconds(_ time: Duration) -> Int {
        let (seconds, rest) = time.components
        let (whole, isTooLarge) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000)
        return isTooLarge ? 0 : whole + Int(rest / 1_000_000_000_000_000)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
