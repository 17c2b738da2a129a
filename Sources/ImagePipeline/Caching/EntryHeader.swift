import CZlib
import Files

/// The first bytes of a cache file: all that tells a whole entry from a torn, foreign or damaged one.
///
///     0   4  "ISC" and the format's version, 1
///     4   4  length of the key
///     8   4  length of the metadata
///     12  8  length of the body
///     20  4  CRC-32 of the body
///     24  4  CRC-32 of bytes 0 to 23, the key and the metadata
///     28     key, metadata, body
///
/// All numbers are little-endian.
struct EntryHeader: Equatable {
    static let size = 28
    /// What a response says beside its body is far less: a file that claims more is damaged, and is not read into memory.
    static let largestMetadata = 1 << 24
    private static let format = Array("ISC".utf8)
    private static let magic: [UInt8] = format + [1]

    var keyLength: Int
    var metadataLength: Int
    var bodyLength: Int
    var bodyChecksum: UInt32

    var bodyOffset: Int { Self.size + keyLength + metadataLength }
    var fileSize: Int { bodyOffset + bodyLength }

    init(keyLength: Int, metadataLength: Int, bodyLength: Int = 0, bodyChecksum: UInt32 = 0) {
        self.keyLength = keyLength
        self.metadataLength = metadataLength
        self.bodyLength = bodyLength
        self.bodyChecksum = bodyChecksum
    }

    /// Reads it from a file's first bytes; nil unless it fits a file of this size.
    init?(_ bytes: [UInt8], fileSize: Int) {
        guard bytes.count >= Self.size, Array(bytes[0..<4]) == Self.magic else { return nil }
        func number(_ range: Range<Int>) -> UInt64 {
            bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let lengths = [number(4..<8), number(8..<12), number(12..<20)]
        // A length beyond the file cannot be right.
        guard fileSize >= 0, lengths.allSatisfy({ $0 <= UInt64(fileSize) }), lengths[1] <= Self.largestMetadata else {
            return nil
        }
        self.init(
            keyLength: Int(lengths[0]), metadataLength: Int(lengths[1]), bodyLength: Int(lengths[2]),
            bodyChecksum: UInt32(truncatingIfNeeded: number(20..<24)))
        // Not their sum: files may be as long as numbers are.
        guard fileSize - bodyLength == bodyOffset else { return nil }
    }

    /// Whether a file is an entry of any version, whole or not, or an empty one, as a power loss may leave it.
    static func begins(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        let start = try file.read(format.count, at: 0)
        return start.isEmpty || start == format
    }

    /// The header's bytes for this key and metadata.
    func bytes(key: [UInt8], metadata: [UInt8]) -> [UInt8] {
        let fixed = fixedBytes
        return fixed + Self.littleEndian(UInt64(Self.checksum(fixed, key, metadata)), count: 4)
    }

    /// Whether the checksum that was read with the header is that of this key and metadata.
    func matches(_ bytes: [UInt8], key: [UInt8], metadata: [UInt8]) -> Bool {
        Array(bytes.prefix(Self.size)) == self.bytes(key: key, metadata: metadata)
    }

    /// Goes on with a CRC-32; starts at 0.
    static func checksum(_ start: UInt32, _ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_z(UInt(start), bytes, bytes.count))
    }

    private static func checksum(_ parts: [UInt8]...) -> UInt32 {
        parts.reduce(0) { checksum($0, $1) }
    }

    private var fixedBytes: [UInt8] {
        Self.magic + Self.littleEndian(UInt64(keyLength), count: 4)
            + Self.littleEndian(UInt64(metadataLength), count: 4) + Self.littleEndian(UInt64(bodyLength), count: 8)
            + Self.littleEndian(UInt64(bodyChecksum), count: 4)
    }

    private static func littleEndian(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
