/// An answer of a name server, as far as the addresses of a name are concerned (RFC 1035, 4.1).
struct DNSMessage: Hashable {
    /// A kind of address, by its number in DNS.
    enum Kind: UInt16, CaseIterable {
        case version4 = 1
        case version6 = 28

        fileprivate var byteCount: Int { self == .version4 ? 4 : 16 }
    }

    /// The outcome of a question, as the server tells it.
    enum Verdict: Hashable {
        case answered
        case noSuchName
        case failed
    }

    /// The largest answer that is asked for, where one without extension was cut.
    static let extendedSize = 4_096

    private(set) var id: UInt16
    /// The name that was asked for, in lower case.
    private(set) var name: String
    private(set) var kind: Kind
    private(set) var verdict: Verdict
    /// Whether the answer did not fit.
    private(set) var isCut: Bool
    private(set) var addresses: [IPAddress] = []

    /// Whether a host may have this name.
    static func isName(_ name: String) -> Bool {
        name.utf8.count <= 253
            && name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                            true
                        default: false
                        }
                    }
            }
    }

    /// A question for the addresses of a name that a host may have.
    ///
    /// - Parameter isExtended: Whether a larger answer may come (RFC 6891); some old servers do not know of that.
    static func question(_ id: UInt16, _ name: String, _ kind: Kind, isExtended: Bool) -> [UInt8] {
        // Recursion is desired: the server is to find out.
        var bytes = [UInt8(id >> 8), UInt8(id & 255), 1, 0, 0, 1, 0, 0, 0, 0, 0, isExtended ? 1 : 0]
        for label in name.utf8.split(separator: UInt8(ascii: ".")) {
            bytes.append(UInt8(truncatingIfNeeded: label.count))
            bytes += label
        }
        bytes += [0, 0, UInt8(kind.rawValue), 0, 1]
        if isExtended { bytes += [0, 0, 41, UInt8(extendedSize >> 8), UInt8(extendedSize & 255), 0, 0, 0, 0, 0, 0] }
        return bytes
    }

    /// Reads an answer; nil for anything else, and for one that is damaged.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        guard let id = reader.number(), let flags = reader.number(), flags >> 15 == 1, reader.number() == 1,
            let answers = reader.number(), reader.number() != nil, reader.number() != nil, let name = reader.name(),
            let kind = reader.number().flatMap(Kind.init), reader.number() == 1
        else { return nil }
        (self.id, self.name, self.kind) = (id, name, kind)
        isCut = flags & 0x200 != 0
        verdict =
            switch flags & 15 {
            case 0: .answered
            case 3: .noSuchName
            default: .failed
            }
        // Names that the asked one stands for come along, with their addresses.
        for _ in 0..<answers {
            guard reader.skipName(), let type = reader.number(), let family = reader.number(), reader.skip(4),
                let length = reader.number(), let data = reader.take(Int(length))
            else {
                // A cut answer ends anywhere.
                if isCut { return }
                return nil
            }
            if type == kind.rawValue, family == 1, data.count == kind.byteCount,
                let address = IPAddress(bytes: Array(data)), !addresses.contains(address)
            {
                addresses.append(address)
            }
        }
    }

    /// Reads from the front, and never beyond the end.
    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= bytes.count - place else { return nil }
            defer { place += count }
            return bytes[place..<place + count]
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        mutating func number() -> UInt16? {
            take(2).map { $0.reduce(0) { $0 << 8 | UInt16($1) } }
        }

        /// The name of a question, which refers to no other one.
        mutating func name() -> String? {
            var labels: [String] = []
            while let length = take(1)?.first, length < 64 {
                if length == 0 { return labels.joined(separator: ".").lowercased() }
                guard let label = take(Int(length)) else { return nil }
                labels.append(String(decoding: label, as: UTF8.self))
            }
            return nil
        }

        mutating func skipName() -> Bool {
            while let length = take(1)?.first {
                if length == 0 { return true }
                // The rest of the name stands elsewhere.
                if length >= 192 { return skip(1) }
                guard length < 64, skip(Int(length)) else { return false }
            }
            return false
        }
    }
}
