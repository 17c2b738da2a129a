import CZlib

/// The first bytes of an object: what tells a body from one that has taken its place, and from damage.
///
///     0   4  "ISO" and the format's version, 2
///     4   8  nonce, random
///     12  8  time of writing, milliseconds since 1970
///     20  8  length of the body
///     28  4  length of the metadata
///     32  4  CRC-32 of bytes 0 to 31, the metadata and the name of the object
///     36     metadata, then the body in pieces of 64 KiB, each behind the CRC-32 of the nonce, its number and itself
///
/// All numbers are little-endian.
struct ObjectHeader: Sendable, Hashable {
    static let fixedSize = 36
    static let pieceSize = 64 << 10
    /// The bytes that new metadata leave as they are, and that no other body has.
    static let identitySize = 12
    /// The first read is large enough for all of them.
    static let largestMetadata = 64 << 10
    private static let magic = Array("ISO".utf8) + [2]

    let nonce: [UInt8]
    let written: Duration
    let bodyLength: Int
    let metadata: [UInt8]
    /// A body that states another name is not this one, whichever way it came.
    private let name: String

    init(nonce: [UInt8], written: Duration, bodyLength: Int, metadata: [UInt8], name: String) {
        self.nonce = nonce
        self.written = written
        self.bodyLength = bodyLength
        self.metadata = metadata
        self.name = name
    }

    /// Reads it from an object's beginning; nil for what is none, or is damaged.
    init?(_ bytes: [UInt8], of name: String) {
        guard bytes.count >= Self.fixedSize, Array(bytes[0..<4]) == Self.magic else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        let (length, metadata) = (number(20..<28), Int(number(28..<32)))
        guard length <= 1 << 40, metadata <= Self.largestMetadata, bytes.count >= Self.fixedSize + metadata else {
            return nil
        }
        self.init(
            nonce: Array(bytes[4..<12]), written: .milliseconds(Int64(bitPattern: number(12..<20))),
            bodyLength: Int(length), metadata: Array(bytes[Self.fixedSize..<Self.fixedSize + metadata]),
            name: name)
        guard number(32..<36) == Self.checksum(of: Array(bytes[0..<32]) + self.metadata + name.utf8) else { return nil }
    }

    var bytes: [UInt8] {
        let (seconds, attoseconds) = written.components
        let time = seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000
        let start =
            Self.magic + nonce + littleEndian(UInt64(bitPattern: time), 8) + littleEndian(UInt64(bodyLength), 8)
            + littleEndian(UInt64(metadata.count), 4)
        return start + littleEndian(Self.checksum(of: start + metadata + name.utf8), 4) + metadata
    }

    /// The offset of a piece in the object.
    func offset(of index: Int) -> Int { Self.fixedSize + metadata.count + index * (Self.pieceSize + 4) }

    /// The length of a piece in the object, with its checksum.
    func length(of index: Int) -> Int { 4 + min(Self.pieceSize, bodyLength - index * Self.pieceSize) }

    /// A piece as it is in the object.
    func piece(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        littleEndian(Self.checksum(of: nonce + littleEndian(UInt64(index), 8) + bytes), 4) + bytes
    }

    private static func checksum(of bytes: [UInt8]) -> UInt64 { UInt64(crc32_z(0, bytes, bytes.count)) }

    private func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
