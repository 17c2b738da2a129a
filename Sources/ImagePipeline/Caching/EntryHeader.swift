import Files

/// The first bytes of a cache file: all that tells a whole entry from a torn, foreign or damaged one.
///
///     0   4  "ISC" and the format's version, 3
///     4   4  length of the metadata
///     8   8  length of the body
///     16  8  checksum of the body
///     24  32 key
///     56  8  checksum of bytes 0 to 55 and the metadata
///     64     body, metadata
///
/// All numbers are little-endian. The metadata come last, so that one system call reads the header and, into memory of its own, the body.
struct EntryHeader {
    static let size = 64
    /// Far more than a response says beside its body: a file that claims more is damaged, and is not read into memory.
    static let largestMetadata = 1 << 24
    private static let format = Array("ISC".utf8)
    private static let magic: [UInt8] = format + [3]
    private static let keyOffset = 24
    private static let checksumOffset = 56

    let key: CacheKey
    let metadataLength: Int
    var bodyLength: Int
    var bodyChecksum: UInt64

    var metadataOffset: Int { Self.size + bodyLength }
    var fileSize: Int { metadataOffset + metadataLength }

    init(key: CacheKey, metadataLength: Int, bodyLength: Int = 0, bodyChecksum: UInt64 = Checksum().value) {
        self.key = key
        self.metadataLength = metadataLength
        self.bodyLength = bodyLength
        self.bodyChecksum = bodyChecksum
    }

    /// Reads it from a file's first bytes; nil unless it fits a file of this size.
    init?(_ bytes: [UInt8], fileSize: Int) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic), fileSize >= Self.size else { return nil }
        let metadata: UInt32 = Self.number(in: bytes, at: 4)
        let body: UInt64 = Self.number(in: bytes, at: 8)
        let contents = UInt64(fileSize - Self.size)
        // Not their sum: a lie may be as large as numbers are.
        guard metadata <= Self.largestMetadata, body <= contents, contents - body == metadata else { return nil }
        let words = bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: Self.keyOffset, as: (UInt64, UInt64, UInt64, UInt64).self)
        }
        self.init(
            key: CacheKey(words: words), metadataLength: Int(metadata), bodyLength: Int(body),
            bodyChecksum: Self.number(in: bytes, at: 16))
    }

    /// Whether a file is an entry of any version, whole or not, or an empty one, as a power loss may leave it.
    static func begins(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        let start = try file.read(format.count, at: 0)
        return start.isEmpty || start == format
    }

    /// Whether a file is an entry of another version of the format: a miss, but not damaged.
    static func isOfOtherVersion(at path: String) -> Bool {
        guard let start = try? FileDescriptor.reading(path).read(magic.count, at: 0) else { return false }
        return start.count == magic.count && start.starts(with: format) && start != magic
    }

    /// The header's bytes for these metadata.
    func bytes(metadata: [UInt8]) -> [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(Self.size)
        bytes.append(littleEndian: UInt32(metadataLength))
        bytes.append(littleEndian: UInt64(bodyLength))
        bytes.append(littleEndian: bodyChecksum)
        bytes += key.bytes
        bytes.append(littleEndian: Self.checksum(bytes, metadata))
        return bytes
    }

    /// Whether the checksum in a header's bytes is that of them and these metadata.
    static func isSound(_ bytes: [UInt8], metadata: [UInt8]) -> Bool {
        checksum(bytes, metadata) == number(in: bytes, at: checksumOffset)
    }

    private static func checksum(_ bytes: [UInt8], _ metadata: [UInt8]) -> UInt64 {
        var checksum = Checksum()
        bytes.withUnsafeBytes { checksum.append(UnsafeRawBufferPointer(rebasing: $0[..<checksumOffset])) }
        checksum.append(metadata)
        return checksum.value
    }

    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        in bytes: [UInt8], at offset: Int
    ) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
