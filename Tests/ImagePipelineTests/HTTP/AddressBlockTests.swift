import Testing

@testable import ImagePipeline

@Suite("Blocks of addresses that are not public")
struct AddressBlockTests {
    /// IANA's special-purpose registries, but for what is reachable from everywhere, and where a cloud tells its machines of themselves.
    private static let version4 = [
        "168.63.129.16/32",
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ]
    private static let version6 = [
        "::/8", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16",
        "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ]
    /// Those that carry an address of version 4, and the number of bits behind it.
    private static let carriers = [("::", 0), ("::ffff:0:0", 0), ("64:ff9b::", 0), ("2002::", 80)]

    private static func number(_ text: Substring) throws -> UInt128 {
        try #require(IPAddress(String(text))).bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    private static func address(_ number: UInt128, bits: Int) throws -> IPAddress {
        let bytes = stride(from: bits - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt128($0)) }
        return try #require(IPAddress(bytes: bytes))
    }

    private static func range(_ block: String, bits: Int) throws -> ClosedRange<UInt128> {
        let parts = block.split(separator: "/")
        let first = try number(parts[0])
        return first...(first + ((UInt128(1) << UInt128(bits - (try #require(Int(parts[1]))))) - 1))
    }

    /// The first and the last address of a block and one within it, and its neighbours.
    private static func probes(_ range: ClosedRange<UInt128>, bits: Int) -> [UInt128] {
        let all = UInt128.max >> UInt128(128 - bits)
        let (first, last) = (range.lowerBound, range.upperBound)
        return [first, last, first + (last - first) / 3]
            + (first > 0 ? [first - 1] : []) + (last < all ? [last + 1] : [])
    }

    @Test("Of version 4 every block ends where the registry says", arguments: version4)
    func blocks(block: String) throws {
        let ranges = try Self.version4.map { try Self.range($0, bits: 32) }
        for probe in Self.probes(try Self.range(block, bits: 32), bits: 32) {
            let isPublic = !ranges.contains { $0.contains(probe) }
            let address = try Self.address(probe, bits: 32)
            #expect(address.isPublic == isPublic, "\(address)")
            #expect(AddressPolicy.publicOnly.allows(address) == isPublic, "\(address)")
            #expect(AddressPolicy.any.allows(address))
            for (start, shift) in Self.carriers {
                let carrier = try Self.address(Self.number(start[...]) + probe << UInt128(shift), bits: 128)
                #expect(AddressPolicy.publicOnly.allows(carrier) == isPublic, "\(carrier)")
            }
        }
    }

    @Test("Of version 6 every block ends where the registry says", arguments: version6)
    func longBlocks(block: String) throws {
        let ranges = try Self.version6.map { try Self.range($0, bits: 128) }
        for probe in Self.probes(try Self.range(block, bits: 128), bits: 128) {
            let address = try Self.address(probe, bits: 128)
            #expect(address.isPublic == !ranges.contains { $0.contains(probe) }, "\(address)")
        }
    }

    @Test(
        "No address by which clouds tell machines of themselves is public",
        arguments: [
            "169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fe80::a9fe:a9fe",
            "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "64:ff9b:1::a9fe:a9fe",
            "::ffff:0:169.254.169.254",
        ])
    func metadata(text: String) throws {
        #expect(!AddressPolicy.publicOnly.allows(try #require(IPAddress(text))))
    }
}
