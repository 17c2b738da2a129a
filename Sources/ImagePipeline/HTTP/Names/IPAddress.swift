import Files

/// An address of the Internet Protocol, version 4 or 6.
public struct IPAddress: Sendable, Hashable {
    /// The bytes in network order: 4 or 16.
    public let bytes: [UInt8]

    /// Creates an address of 4 or 16 bytes; nil for another number.
    ///
    /// - Parameter bytes: The bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Creates an address of its text, such as `192.0.2.1` or `2001:db8::1`; nil for anything else.
    ///
    /// - Parameter text: The text.
    public init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Copies the address out of a socket's; nil for another family.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// A Boolean value that indicates whether the address is one of version 6.
    public var isVersion6: Bool { bytes.count == 16 }

    /// A Boolean value that indicates whether the address belongs to the public internet: not to this machine, a private or link-local
    /// network, a cloud's metadata service, documentation, multicast or what is reserved (IANA's special-purpose registries).
    public var isPublic: Bool {
        isVersion6 ? isPublicVersion6 : !Self.reserved4.contains { $0.contains(bytes) }
    }

    /// Addresses of version 6 that carry one of version 4 are judged by that.
    private var isPublicVersion6: Bool {
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
        let isCompatible = bytes[..<12].allSatisfy { $0 == 0 }
        let isTranslated = Self.nat64.contains(bytes)
        if isMapped || isCompatible || isTranslated { return IPAddress(bytes: Array(bytes[12...]))?.isPublic ?? false }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return IPAddress(bytes: Array(bytes[2..<6]))?.isPublic ?? false }
        return !Self.reserved6.contains { $0.contains(bytes) }
    }

    /// A block of addresses that begin alike.
    struct Block {
        private let start: [UInt8]
        private let length: Int

        init(_ start: [UInt8], _ length: Int) {
            self.start = start
            self.length = length
        }

        /// A block as it is written, `192.0.2.0/24`, or a single address; nil for anything else.
        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
            let bits = address.bytes.count * 8
            if parts.count == 1 {
                self.init(address.bytes, bits)
            } else {
                // Int takes a sign, too.
                guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(parts[1]), length <= bits
                else { return nil }
                self.init(address.bytes, length)
            }
        }

        /// - Parameter bytes: Those of an address of the same version.
        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<length).allSatisfy { bit in
                let (index, mask) = (bit / 8, UInt8(0x80) >> UInt8(bit % 8))
                return (index < start.count ? start[index] : 0) & mask == bytes[index] & mask
            }
        }
    }

    private static let nat64 = Block([0, 0x64, 0xff, 0x9b], 96)

    private static let reserved4 = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        // Azure's: its machines are told of themselves there.
        Block([168, 63, 129, 16], 32),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
        Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        Block([224], 4), Block([240], 4),
    ]

    private static let reserved6 = [
        Block([0x00], 8), Block([0x01, 0x00], 63), Block([0x20, 0x01, 0x00], 23), Block([0x20, 0x01, 0x0d, 0xb8], 32),
        Block([0x3f, 0xff], 20), Block([0x5f, 0x00], 16), Block([0xfc], 7), Block([0xfe, 0x80], 9), Block([0xff], 8),
    ]
}

extension IPAddress: CustomStringConvertible {
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isVersion6 ? AF_INET6 : AF_INET
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
