/// The first field of a body's hash: version, a number of its own, length, metadata with their checksum, which is also that of the name of
/// the hash: what stands under another one is not this body.
struct RedisHeader: Sendable {
    static let field = "h"
    private static let version: UInt8 = 3
    private static let fixedSize = 21

    /// Eight bytes that tell the pieces of this body from those of another one that takes its place.
    var nonce: [UInt8]
    var bodyLength: Int
    var metadata: [UInt8]
    private let name: String

    init(bodyLength: Int, metadata: [UInt8], nonce: [UInt8], name: String) {
        self.nonce = nonce
        self.bodyLength = bodyLength
        self.metadata = metadata
        self.name = name
    }

    /// Reads it; nil for what is none, or is damaged.
    init?(_ bytes: [UInt8], of name: String) {
        guard bytes.count >= Self.fixedSize, bytes[0] == Self.version else { return nil }
        let length = bytes[9..<17].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(1) << 40 else { return nil }
        self.init(
            bodyLength: Int(length), metadata: Array(bytes[Self.fixedSize...]), nonce: Array(bytes[1..<9]),
            name: name)
        guard self.bytes == bytes else { return nil }
    }

    var bytes: [UInt8] {
        let start = [Self.version] + nonce + littleEndian(UInt64(bodyLength), count: 8)
        return start + littleEndian(UInt64(checksum(start + metadata + name.utf8)), count: 4) + metadata
    }
}
